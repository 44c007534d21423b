"""Words of English that judging two statements needs: forms of verbs, opposites, synonyms."""

from __future__ import annotations

import re
from functools import cache

import msgspec

# fmt: off
BE = frozenset("am is are was were be been being".split())
HAVE = frozenset("have has had having".split())
DO = frozenset("do does did".split())
MODAL = frozenset("can will must shall".split())
PAST_AUXILIARY = frozenset({"was", "were", "had", "did"})
DETERMINERS = frozenset(
    "a an the this that these those my our your his her its their some any every each".split()
)
PREPOSITIONS = frozenset(
    "of in on at for from to with by under over near about into through during as per "
    "between behind above below inside within against until since than before after".split()
)
PRONOUNS = frozenset(
    "it this that these those there they them he she him her you your yours one ones something "
    "anything nothing everything someone everyone which who what here such both all most many "
    "his its their".split()
)
"""What a subject or object may not be: nothing in the text says for sure what it stands for."""

ADVERBS = re.compile(
    r"\b(?:right now|at the moment|at present|these days|as of (?:now|today)|for now|nowadays"
    r"|by default|from now on|now|currently|still|also|really|actually|just|already|officially"
    r"|recently|finally|presently|again|yet|too|anymore|any more|even|very|quite|definitely"
    r"|fully|completely|totally|usually|often|always|generally|normally|typically|mostly|instead"
    r"|at all|a lot|very much|so much|regularly|simply|absolutely|certainly|permanently"
    r"|temporarily|personally|honestly|truly|fluently|fluent|at the latest|sharp"
    r"|last (?:week|month|year|spring|summer|autumn|fall|winter)|(?:a|two|three) (?:week|month|year)s? ago"
    r"|as of)\b",
    re.IGNORECASE,
)
EPISODE = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last night|this (?:morning|afternoon|evening|week|"
    r"weekend|time)|the other day|so far|in total|ago|next (?:week|month|year|time)|one day|"
    r"someday|eventually|soon|until recently|last time|once|another|this year)\b",
    re.IGNORECASE,
)
"""What happens once, or adds up: the like of it on another day is no contradiction."""

_VERBS = (
    "live reside stay work study drive own belong lead manage head chair run use like love enjoy "
    "adore hate dislike detest loathe prefer drink eat speak take cost weigh last start begin "
    "launch ship release close open end finish listen support allow permit require need have "
    "consist contain include expire charge pay earn smoke move relocate switch change become join "
    "upgrade migrate raise lower increase reduce reschedule postpone decide choose pick approve "
    "reject accept cancel write implement build store schedule set know play sleep wake keep hold "
    "stand lack time limit teach depend return send read visit travel wear make exercise commute "
    "go quit stop give offer provide serve occur happen retry rise drop fall receive rent own "
    "total number measure cover maintain run handle spend cook learn believe trust follow attend "
    "suffer tolerate process rely connect point feature default adopt replace report bank leave depart arrive back sync poll sell cycle walk swim jog play"
).split()
_IRREGULAR = {
    "lead": "led led", "drive": "drove driven", "run": "ran run", "drink": "drank drunk",
    "eat": "ate eaten", "speak": "spoke spoken", "take": "took taken", "cost": "cost cost",
    "begin": "began begun", "have": "had had", "pay": "paid paid", "become": "became become",
    "choose": "chose chosen", "write": "wrote written", "build": "built built", "set": "set set",
    "know": "knew known", "sleep": "slept slept", "wake": "woke woken", "keep": "kept kept",
    "hold": "held held", "stand": "stood stood", "teach": "taught taught", "send": "sent sent",
    "read": "read read", "wear": "wore worn", "make": "made made", "go": "went gone",
    "quit": "quit quit", "give": "gave given", "rise": "rose risen", "fall": "fell fallen",
    "spend": "spent spent", "learn": "learned learnt",
}
_DOUBLED = frozenset({"stop", "ship", "drop", "quit", "set", "run", "begin", "rent"} - {"rent"})

