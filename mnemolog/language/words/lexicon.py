"""Word lists for the comparison of statements: opposites, attributes, kinds, states."""

from __future__ import annotations

from functools import cache

from mnemolog.language.lists import english, word_set

# fmt: off
OCCUPATIONS = word_set(
    "accountant actor actress architect artist baker banker barber barista biologist butcher "
    "carpenter chef chemist cleaner coach consultant cook dentist designer developer director "
    "doctor driver economist editor electrician engineer farmer firefighter gardener geologist "
    "hairdresser journalist judge lawyer lecturer librarian manager mechanic midwife musician "
    "nurse officer optician painter paramedic pharmacist photographer physicist pilot plumber "
    "police policeman politician postman principal producer professor programmer psychologist "
    "realtor receptionist reporter researcher sailor salesman scientist secretary soldier "
    "surgeon tailor teacher therapist translator tutor vet veterinarian waiter waitress writer "
    "violinist pianist guitarist cellist drummer singer conductor composer poet novelist sculptor "
    "biologist chemist botanist zoologist astronomer mathematician statistician historian "
    "archaeologist anthropologist sociologist linguist florist jeweller locksmith welder tiler "
    "roofer miner fisherman shepherd beekeeper brewer undertaker priest rabbi imam vicar monk "
    "chauffeur courier cashier clerk accountant auditor broker trader investor banker bookkeeper "
    "cardiologist neurologist radiologist paediatrician pediatrician dermatologist orthodontist "
    "physiotherapist osteopath anaesthetist diver stuntman magician comedian dancer ballerina "
    "analyst administrator technician attorney student intern freelancer retiree"
)
ATTRIBUTES = word_set(
    "address age allergy bedtime birth blood budget capital car ceo colour database deadline "
    "default deposit destination diet doctor dentist dose email employer engine error fee font "
    "framework goal headquarters height home host hostname hours id interval job key kernel "
    "language lead level license licence limit location login manager maintainer memory mode "
    "name nationality nickname number office owner own password phone port price priority "
    "protocol provider quota rate region rent retention room salary schedule score shift size "
    "spouse status supplier surname team temperature theme threshold time timeout timezone "
    "title type url username vendor venue version wage weight winner zip birthplace hometown "
    "launch start end opening closing duration branch editor currency format shell browser plan "
    "tier role code pin department school university major pet insurer bank director president "
    "mayor teacher coach wifi subject topic city country hair eye skin gender religion sign "
    "contact diagnosis origin film food band book movie song drink sport season"
)
"""Nouns of attributes that have one value at a time."""

FEELINGS = word_set(
    "tired happy sad excited hungry sick busy ready sure nervous afraid angry bored sorry "
    "worried glad ok okay fine late cold hot thirsty stressed confused lost surprised alone "
    "upset proud interested scared anxious sleepy lonely jealous grateful thankful aware able "
    "alright there here done full free well good bad great better"
)
"""Passing states of people; their end contradicts nothing."""

HABITS = word_set(
    "drink smoke run swim cook drive travel exercise dance ski gamble vote cycle sing fly"
)
"""Habits that are denied altogether if they are denied without an object."""

SOLE = word_set(
    "favourite best main primary preferred biggest largest smallest highest lowest oldest youngest "
    "native current default only first second last usual latest next minimum maximum limit base "
    "official go-to middle legal maiden full real current chief top ideal"
)
"""Adjectives that mark the only one of a kind: 'the main office', 'my best friend'."""

MANIFOLD = word_set(
    "friend brother sister cousin aunt uncle child son daughter colleague teammate neighbour "
    "neighbor member hobby skill problem issue point idea thing example reason option goal"
)
"""Nouns of which a person has several; naming another one contradicts nothing."""

GENERIC = word_set(
    "company firm startup corporation organization business agency employer flat apartment house "
    "home condo studio room place city town village suburb country car vehicle school university "
    "college hospital bank shop store phone computer laptop dog cat building area region"
)
"""Nouns that describe a named thing: 'a small flat' does not contradict 'Berlin'."""

MONEYED = word_set(
    "price budget rent salary fee wage deposit limit bill bonus total debt balance tax loan "
    "revenue income quota target goal fine fare value allowance mortgage rate"
)
"""Nouns that are amounts of money: 'the plan is $5' gives its price."""

PLAIN = word_set(
    "colour status job theme name blood type level mode priority branch editor timezone "
    "currency format shell browser plan tier role department subject major eye hair skin city "
    "country sign kernel title region language diet default protocol engine font "
    "password"
)
"""Attributes whose value may be any word: 'the theme is dark'."""

FIXED = frozenset({"birth", "birthplace", "blood", "nationality", "name", "surname", "height",
                   "winner", "hometown", "origin", "eye", "skin", "once"})
"""Attributes that do not change with time, or hardly ever."""

HOUSEHOLD = {
    member: kind
    for kind, members in {
        "child": "son daughter baby toddler stepson stepdaughter twin",
        "sibling": "brother sister",
        "pet": "dog cat puppy kitten hamster rabbit parrot goldfish turtle snake lizard canary",
        "car": "volvo toyota tesla honda bmw audi fiat ford mercedes volkswagen subaru peugeot "
        "skoda mazda nissan renault kia hyundai opel citroen porsche lexus jeep chevrolet",
    }.items()
    for member in members.split()
}
"""Members of a household and cars, with their kinds; a person has one of a kind."""

STATES: dict[str, frozenset[str]] = {
    name: frozenset(state.replace("_", " ") for state in states.split())
    for name, states in {
        "colour": "red blue green yellow orange purple pink brown black white grey gray silver "
                  "beige turquoise",
        "progress": "not_started to_do todo planned in_progress under_way underway on_hold paused "
                    "blocked in_review under_review done completed finished complete cancelled "
                    "canceled abandoned",
        "decision": "pending undecided approved accepted rejected declined denied",
        "shipment": "pending processing shipped delivered returned refunded cancelled canceled "
                    "lost_in_transit",
        "health": "green red yellow amber broken passing failing",
        "degree": "low medium moderate high critical",
        "stage": "draft published archived",
        "size": "small medium large",
    }.items()
}
"""States that exclude each other."""

RIVALS = tuple(word_set(row) for row in (
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
"""Rows of rivals: a preference for another one of the row replaces the earlier one."""
# fmt: on


@cache
def opposites() -> dict[str, tuple[str, bool]]:
    """Words with their positive word; True for its opposites."""
    found: dict[str, tuple[str, bool]] = {}
    for row in english("opposites").text("opposites").strip().splitlines():
        positives, negatives = (part.split() for part in row.split("|"))
        for word in positives:
            found.setdefault(word.replace("_", " "), (positives[0].replace("_", " "), False))
        for word in negatives:
            found.setdefault(word.replace("_", " "), (positives[0].replace("_", " "), True))
    return found


def rows_of(state: str) -> frozenset[str]:
    """Names of the rows of `STATES` with a state."""
    return frozenset(name for name, states in STATES.items() if state in states)
