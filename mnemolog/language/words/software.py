"""Software by its names and by what it does: of one kind, one takes another's place."""

from __future__ import annotations

# fmt: off
ALIASES = {"postgres": "postgresql", "postgre": "postgresql", "golang": "go", "k8s": "kubernetes",
           "osx": "macos"}
"""Software by another name."""

KINDS = {
    name: kind
    for kind, names in {
        "database": "postgresql postgres mysql mongodb sqlite dynamodb cockroachdb mariadb oracle "
                    "cassandra firestore couchdb clickhouse bigquery snowflake supabase neo4j "
                    "redshift spanner",
        "language": "python go golang rust typescript javascript kotlin java ruby php scala swift "
                    "c# c++ elixir haskell perl clojure dart lua zig ocaml",
        "cloud": "aws gcp azure heroku digitalocean linode hetzner vercel netlify cloudflare",
        "queue": "kafka rabbitmq sqs nats pulsar celery",
        "cache": "redis memcached valkey",
        "frontend": "react vue angular svelte solidjs",
        "backend": "django flask fastapi rails express spring laravel",
        "ci": "jenkins github gitlab circleci travis buildkite teamcity",
        "editor": "vim neovim emacs vscode pycharm intellij",
        "orm": "sqlalchemy prisma hibernate typeorm",
        "tracker": "jira linear trello asana",
        "packaging": "npm yarn pnpm bun",
        "orchestration": "kubernetes k8s nomad swarm ecs openshift",
        "system": "linux windows macos debian ubuntu fedora centos freebsd alpine",
        "server": "nginx apache caddy traefik haproxy",
        "container": "docker podman",
        "process": "scrum kanban waterfall",
        "api": "rest graphql grpc soap",
    }.items()
    for name in names.split()
}
"""Software of which one takes another's place, by what it does."""
# fmt: on
