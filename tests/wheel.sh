#!/bin/sh
# Builds the wheel, installs it into a fresh environment away from the sources,
# and uses it there: a package or data file that is missing from it fails here.
set -eu
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What an earlier build left there would be packed again, though its source is gone.
rm -rf "$root/build"

"$python" -m build --wheel --outdir "$scratch/dist" "$root" >"$scratch/build.log" 2>&1 || {
    cat "$scratch/build.log"
    exit 1
}
"$python" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip install --quiet "$scratch"/dist/*.whl
cd "$scratch"
mkdir "$scratch/user" "$scratch/tmp"
export HOME="$scratch/user" TMPDIR="$scratch/tmp" MNEMOLOG_HOME="$scratch/home"
unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME ORT_DISABLE_TELEMETRY
bin="$scratch/venv/bin"

# Word lists and patterns are data files, each read at its first use.
installed=$(dirname "$("$bin/python" -c 'import mnemolog; print(mnemolog.__file__)')")
for list in $(cd "$root/mnemolog" && find . -name '*.toml'); do
    test -f "$installed/$list" || {
        echo "not in the wheel: $list"
        exit 1
    }
done

"$bin/mnemolog" remember "Dana prefers green tea" --source user:dana >/dev/null
"$bin/mnemolog" recall "what does Dana like to drink" --json | grep -q "green tea"
"$bin/mnemolog" ask "What did Dana say she likes to drink?" --json | grep -q "green tea"
echo '{"prompt": "What did Dana say she likes to drink?"}' |
    "$bin/mnemolog" hook --limit-ms 60000 | grep -q "green tea"
echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wheel","version":"1"}}}' |
    "$bin/mnemolog" mcp | grep -q long-term
"$bin/mnemolog" verify >/dev/null
"$bin/python" - <<'PYTHON'
import mnemolog
from importlib.resources import files

with mnemolog.Memory.open() as memory:
    assert memory.recall("tea").hits[0].content == "Dana prefers green tea"
assert files("mnemolog").joinpath("py.typed").is_file()
PYTHON
# Telemetry of a library would be kept there.
left=$(find "$HOME" "$TMPDIR" -mindepth 1)
test -z "$left" || {
    echo "written outside the home: $left"
    exit 1
}
echo "the wheel works in a fresh environment"
