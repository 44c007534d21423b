"""What can be known of whom in a made-up life, how it is said, asked for and corrected.

Each theme is filed as a sensible agent would: what holds for long as a stable fact,
what is of the day as an episode of little importance.
"""

from __future__ import annotations

from benchmarks.life import words
from benchmarks.life.theme import Theme, date, finding, hour, number, one, person

PERSON = (
    Theme(
        "job",
        ("{s} works as {job} at {company}.", "{s} is {job} with {company} these days."),
        ("Where does {s} work?", "What does {s} do for a living?", "Which company employs {s}?"),
        {"job": one(words.JOBS), "company": one(words.COMPANIES)},
        corrections=("Actually, {s} works as {job} at {company} now.",),
    ),
    Theme(
        "city",
        ("{s} lives in {city}.", "{s} has a flat in {city}."),
        ("Where does {s} live?", "Which city is {s} living in?", "{s}'s home town"),
        {"city": one(words.CITIES)},
        corrections=("Actually, {s} lives in {city}.", "{s} moved to {city}."),
    ),
    Theme(
        "birthday",
        ("{s}'s birthday is on {date}.", "{s} has a birthday on {date}."),
        ("When is {s}'s birthday?", "{s} birthday date", "On what day was {s} born?"),
        {"date": date},
    ),
    Theme(
        "partner",
        ("{s} is married to {name}.", "{s} lives together with {name}."),
        ("Who is {s}'s partner?", "Who is {s} together with?", "{s}'s husband or wife"),
        {"name": one(words.FIRST)},
    ),
    Theme(
        "food",
        ("{s} is allergic to {food}.", "{s} must not eat {food}."),
        ("What can {s} not eat?", "Does {s} have an allergy?", "{s} food allergy"),
        {"food": one(words.FOODS)},
        importance="high",
    ),
    Theme(
        "drink",
        ("{s} always orders {drink}.", "{s} likes {drink} best."),
        ("What does {s} like to drink?", "What should I order for {s}?", "{s}'s usual drink"),
        {"drink": one(words.DRINKS)},
        kind="preference",
    ),
    Theme(
        "pet",
        ("{s} has a {animal} called {pet}.", "The {animal} of {s} is named {pet}."),
        ("What is {s}'s pet called?", "Which animal does {s} keep?", "name of {s}'s pet"),
        {"animal": one(words.ANIMALS), "pet": one(words.PETS)},
    ),
    Theme(
        "car",
        ("{s} drives a {colour} {car}.", "{s} came in a {colour} {car}, their own."),
        ("What car does {s} drive?", "What does {s}'s car look like?", "{s} car"),
        {"colour": one(words.COLOURS), "car": one(words.CARS)},
        corrections=("Actually, {s} drives a {colour} {car} now.",),
        volatility="normal",
    ),
    Theme(
        "extension",
        ("{s}'s phone extension is {n}.", "{s} is reached at extension {n}."),
        ("What is {s}'s extension?", "How do I call {s} at work?", "{s} phone extension"),
        {"n": number(1000, 9999)},
        corrections=("{s}'s phone extension is not the old one but {n}.",),
        volatility="normal",
    ),
    Theme(
        "hobby",
        ("{s} spends the weekends {hobby}.", "{s} is fond of {hobby}."),
        ("What is {s}'s hobby?", "What does {s} do at weekends?", "{s} leisure"),
        {"hobby": one(words.HOBBIES)},
    ),
    Theme(
        "team",
        ("{s} is in the {team} team.", "{s} belongs to the {team} team."),
        ("Which team is {s} in?", "What team does {s} belong to?", "{s}'s team"),
        {"team": one(words.TEAMS)},
        corrections=("Actually, {s} is in the {team} team now.",),
    ),
    Theme(
        "language",
        ("{s} speaks {language} at home.", "{s} grew up with {language}."),
        (
            "What language does {s} speak?",
            "{s}'s mother tongue",
            "In what language is {s} at home?",
        ),
        {"language": one(words.LANGUAGES)},
    ),
    Theme(
        "met",
        ("I met {s} at {event}.", "{s} and I got to know each other at {event}."),
        ("Where did I meet {s}?", "How do I know {s}?", "first meeting with {s}"),
        {"event": one(words.EVENTS)},
        kind="episodic",
        importance="high",
    ),
)