# The first word of each row is the one that the others of the row are read as; the words
# after the stroke are its opposites.
_OPPOSITES = """
enabled on active activated turned_on switched_on | disabled off inactive deactivated turned_off switched_off
open | closed shut
allowed permitted | forbidden prohibited banned disallowed
required mandatory compulsory obligatory necessary | optional unnecessary voluntary
approved accepted | rejected declined denied refused
confirmed | cancelled canceled called_off
available | unavailable
online reachable up | offline unreachable down
married | single unmarried divorced
alive | dead deceased
safe harmless | unsafe dangerous harmful
possible feasible | impossible infeasible
legal lawful | illegal unlawful
public | private
true correct | false incorrect wrong
compatible | incompatible
employed | unemployed jobless
finished complete completed done | unfinished incomplete
valid | invalid
locked | unlocked
encrypted | unencrypted
free free_of_charge | paid
stable | unstable
synchronous | asynchronous
left-handed | right-handed
full | empty
remote | on-site onsite in-office
introverted | extroverted outgoing
pregnant | not_pregnant
deprecated | undeprecated
healthy | ill sick unwell
early | late
present | absent
visible | hidden invisible
included | excluded
reversible | irreversible
fixed | adjustable
manual | automatic automated
refundable | non-refundable nonrefundable
gluten-free | gluten-containing
waterproof | non-waterproof
working functional operational | broken
passing | failing
in_stock | out_of_stock sold_out
writable read-write | read-only
signed | unsigned
merged | unmerged
released published | unreleased unpublished
delivered | undelivered
resolved solved | unresolved unsolved
installed | uninstalled
morning_person early_riser early_bird | night_owl evening_person
beginner novice | expert
tall | short
rich wealthy | poor
hot | cold
fast quick | slow
cheap inexpensive | expensive
easy simple | difficult hard
heavy | light
old | young
wet | dry
clean | dirty
strict | lenient
sorted ordered | unsorted unordered
required_by_default | optional_by_default
mutable | immutable
online-only | in-person
single-threaded | multi-threaded multithreaded
case-sensitive | case-insensitive
backward-compatible backwards-compatible | incompatible_with_older
at_work working full-time | part-time on_leave on_vacation on_holiday off_work on_parental_leave on_sick_leave on_maternity_leave
"""
_SYNONYMS = {
    "favorite": "favourite", "color": "colour", "gp": "doctor", "physician": "doctor",
    "boss": "manager", "occupation": "job", "profession": "job", "fee": "price", "cost": "price",
    "kid": "child", "children": "child", "birthday": "birth", "born": "birth", "hq": "headquarters",
    "headquarters": "headquarters", "photo": "photo",
    "leader": "lead", "movie": "film", "licence": "license", "licensed": "license", "head": "lead", "owner": "own", "ceiling": "limit", "cap": "limit",
    "maximum": "limit", "max": "limit", "launch": "launch", "release": "launch",
    "residence": "home", "spouse": "spouse", "wife": "spouse", "husband": "spouse",
    "people": "member", "person": "member", "employee": "member", "engineer": "engineer",
    "db": "database", "organisation": "organization", "mobile": "phone", "telephone": "phone",
    "due": "deadline", "my": "i", "mine": "i", "me": "i", "user": "i", "our": "we", "ours": "we",
    "us": "we", "developer": "developer", "salary": "salary", "meetup": "meeting",
}
_SILENT = frozenset({"project", "current", "new", "year", "date", "day", "total", "official"})
"""Words of a topic that do not tell one attribute from another."""

OCCUPATIONS = frozenset(
    "accountant actor actress architect artist baker banker barber barista biologist butcher "
    "carpenter chef chemist cleaner coach consultant cook dentist designer developer director "
    "doctor driver economist editor electrician engineer farmer firefighter gardener geologist "
    "hairdresser journalist judge lawyer lecturer librarian manager mechanic midwife musician "
    "nurse officer optician painter paramedic pharmacist photographer physicist pilot plumber "
    "police policeman politician postman principal producer professor programmer psychologist "
    "realtor receptionist reporter researcher sailor salesman scientist secretary soldier "
    "surgeon tailor teacher therapist translator tutor vet veterinarian waiter waitress writer "
    "analyst administrator technician attorney student intern freelancer retiree".split()
)
ATTRIBUTES = frozenset(
    "address age allergy bedtime birth blood budget capital car ceo colour database deadline "
    "default deposit destination diet doctor dentist dose email employer engine error fee font "
    "framework goal headquarters height home host hostname hours id interval job key kernel "
    "language lead level license licence limit location login manager maintainer memory mode name "
    "nationality nickname number office owner own password phone port price priority protocol "
    "provider quota rate region rent retention room salary schedule score shift size spouse "
    "status supplier surname team temperature theme threshold time timeout timezone title type "
    "url username vendor venue version wage weight winner zip birthplace hometown launch start "
    "end opening closing duration branch editor timezone currency format shell browser plan tier role code pin username email phone "
    "department school university major dog cat pet nickname supplier insurer bank director president mayor teacher coach wifi password subject topic "
    "film food band book movie song drink sport season".split()
)
"""Nouns that name an attribute of which a thing has one at a time."""

