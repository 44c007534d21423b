"""Pairs of statements by rule: contradictions of every type, and pairs that merely look like them.

Every pair is an older and a newer text. A template fills its slots with different
entries for `{x}` and `{x2}` of one list. A third of the templates is held out: the
rules of the judge were written without looking at what it makes of them.

The wordings were written before the judge's rules were, and apart from them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import msgspec

from tests.seeds import SEED

# fmt: off
SLOTS: dict[str, tuple[str, ...]] = {
    "name": ("Dana", "Marek", "Priya", "Tom", "Aisha", "Lucía", "Henrik", "Mei", "Jonas Weber",
             "Olga Petrova", "Sam", "Noor", "Carlos", "Ms. Bell", "Yuki"),
    "city": ("Oslo", "Bergen", "Lisbon", "Chicago", "Nairobi", "Lyon", "Osaka", "Leeds", "Quito",
             "Porto", "New York", "Seattle"),
    "company": ("Acme", "Globex", "Initech", "Siemens", "Northwind Traders", "Hooli", "Umbrella",
                "Spotify", "a small bakery", "the city council"),
    "role": ("nurse", "data engineer", "teacher", "product manager", "carpenter", "lawyer",
             "pilot", "UX designer"),
    "project": ("Atlas", "Phoenix", "the billing project", "Project Heron", "the website redesign",
                "the mobile app", "Zephyr"),
    "service": ("the billing service", "the auth service", "the search API", "the payments gateway",
                "checkout", "the image resizer", "the export job"),
    "db": ("PostgreSQL", "MySQL", "MongoDB", "SQLite", "DynamoDB", "CockroachDB"),
    "language": ("Python", "Go", "Rust", "TypeScript", "Kotlin", "Java"),
    "spoken": ("French", "German", "Arabic", "Portuguese", "Hindi", "Swedish"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    "month": ("March", "April", "June", "September", "October", "November"),
    "date": ("March 3", "April 17", "June 9", "September 30", "October 12", "November 21"),
    "time": ("9 am", "10:30", "2 pm", "3:15 pm", "4 pm", "11 am"),
    "year": ("1979", "1984", "1988", "1991", "1995", "2001"),
    "recent": ("2016", "2017", "2018", "2019", "2021", "2022"),
    "price": ("$12", "$15", "$49", "$120", "$80", "$250"),
    "budget": ("$20,000", "$35,000", "€50,000", "$8,000", "$120k"),
    "seconds": ("5 seconds", "30 seconds", "60 seconds", "2 minutes", "10 minutes"),
    "size": ("10 MB", "25 MB", "100 MB", "2 GB"),
    "few": ("two", "three", "four", "five"),
    "number": ("3", "5", "8", "12", "20", "50"),
    "food": ("cilantro", "mushrooms", "olives", "sushi", "blue cheese", "coffee", "spicy food",
             "liquorice"),
    "allergen": ("peanuts", "shellfish", "penicillin", "pollen", "latex"),
    "colour": ("blue", "green", "orange", "purple", "red", "teal"),
    "car": ("a Volvo", "a Tesla", "a red Fiat", "an old Saab", "a pickup truck"),
    "pet": ("a cat", "a dog", "a parrot", "two rabbits", "a tortoise"),
    "hobby": ("climbing", "chess", "painting", "gardening", "photography"),
    "drug": ("ibuprofen", "metformin", "lisinopril", "vitamin D"),
    "dose": ("50 mg", "100 mg", "200 mg", "500 mg"),
    "doctor": ("Dr. Amin", "Dr. Larsen", "Dr. Okafor", "Dr. Weiss"),
    "shop": ("the library", "the gym", "the bakery", "the museum", "the pharmacy"),
    "flag": ("dark mode", "two-factor login", "the beta feature", "email digests", "rate limiting",
             "autosave"),
    "host": ("staging", "production", "the build server", "the CI runner"),
    "port": ("8080", "5432", "3000", "443", "9000"),
    "region": ("eu-west-1", "us-east-2", "ap-south-1", "eu-central-1"),
    "version": ("3.9", "3.11", "18", "2.4", "20.04"),
    "feature": ("pagination", "webhooks", "OAuth", "batch uploads", "offline mode", "IPv6"),
    "meeting": ("the standup", "the budget review", "the retro", "the board meeting",
                "my dentist appointment", "the design sync"),
    "item": ("the basic plan", "a monthly pass", "the annual subscription", "the small box",
             "a ticket to the zoo"),
    "book": ("Dune", "Emma", "Middlemarch", "Ulysses"),
    "film": ("Alien", "Amélie", "Spirited Away", "The Godfather"),
    "object": ("the red bicycle", "the lake house", "the green sofa", "the spare laptop",
               "the camper van"),
    "team": ("the red team", "the blue team", "the platform team", "the data team"),
    "sport": ("tennis", "football", "basketball", "squash"),
    "instrument": ("piano", "cello", "guitar", "drums"),
    "drink": ("tea", "coffee", "oat milk", "sparkling water"),
    "cityland": ("Paris|France", "Berlin|Germany", "Kyoto|Japan", "Madrid|Spain", "Milan|Italy",
                 "Toronto|Canada", "Austin|Texas", "Nairobi|Kenya", "Munich|Bavaria",
                 "Lima|Peru", "Portugal|Europe", "Vietnam|Asia"),
    "dateland": ("June 12|June", "March 3, 2024|March 2024", "October 21|October",
                 "2 May 2023|May 2023"),
}
# fmt: on


class Template(msgspec.Struct, frozen=True):
    """A kind of pair: ways to say the old text and the new one, each pair drawn at random.

    `type` is None for pairs that do not conflict.
    """

    name: str
    type: str | None
    olds: tuple[str, ...]
    news: tuple[str, ...]


class Pair(msgspec.Struct, frozen=True):
    """An older and a newer text, and what they were made from."""

    old: str
    new: str
    type: str | None
    template: str
    held_out: bool


def _t(name: str, kind: str | None, olds: str, news: str) -> Template:
    return Template(name, kind, tuple(olds.split(" / ")), tuple(news.split(" / ")))


CONFLICTS: tuple[Template, ...] = (
    # people
    _t(
        "home",
        "value",
        "{name} lives in {city}. / {name}'s home is in {city} / {name} is based in {city}.",
        "{name} lives in {city2}. / {name} has moved to {city2}. / {name} now lives in {city2} / "
        "{name} relocated to {city2} last month.",
    ),
    _t(
        "my-home",
        "value",
        "I live in {city}. / My home is in {city}. / I'm living in {city} at the moment",
        "I live in {city2}. / My home is in {city2}. / I live in {city2} now. / "
        "I moved to {city2}.",
    ),
    _t(
        "employer",
        "value",
        "{name} works at {company}. / {name} is employed by {company}. / "
        "{name} works for {company}",
        "{name} works at {company2}. / {name} started a new job at {company2}. / "
        "{name} joined {company2}. / {name} works for {company2} now.",
    ),
    _t(
        "role",
        "value",
        "{name} is a {role}. / {name} works as a {role}. / {name}'s job is {role}.",
        "{name} works as a {role2}. / {name}'s job is {role2}. / {name} became a {role2}.",
    ),
    _t(
        "born-year",
        "value",
        "{name} was born in {year}. / {name}'s year of birth is {year}.",
        "{name} was born in {year2}. / {name}'s year of birth is {year2}. / "
        "{name}'s birth year is {year2}.",
    ),
    _t(
        "birthday",
        "value",
        "{name}'s birthday is {date}. / {name}'s birthday is on {date}.",
        "{name}'s birthday is on {date2}. / {name} has her birthday on {date2}. / "
        "The birthday of {name} is {date2}.",
    ),
    _t(
        "children",
        "value",
        "{name} has {few} children. / {name} has {few} kids.",
        "{name} has {few2} children. / {name} has {few2} kids. / {name} is the parent of {few2} "
        "children.",
    ),
    _t(
        "marital",
        "direct",
        "{name} is married. / {name} is married to a {role}.",
        "{name} is single. / {name} isn't married. / {name} has never been married.",
    ),
    _t(
        "favourite",
        "value",
        "{name}'s favourite colour is {colour}. / My favorite color is {colour}. / "
        "{name}'s favorite color is {colour}.",
        "{name}'s favourite colour is {colour2}. / My favorite color is {colour2}. / "
        "{name}'s favorite color is {colour2}.",
    ),
    _t(
        "likes-not",
        "direct",
        "{name} likes {food}. / {name} loves {food}. / {name} enjoys {food}.",
        "{name} does not like {food}. / {name} hates {food}. / {name} dislikes {food}. / "
        "{name} can't stand {food}.",
    ),
    _t(
        "i-like-not",
        "direct",
        "I like {food}. / I love {food}! / I really enjoy {food}",
        "I don't like {food}. / I hate {food}. / I don't like {food} anymore. / "
        "I no longer like {food}.",
    ),
    _t(
        "diet",
        "direct",
        "{name} is vegetarian. / {name} is a vegetarian. / {name} doesn't eat meat.",
        "{name} eats meat. / {name} eats meat again. / {name} is not a vegetarian. / "
        "{name} eats beef every week.",
    ),
    _t(
        "alcohol",
        "direct",
        "{name} never drinks alcohol. / {name} does not drink alcohol.",
        "{name} drinks alcohol. / {name} often drinks alcohol at parties.",
    ),
    _t(
        "car",
        "value",
        "{name} drives {car}. / {name}'s car is {car}.",
        "{name} drives {car2} now. / {name}'s car is {car2}. / {name} switched to {car2}.",
    ),
    _t(
        "speaks-not",
        "direct",
        "{name} speaks {spoken}. / {name} speaks fluent {spoken}.",
        "{name} does not speak {spoken}. / {name} doesn't speak any {spoken}. / "
        "{name} can't speak {spoken}.",
    ),
    # health
    _t(
        "allergic",
        "direct",
        "{name} is allergic to {allergen}. / {name} has an allergy to {allergen}.",
        "{name} is not allergic to {allergen}. / {name} has no allergies. / "
        "{name} isn't allergic to {allergen}.",
    ),
    _t(
        "dose",
        "value",
        "{name} takes {dose} of {drug} a day. / {name} takes {dose} of {drug} daily. / "
        "{name}'s dose of {drug} is {dose}.",
        "{name} takes {dose2} of {drug} a day. / {name}'s dose of {drug} is {dose2}. / "
        "{name}'s {drug} dose is {dose2}.",
    ),
    _t(
        "doctor",
        "value",
        "{name}'s doctor is {doctor}. / {name}'s GP is {doctor}.",
        "{name}'s doctor is {doctor2}. / {name}'s GP is {doctor2} now.",
    ),
    _t(
        "smokes",
        "direct",
        "{name} smokes. / {name} is a smoker.",
        "{name} doesn't smoke. / {name} has quit smoking. / {name} no longer smokes. / "
        "{name} stopped smoking.",
    ),
    # work and projects
    _t(
        "deadline",
        "value",
        "The deadline for {project} is {date}. / {project} is due on {date}. / "
        "The {project} deadline is {date}.",
        "The deadline for {project} is {date2}. / {project} is due on {date2}. / "
        "The deadline for {project} moved to {date2}. / The deadline of {project} is now {date2}.",
    ),
    _t(
        "lead",
        "value",
        "{name} leads {project}. / {name} is the lead of {project}. / "
        "The project lead for {project} is {name}.",
        "{name2} leads {project}. / {name2} is the lead of {project}. / "
        "{name2} now leads {project}. / The project lead for {project} is {name2}.",
    ),
    _t(
        "budget",
        "value",
        "The budget for {project} is {budget}. / {project} has a budget of {budget}.",
        "The budget for {project} is {budget2}. / {project} has a budget of {budget2}. / "
        "The budget of {project} was raised to {budget2}. / {project}'s budget is {budget2}.",
    ),
    _t(
        "decision-db",
        "value",
        "We decided to use {db} for {service}. / {service} uses {db} as its database. / "
        "The database of {service} is {db}.",
        "We decided to use {db2} for {service} instead. / {service} uses {db2} as its database. / "
        "The database of {service} is {db2}. / We switched {service} from {db} to {db2}.",
    ),
    _t(
        "written-in",
        "value",
        "{service} is written in {language}. / {service} is implemented in {language}.",
        "{service} is written in {language2}. / {service} was rewritten in {language2}. / "
        "{service} is implemented in {language2}.",
    ),
    _t(
        "approved",
        "direct",
        "{project} was approved. / {project} has been approved. / The board approved {project}.",
        "{project} was rejected. / {project} was not approved. / The board rejected {project}.",
    ),
    _t(
        "launch",
        "value",
        "{project} launches on {date}. / The launch of {project} is on {date}. / "
        "{project} ships on {date}.",
        "{project} launches on {date2}. / The launch of {project} is on {date2}. / "
        "The launch of {project} was moved to {date2}.",
    ),
    _t(
        "team-size",
        "value",
        "{team} has {number} members. / There are {number} people on {team}.",
        "{team} has {number2} members. / There are {number2} people on {team}. / "
        "{team} consists of {number2} people.",
    ),
    # software
    _t(
        "flag-state",
        "direct",
        "{flag} is enabled. / {flag} is turned on. / {flag} is on by default.",
        "{flag} is disabled. / {flag} is turned off. / {flag} is not enabled. / "
        "{flag} has been disabled.",
    ),
    _t(
        "timeout",
        "value",
        "The timeout of {service} is {seconds}. / {service} times out after {seconds}. / "
        "The timeout for {service} is set to {seconds}.",
        "The timeout of {service} is {seconds2}. / {service} times out after {seconds2}. / "
        "The timeout for {service} is now {seconds2}.",
    ),
    _t(
        "port",
        "value",
        "{service} listens on port {port}. / {service} runs on port {port}. / "
        "The port of {service} is {port}.",
        "{service} listens on port {port2}. / {service} runs on port {port2}. / "
        "The port of {service} is {port2}.",
    ),
    _t(
        "version",
        "value",
        "{host} runs Python {version}. / The Python version on {host} is {version}.",
        "{host} runs Python {version2}. / {host} was upgraded to Python {version2}. / "
        "The Python version on {host} is {version2}.",
    ),
    _t(
        "supports",
        "direct",
        "{service} supports {feature}. / {service} has support for {feature}.",
        "{service} does not support {feature}. / {service} doesn't support {feature} yet. / "
        "{service} lacks support for {feature}. / {service} has no support for {feature}.",
    ),
    _t(
        "region",
        "value",
        "{service} is deployed in {region}. / {service} is hosted in {region}.",
        "{service} is deployed in {region2}. / {service} is hosted in {region2}. / "
        "{service} was migrated to {region2}.",
    ),
    _t(
        "upload-limit",
        "value",
        "The upload limit is {size}. / The maximum upload size is {size}. / "
        "Uploads are limited to {size}.",
        "The upload limit is {size2}. / The maximum upload size is {size2}. / "
        "The upload limit was raised to {size2}. / Uploads are limited to {size2}.",
    ),
    _t(
        "allowed",
        "direct",
        "Force pushes to main are allowed. / Deploying on Fridays is allowed. / "
        "Pets are allowed in the office.",
        "Force pushes to main are forbidden. / Deploying on Fridays is not allowed. / "
        "Pets are not allowed in the office. / Pets are prohibited in the office.",
    ),
    _t(
        "required",
        "direct",
        "A review is required before merging. / Code review is mandatory.",
        "A review is not required before merging. / Code review is optional. / "
        "A review is optional before merging.",
    ),
    # schedules, places, prices
    _t(
        "meeting-time",
        "value",
        "{meeting} is at {time}. / {meeting} starts at {time}. / "
        "{meeting} is scheduled for {time}.",
        "{meeting} is at {time2}. / {meeting} starts at {time2}. / "
        "{meeting} was moved to {time2}. / {meeting} has been rescheduled to {time2}.",
    ),
    _t(
        "meeting-day",
        "value",
        "{meeting} is on {day}. / {meeting} takes place on {day}s. / {meeting} is every {day}.",
        "{meeting} is on {day2}. / {meeting} takes place on {day2}s. / "
        "{meeting} is every {day2}. / "
        "{meeting} is on {day2}s now.",
    ),
    _t(
        "open",
        "direct",
        "{shop} is open on Sundays. / {shop} is open.",
        "{shop} is closed on Sundays. / {shop} is not open on Sundays. / {shop} is closed.",
    ),
    _t(
        "closes",
        "value",
        "{shop} closes at {time}. / {shop} opens at {time}.",
        "{shop} closes at {time2}. / {shop} opens at {time2}. / {shop} closes at {time2} now.",
    ),
    _t(
        "price",
        "value",
        "{item} costs {price}. / The price of {item} is {price}. / {item} is {price}.",
        "{item} costs {price2}. / The price of {item} is {price2}. / "
        "The price of {item} went up to {price2}. / {item} now costs {price2}.",
    ),
    _t(
        "located",
        "value",
        "The head office of {company} is in {city}. / {company}'s headquarters are in {city}. / "
        "{company} is headquartered in {city}.",
        "The head office of {company} is in {city2}. / {company}'s headquarters are in {city2}. / "
        "{company} is headquartered in {city2}.",
    ),
    _t(
        "owner",
        "value",
        "{name} owns {object}. / {object} belongs to {name}. / The owner of {object} is {name}.",
        "{name2} owns {object}. / {object} belongs to {name2}. / The owner of {object} is {name2}.",
    ),
    _t(
        "keys",
        "value",
        "The spare key is in the kitchen drawer. / The spare key is under the blue pot.",
        "The spare key is at the neighbour's. / The spare key is in the garage.",
    ),
    # two states at one time
    _t(
        "there-then",
        "temporal",
        "{name} was in {city} on {date}, 2023. / On {date}, 2023 {name} was in {city}. / "
        "{name} spent {date}, 2023 in {city}.",
        "{name} was in {city2} on {date}, 2023. / On {date}, 2023, {name} was in {city2}.",
    ),
    _t(
        "worked-then",
        "temporal",
        "{name} worked at {company} from 2015 to 2023. / "
        "From 2015 until 2023 {name} worked for {company}.",
        "{name} worked at {company2} in {recent}. / In {recent}, {name} worked for {company2}. / "
        "{name} worked at {company2} from 2016 to 2022.",
    ),
    _t(
        "lived-then",
        "temporal",
        "{name} lived in {city} in {recent}. / In {recent} {name} was living in {city}.",
        "{name} lived in {city2} in {recent}. / In {recent}, {name} lived in {city2}. / "
        "In {recent} {name} was living in {city2}.",
    ),
    _t(
        "same-slot",
        "temporal",
        "On {day} at {time} {name} has a call with {company}. / "
        "{name} is in {city} on {day} at {time}.",
        "On {day} at {time} {name} is on a flight to {city2}. / "
        "{name} is in {city2} on {day} at {time}.",
    ),
    _t(
        "on-leave",
        "temporal",
        "{name} was on parental leave in {month} 2023. / {name} was on leave all {month} 2023.",
        "{name} was working full time in {month} 2023. / "
        "{name} was at work every day in {month} 2023.",
    ),
    # one says it more exactly
    _t(
        "lives-within",
        "granularity",
        "{name} lives in {cityland}. / {name} is based in {cityland}.",
        "{name} lives in {cityland:2}. / {name} is based in {cityland:2}.",
    ),
    _t(
        "office-within",
        "granularity",
        "The new office is in {cityland:2}. / The conference takes place in {cityland:2}.",
        "The new office is in {cityland}. / The conference takes place in {cityland}.",
    ),
)

NEAR_MISSES: tuple[Template, ...] = (
    # another entity
    _t("other-home", None, "{name} lives in {city}.", "{name2} lives in {city2}."),
    _t(
        "other-job",
        None,
        "{name} works at {company}. / {name} is a {role}.",
        "{name2} works at {company2}. / {name2} is a {role2}.",
    ),
    _t(
        "other-deadline",
        None,
        "The deadline for {project} is {date}.",
        "The deadline for {project2} is {date2}.",
    ),
    _t("other-price", None, "{item} costs {price}.", "{item2} costs {price2}."),
    _t(
        "other-timeout",
        None,
        "The timeout of {service} is {seconds}.",
        "The timeout of {service2} is {seconds2}.",
    ),
    _t(
        "relative",
        None,
        "{name} lives in {city}. / I live in {city}.",
        "{name}'s sister lives in {city2}. / My sister lives in {city2}.",
    ),
    _t("other-like", None, "{name} likes {food}.", "{name2} hates {food}."),
    _t("other-flag", None, "{flag} is enabled.", "{flag2} is disabled."),
    _t("other-host", None, "{flag} is enabled on staging.", "{flag} is disabled in production."),
    _t(
        "other-allergy",
        None,
        "{name} is allergic to {allergen}.",
        "{name2} is not allergic to {allergen}.",
    ),
    _t("twins", None, "Ana and Bea are twins; Ana studies law.", "Bea studies medicine."),
    # another attribute
    _t(
        "other-attribute",
        None,
        "{name} lives in {city}.",
        "{name} was born in {city2}. / {name} works in {city2}. / {name} is visiting {city2}.",
    ),
    _t("start-end", None, "{shop} opens at {time}.", "{shop} closes at {time2}."),
    _t(
        "budget-spent",
        None,
        "The budget for {project} is {budget}.",
        "We have spent {budget2} on {project}.",
    ),
    _t("role-hobby", None, "{name} is a {role}.", "{name} loves {hobby}. / {name} is very tall."),
    _t(
        "is-two-things",
        None,
        "{name} is a {role}.",
        "{name} is left-handed. / {name} is a mother of two. / {name} is a good cook.",
    ),
    _t("date-time", None, "{meeting} is on {day}.", "{meeting} is at {time}."),
    # many values
    _t("likes-both", None, "{name} likes {food}.", "{name} likes {food2}. / {name} hates {food2}."),
    _t(
        "has-both", None, "{name} has {pet}. / I have {pet}.", "{name} has {pet2}. / I have {pet2}."
    ),
    _t("speaks-both", None, "{name} speaks {spoken}.", "{name} speaks {spoken2}."),
    _t(
        "visited-both",
        None,
        "{name} visited {city}. / {name} has been to {city}.",
        "{name} visited {city2}. / {name} has been to {city2}.",
    ),
    _t(
        "uses-both",
        None,
        "We use {language} for scripts. / {name} knows {language}.",
        "We use {language2} for services. / {name} knows {language2}.",
    ),
    _t(
        "allergic-both",
        None,
        "{name} is allergic to {allergen}.",
        "{name} is allergic to {allergen2}.",
    ),
    _t(
        "supports-both",
        None,
        "{service} supports {feature}.",
        "{service} supports {feature2}. / {service} does not support {feature2}.",
    ),
    _t(
        "reads-both",
        None,
        "{name} has read {book}. / {name} is reading {book}.",
        "{name} has read {book2}.",
    ),
    _t("plays-both", None, "{name} plays the {instrument}.", "{name} plays the {instrument2}."),
    _t(
        "members-both",
        None,
        "{name} is on {team}. / {name} works on {project}.",
        "{name2} is on {team}. / {name2} works on {project}.",
    ),
    # refinements
    _t(
        "finer-home",
        None,
        "{name} lives in Norway.",
        "{name} lives in Oslo, Norway. / {name} lives in Norway, near the coast.",
    ),
    _t(
        "finer-pet",
        None,
        "{name} has a dog.",
        "{name} has a brown dog. / {name} has a dog named Rex.",
    ),
    _t(
        "finer-role",
        None,
        "{name} is an engineer.",
        "{name} is a senior engineer. / {name} is an engineer at {company}.",
    ),
    _t("finer-time", None, "{meeting} is on {day}.", "{meeting} is on {day} at {time}."),
    _t("finer-date", None, "{meeting} is in {dateland:2}.", "{meeting} is on {dateland}."),
    _t(
        "finer-like",
        None,
        "{name} likes {food}.",
        "{name} likes {food} a lot. / {name} likes {food}, especially on pizza.",
    ),
    # amounts that add up
    _t(
        "grew-books",
        None,
        "{name} has read 3 books this year. / {name} has run 2 races.",
        "{name} has read 5 books so far this year. / {name} has run 4 races so far.",
    ),
    _t(
        "ran",
        None,
        "{name} ran 5 km on {day}. / I ran 5 km today.",
        "{name} ran 10 km on {day2}. / I ran 8 km yesterday.",
    ),
    _t(
        "bought",
        None,
        "{name} bought {number} apples at the market.",
        "{name} bought {number2} apples yesterday.",
    ),
    _t(
        "scored",
        None,
        "{name} scored {few} goals against Leeds.",
        "{name} scored {few2} goals against Porto.",
    ),
    # the same in other words
    _t(
        "paraphrase-home",
        None,
        "{name} lives in {city}. / {name} is based in {city}.",
        "{city} is where {name} lives. / {name}'s home is {city}. / {name} still lives in {city}.",
    ),
    _t(
        "paraphrase-like",
        None,
        "{name} loves {food}. / {name} does not dislike {food}.",
        "{name} really likes {food}. / {name} is a big fan of {food}.",
    ),
    _t(
        "paraphrase-time",
        None,
        "{meeting} is at 3 pm.",
        "{meeting} is at 15:00. / {meeting} starts at three in the afternoon.",
    ),
    _t(
        "paraphrase-amount",
        None,
        "The timeout of {service} is 2 minutes.",
        "{service} times out after 120 seconds. / The timeout of {service} is 120 seconds.",
    ),
    _t(
        "paraphrase-flag",
        None,
        "{flag} is enabled.",
        "{flag} is turned on. / {flag} is not disabled.",
    ),
    # other times
    _t(
        "trips",
        None,
        "{name} went to {city} in {month}. / I went to {city} in {month}.",
        "{name} went to {city2} in {month2}. / I went to {city2} in {month2}.",
    ),
    _t(
        "eras",
        None,
        "{name} worked at {company} from 2012 to 2015.",
        "{name} worked at {company2} from 2016 to 2020. / {name} has worked at {company2} since "
        "2021.",
    ),
    _t(
        "used-to",
        None,
        "{name} lives in {city}.",
        "{name} used to live in {city2}. / {name} grew up in {city2}.",
    ),
    _t("other-day", None, "On {day} {name} is in {city}.", "On {day2} {name} is in {city2}."),
    _t(
        "dinner",
        None,
        "{name} had {food} for dinner yesterday. / I watched {film} last night.",
        "{name} had {food2} for dinner today. / I watched {film2} tonight.",
    ),
    _t("last-year-price", None, "In 2019 {item} cost {price}.", "In 2023 {item} cost {price2}."),
    # other conditions
    _t(
        "conditions",
        None,
        "At work {name} drinks coffee. / In winter {name} wakes up at seven.",
        "At home {name} drinks tea. / In summer {name} wakes up at five.",
    ),
    _t(
        "plan-limits",
        None,
        "The upload limit is {size} on the free plan.",
        "The upload limit is {size2} on the business plan.",
    ),
    _t(
        "weekdays",
        None,
        "{shop} closes at 6 pm on weekdays.",
        "{shop} closes at 2 pm on Saturdays.",
    ),
    # no assertion at all
    _t(
        "question",
        None,
        "{name} lives in {city}.",
        "Does {name} live in {city2}? / Where does {name} live now?",
    ),
    _t(
        "hypothetical",
        None,
        "{name} lives in {city}. / {meeting} is at {time}.",
        "If {name} lived in {city2}, the commute would be short. / Maybe {name} could move to "
        "{city2}. / {name} might move to {city2} next year.",
    ),
    _t(
        "wish",
        None,
        "I live in {city}. / {name} works at {company}.",
        "I wish I lived in {city2}. / {name} would love to work at {company2}. / "
        "I want to live in {city2} one day.",
    ),
    _t(
        "quoted",
        None,
        "{name} lives in {city}.",
        "{name2} asked whether {name} lives in {city2}. / "
        "{name2} joked that {name} lives in {city2}.",
    ),
    _t(
        "request",
        None,
        "The deadline for {project} is {date}.",
        "Please remind me about {project} on {date2}. / Let's discuss {project} on {date2}.",
    ),
    _t(
        "same-words",
        None,
        "The red team beat the blue team on Monday. / {name} gave {name2} a book.",
        "The blue team beat the red team on Friday. / {name2} gave {name} a pen.",
    ),
    _t(
        "chat",
        None,
        "Wow, that sounds great {name}! I went hiking with the kids and we had so much fun.",
        "Hey {name}! I was at the beach with the kids, it was so relaxing. How are you?",
    ),
)


def pairs(templates: tuple[Template, ...], count: int, seed: str = SEED) -> Iterator[Pair]:
    """`count` pairs, each template in turn; the same for one seed."""
    draw = random.Random(seed)
    for index in range(count):
        at = index % len(templates)
        template = templates[at]
        old, new = draw.choice(template.olds), draw.choice(template.news)
        old, new = _matching(template, old, new, draw)
        filled = _filled(old, new, draw)
        yield Pair(*filled, template.type, template.name, held_out=at % 3 == 2)


def _matching(template: Template, old: str, new: str, draw: random.Random) -> tuple[str, str]:
    """A pair of wordings that are about the same: with one set of subjects, and one verb."""
    for _ in range(60):
        subjects = {"{name}", "{meeting}", "{shop}", "{project}", "{service}", "{team}"}
        in_old = {slot for slot in subjects if slot in old}
        in_new = {slot for slot in subjects if slot in new or slot.replace("}", "2}") in new}
        if (in_old == in_new and _topic(old) == _topic(new)) or template.type is None:
            return old, new
        old, new = draw.choice(template.olds), draw.choice(template.news)
    return old, new


_TOPICS = (
    "opens",
    "closes",
    "Force",
    "Deploying",
    "Pets",
    "A review",
    "office",
    "conference",
    "Sundays",
    "bicycle",
    "Code review",
    "My favo",
    "On {day} at {time} {name} has",
)


def _topic(text: str) -> tuple[str, ...]:
    return tuple(topic for topic in _TOPICS if topic in text)


def _filled(old: str, new: str, draw: random.Random) -> tuple[str, str]:
    values: dict[str, str] = {}
    for slot in sorted(set(re.findall(r"{([a-z]+?)(?:2|:2)?}", old + new))):
        first, second = draw.sample(SLOTS[slot], 2)
        if "|" in first:
            fine, coarse = first.split("|")
            values |= {f"{{{slot}}}": fine, f"{{{slot}:2}}": coarse}
        else:
            values |= {f"{{{slot}}}": first, f"{{{slot}2}}": second}
    return _spelled(old, values), _spelled(new, values)


def _spelled(text: str, values: dict[str, str]) -> str:
    for slot, value in values.items():
        text = text.replace(slot, value)
    text = text.replace("The the ", "The ").replace("the the ", "the ")
    return text[:1].upper() + text[1:]