PROJECT = (
    Theme(
        "owner",
        ("{person} leads the project {s}.", "The lead of {s} is {person}."),
        ("Who leads {s}?", "Who is responsible for the project {s}?", "lead of {s}"),
        {"person": person},
        corrections=("Actually, {person} leads the project {s} now.",),
    ),
    Theme(
        "deadline",
        ("The deadline of {s} is {date}.", "{s} is due on {date}."),
        ("When is {s} due?", "What is the deadline of {s}?", "{s} deadline"),
        {"date": date},
        corrections=("The deadline of {s} moved to {date}.",),
        volatility="normal",
    ),
    Theme(
        "client",
        ("{s} is built for {client}.", "The client of {s} is {client}."),
        ("Who is the client of {s}?", "For whom do we build {s}?", "{s} client"),
        {"client": one(words.CLIENTS)},
    ),
    Theme(
        "database",
        ("{s} stores its data in {tool}.", "The database of {s} is {tool}."),
        ("Which database does {s} use?", "Where does {s} store its data?", "{s} database"),
        {"tool": one(words.TOOLS)},
        corrections=("Actually, the database of {s} is {tool}.",),
    ),
    Theme(
        "budget",
        ("The budget of {s} is {n} thousand euros.", "{s} may cost {n} thousand euros."),
        ("What is the budget of {s}?", "How much may {s} cost?", "{s} budget"),
        {"n": number(12, 400)},
        corrections=("The budget of {s} is {n} thousand euros now.",),
    ),
    Theme(
        "slot",
        ("{s} meets every {day} at {hour}.", "The weekly meeting of {s} is on {day} at {hour}."),
        ("When does {s} meet?", "When is the weekly meeting of {s}?", "{s} meeting time"),
        {"day": one(words.WEEKDAYS), "hour": hour},
        corrections=("The weekly meeting of {s} is on {day} at {hour} now.",),
        volatility="normal",
    ),
    Theme(
        "repository",
        ("The code of {s} lives in git/{team}/{n}.", "{s} is in the repository git/{team}/{n}."),
        ("Where is the code of {s}?", "Which repository holds {s}?", "{s} repository"),
        {"team": one(words.TEAMS), "n": number(100, 999)},
    ),
    Theme(
        "decision",
        (
            "For {s} we decided on {tool} for the {component}, because {reason}.",
            "Decision in {s}: the {component} is built with {tool}; {reason}.",
        ),
        (
            "What did we decide for the {component} of {s}?",
            "What is the {component} of {s} built with?",
            "{s} {component} decision",
        ),
        {
            "tool": one(words.TOOLS),
            "component": one(words.COMPONENTS),
            "reason": one(words.REASONS),
        },
        asked=frozenset({"component"}),
        category="decision",
        importance="high",
    ),
    Theme(
        "contact",
        ("{person} looks after {component} questions in {s}.",),
        (
            "Whom do I ask about the {component} of {s}?",
            "Who looks after the {component} in {s}?",
            "{s} {component} contact",
        ),
        {"person": person, "component": one(words.COMPONENTS)},
        asked=frozenset({"component"}),
        volatility="normal",
    ),
)

THING = (
    Theme(
        "bought",
        ("The {s} was bought at {shop} for {n} euros.", "We paid {n} euros for the {s} at {shop}."),
        ("Where was the {s} bought?", "What did the {s} cost?", "{s} price and shop"),
        {"shop": one(words.SHOPS), "n": number(40, 2400)},
    ),
    Theme(
        "warranty",
        ("The warranty of the {s} runs until {date} 20{n}.", "The {s} is covered to {date} 20{n}."),
        ("How long does the warranty of the {s} run?", "{s} warranty", "Is the {s} still covered?"),
        {"date": date, "n": number(27, 33)},
    ),
    Theme(
        "part",
        ("The {s} takes the spare part {n}-{m}.", "Order part {n}-{m} for the {s}."),
        (
            "Which spare part does the {s} need?",
            "part number for the {s}",
            "What part fits the {s}?",
        ),
        {"n": number(100, 999), "m": number(10, 99)},
    ),
    Theme(
        "manual",
        ("The manual of the {s} is in {place}.", "The papers of the {s} are in {place}."),
        ("Where is the manual of the {s}?", "papers of the {s}", "Where did I put the {s} papers?"),
        {"place": one(words.PLACES)},
        corrections=("Actually, the manual of the {s} is in {place}.",),
        volatility="normal",
    ),
    Theme(
        "service",
        (
            "{person} from {company} services the {s}.",
            "The {s} is serviced by {person}, {company}.",
        ),
        ("Who services the {s}?", "Whom do I call when the {s} breaks?", "{s} repair contact"),
        {"person": person, "company": one(words.COMPANIES)},
        corrections=("Actually, {person} from {company} services the {s}.",),
    ),
)

TASK = Theme(
    "task",
    (
        "To {s}: {a}, then {b}, and finally {c}.",
        "How to {s}: first {a}; after that {b}; {c} at the end.",
    ),
    ("How do I {s}?", "What are the steps to {s}?", "steps: {s}"),
    {"a": one(words.STEPS), "b": one(words.STEPS), "c": one(words.STEPS)},
    kind="procedural",
    category="task_procedure",
)

ERROR = Theme(
    "error",
    (
        "When I {s} and get {error}, {fix} helps; {wrong} does not.",
        "{error} while trying to {s}: solved by {fix}, not by {wrong}.",
    ),
    (
        "What helps against {error} when I {s}?",
        "I {s} and see {error}, what now?",
        "{error} {s} solution",
    ),
    {"error": one(words.ERRORS), "fix": one(words.FIXES), "wrong": one(words.FIXES)},
    asked=frozenset({"error"}),
    kind="procedural",
    category="error_correction",
    importance="high",
)

PREFERENCE = Theme(
    "preference",
    ("For {s} {when} I prefer {a} to {b}.", "{when} I want {s} {a} rather than {b}."),
    ("What do I prefer for {s} {when}?", "How do I like {s} {when}?", "my preference: {s} {when}"),
    {},
    kind="preference",
    category="user_preference",
)

FINDING = Theme(
    "finding",
    (
        "Read that {s} in {t} {finding}.",
        "According to a study, {s} {finding}, at least with {t}.",
        "Measured with {t}: {s} {finding}.",
    ),
    ("What do I know about {s} and {t}?", "findings on {s} with {t}", "{s} {t}"),
    {"finding": finding},
    category="research_finding",
)

FACT = Theme(
    "fact",
    ("{s} in {city} is closed on {day}.", "On {day} {s} in {city} does not open."),
    ("When is {s} in {city} closed?", "closing day of {s} in {city}", "Is {s} in {city} open?"),
    {"day": one(words.WEEKDAYS)},
    category="external_fact",
    volatility="normal",
)

APPOINTMENT = Theme(
    "appointment",
    ("{s} with {person} on {date} at {hour}.", "On {date} at {hour}: {s} with {person}."),
    ("When is the {s} with {person}?", "date of the {s} with {person}", "{s} {person}"),
    {"date": date, "hour": hour},
    kind="episodic",
    importance="high",
    corrections=("The {s} with {person} moved to {date} at {hour}.",),
)