MONEYED = frozenset(
    "price budget rent salary fee wage deposit limit bill bonus total debt balance tax loan "
    "revenue income quota target goal fine fare value allowance mortgage rate".split()
)
"""Nouns that say of themselves that they are money: 'the plan is $5' gives its price."""

FIXED = frozenset({"birth", "birthplace", "blood", "nationality", "name", "surname", "height",
                   "winner", "hometown"})
"""Attributes that do not change with time, or hardly ever."""

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
        "ci": "jenkins circleci travis buildkite teamcity",
        "editor": "vim neovim emacs vscode pycharm intellij",
        "orm": "sqlalchemy prisma hibernate typeorm",
        "tracker": "jira linear trello asana",
        "packaging": "npm yarn pnpm bun",
        "api": "rest graphql grpc soap",
    }.items()
    for name in names.split()
}
"""Software of which one takes another's place, by what it does."""

RIVALS = tuple(frozenset(row.split()) for row in (
    "tea coffee cocoa", "email phone slack text sms telegram whatsapp call letter", "tab space",
    "dark light", "morning evening afternoon night", "window aisle middle", "cat dog",
    "train plane car bus bike", "beach mountain", "vim emacs vscode", "sweet savoury savory salty",
    "remote office", "celsius fahrenheit", "metric imperial", "ios android", "mac windows linux",
    "beer wine", "red white", "hot cold iced", "online in-person", "paper digital", "short long",
    "summer winter spring autumn", "formal informal casual", "brief detailed concise verbose",
    "spicy mild", "single double", "early late", "indoor outdoor", "city countryside",
    "shower bath", "rest graphql grpc", "spaces tabs", "cash card", "book film movie",
    "public private", "merge rebase squash", "left right",
))
"""Things of which one prefers one: a preference for another of the row takes its place."""
# fmt: on


class VerbForm(msgspec.Struct, frozen=True):
    """A form of a known verb: its base, and whether it is base, s, past or ing."""

    lemma: str
    form: str


@cache
def verb_forms() -> dict[str, VerbForm]:
    """Every form of the known verbs; of two readings of a form, the finite present."""
    found: dict[str, VerbForm] = {}
    for verb in _VERBS:
        stem = verb[:-1] if verb.endswith("e") else verb
        if verb in _DOUBLED:
            stem = verb + verb[-1]
        third = f"{verb}es" if re.search(r"(?:ch|sh|ss|x|z|o)$", verb) else f"{verb}s"
        past = f"{stem}ed"
        if re.search(r"[^aeiou]y$", verb):
            third, past = f"{verb[:-1]}ies", f"{verb[:-1]}ied"
        if verb == "have":
            third = "has"
        for form in _IRREGULAR.get(verb, past).split():
            found.setdefault(form, VerbForm(verb, "past"))
        found[f"{stem}ing"] = VerbForm(verb, "ing")
        found[third] = VerbForm(verb, "s")
        found[verb] = VerbForm(verb, "base")
    found["rewritten"] = VerbForm("write", "past")
    return found


@cache
def known_verbs() -> frozenset[str]:
    """The base forms of the verbs whose forms are known."""
    return frozenset(_VERBS)


@cache
def opposites() -> dict[str, tuple[str, bool]]:
    """Words and the positive word that they are read as; True where they deny it."""
    found: dict[str, tuple[str, bool]] = {}
    for row in _OPPOSITES.strip().splitlines():
        positives, negatives = (part.split() for part in row.split("|"))
        for word in positives:
            found.setdefault(word.replace("_", " "), (positives[0].replace("_", " "), False))
        for word in negatives:
            found.setdefault(word.replace("_", " "), (positives[0].replace("_", " "), True))
    return found


def noun(word: str) -> str:
    """A noun's singular in lower case, in the spelling or synonym that it is compared by."""
    word = word.lower().removesuffix("'s").removesuffix("'")
    if word in _SYNONYMS:
        return _SYNONYMS[word]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):  # noqa: PLR2004
        if word.endswith("ies"):
            word = f"{word[:-3]}y"
        elif word.endswith(("ches", "shes", "xes", "sses", "zes")):
            word = word[:-2]
        else:
            word = word[:-1]
    return _SYNONYMS.get(word, word)


def topic(words: list[str]) -> frozenset[str]:
    """The words that tell what a phrase is about, in whatever order it says them."""
    found = {noun(word) for word in words}
    telling = {word for word in found if word not in DETERMINERS and word not in PREPOSITIONS}
    if "limit" in telling:
        telling -= {"size"}
    if len(telling) > 1:
        telling -= {"we"}
    return frozenset(telling - _SILENT) or frozenset(telling)
