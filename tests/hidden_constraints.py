"""Generated cases of a constraint that a plan must not forget, over several domains.

Of every domain a part of the wordings is held out: the rules were written looking
at the others alone. A case is a constraint, a cue that shares no content word with
it, and options of which some violate it, mostly under another name.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

PEOPLE = ("Dana", "Priya", "Marcus", "Yuki", "Omar", "Ingrid", "Tomas", "Leila")


@dataclass(frozen=True)
class Domain:
    """Wordings of one domain; `known` are kinds that the memory was told of."""

    name: str
    constraints: tuple[str, ...]
    goals: tuple[str, ...]
    violating: tuple[str, ...]
    clean: tuple[str, ...]
    known: tuple[tuple[str, str], ...] = ()
    constraint_class: tuple[str, ...] = ()
    held_out: bool = False


@dataclass(frozen=True)
class Case:
    """One case: what is remembered, what is asked, and which options are which."""

    domain: Domain
    constraint: str
    others: tuple[str, ...]
    goal: str
    violating: tuple[str, ...]
    clean: tuple[str, ...]
    known: tuple[tuple[str, str], ...] = field(default=())


DOMAINS = (
    Domain(
        "peanuts",
        (
            "{p} is allergic to peanuts",
            "{p} has a severe peanut allergy",
            "Peanuts are dangerous for {p}: anaphylaxis",
            "{p} can't eat peanuts",
        ),
        (
            "Suggest a Thai restaurant menu for {p}",
            "What should I cook for {p} tonight?",
            "Recommend a snack to bring to {p}",
        ),
        (
            "Chicken satay with jasmine rice",
            "Pad thai from the corner place",
            "Gado-gado with extra sauce",
            "Groundnut stew",
        ),
        (
            "Green papaya salad with lime",
            "Tom yum soup with mushrooms",
            "Peanut-free spring rolls",
            "Steamed rice and vegetables",
        ),
        (("gado-gado", "peanut dish"), ("peanut dish", "peanuts")),
        ("safety",),
    ),
    Domain(
        "shellfish",
        (
            "{p} gets hives from shellfish and must avoid it",
            "Allergy: {p} cannot have shellfish",
            "{p} must not eat shellfish",
        ),
        ("Plan a dinner for {p} by the sea", "Which dish should we order for {p}?"),
        ("Grilled prawns with garlic", "Paella de mar", "Lobster bisque", "Crab cakes"),
        ("Mushroom risotto", "Roast chicken with lemon", "Vegetable paella without shellfish"),
        (("paella de mar", "shellfish"),),
        ("safety", "policy", "preference"),
    ),
    Domain(
        "red meat",
        (
            "{p} avoids red meat",
            "{p} does not eat red meat",
            "No red meat for {p}, doctor's orders",
        ),
        ("Pick a main course for {p}", "Suggest a barbecue menu for {p}"),
        ("Grilled ribeye with fries", "Lamb kofta skewers", "Beef tacos", "Bulgogi bowl"),
        ("Grilled salmon", "Portobello burger without beef", "Chicken skewers"),
        (("bulgogi", "beef"),),
        ("preference", "policy", "safety"),
    ),
    Domain(
        "vegan",
        ("{p} is vegan", "{p} has been strictly vegan for years", "{p} only eats vegan food"),
        ("Choose a birthday cake for {p}", "What can I serve {p} for brunch?"),
        (
            "Cheese omelette with chives",
            "Honey cake with walnuts",
            "Smoked salmon bagel",
            "Halloumi fries",
        ),
        (
            "Tofu scramble",
            "Lentil soup",
            "Chocolate cake made with oat milk, dairy-free and egg-free",
        ),
        (),
        ("preference",),
    ),
    Domain(
        "budget",
        (
            "{p}'s ceiling for gadgets is 500 dollars",
            "Budget: no more than $500 for electronics",
            "We can spend at most 500 USD on hardware",
            "Do not spend over five hundred dollars on a device",
        ),
        (
            "Suggest a laptop to buy for {p}",
            "Which tablet would you recommend?",
            "Recommend a phone",
        ),
        ("ThinkPad X1 for 750 dollars", "MacBook Air, $1,099", "Zenbook at USD 0.8k"),
        ("Acer Aspire for 430 dollars", "Refurbished Dell, $289.99", "Chromebook at 199 USD"),
        (),
        ("cost",),
    ),
    Domain(
        "hotel",
        (
            "Hotels must stay under 180 euros a night",
            "Maximum for accommodation: 180 EUR per night",
        ),
        ("Where should we sleep in Lisbon?", "Recommend a place to stay in Porto"),
        ("Grand Plaza, 240 euros per night", "Villa Rosa at EUR 1,500 a week"),
        ("Casa Azul, 120 euros a night", "Pensao Luz, EUR 700 a week"),
        (),
        ("cost",),
    ),
    Domain(
        "memory size",
        (
            "The training job requires at least 16 GB of RAM",
            "Our build needs a minimum of 16 GB RAM",
        ),
        ("Which machine should we rent for the model?", "Recommend a server for our compile farm"),
        ("c5.large with 4 GB RAM", "Mini PC, 8192 MB of RAM, 1 TB disk"),
        ("r5.xlarge with 32 GB of RAM", "Workstation with 65536 MB RAM"),
        (),
        ("compatibility",),
    ),
    Domain(
        "connector",
        (
            "The dock only works with USB-C",
            "Our projector requires HDMI",
            "The new motherboard only takes DDR5",
        ),
        ("Which laptop should I get for the office desk?", "Recommend parts for the upgrade"),
        (),
        (),
        (),
        ("compatibility",),
    ),
    Domain(
        "python",
        ("The billing service requires Python 3.11", "Billing must run on Python 3.11"),
        ("Pick a base image for invoices", "Which container image suits the invoicing backend?"),
        ("debian-slim with Python 3.9", "legacy runtime, Python 2.7"),
        ("alpine with Python 3.11.4", "bookworm image, Python 3.11"),
        (),
        ("compatibility",),
    ),
    Domain(
        "dates",
        ("{p} is on leave from 3 to 9 June", "{p} is away between 3 June and 9 June"),
        ("Plan a workshop with {p}", "Suggest a day for the review with {p}"),
        ("Workshop on 5 June in the big room", "June 8th at 10:00"),
        ("Session on 12 June", "May 28 in the morning"),
        (),
        ("time",),
    ),
    Domain(
        "deadline",
        (
            "The grant report must be submitted no later than 3 June",
            "Deadline for the grant report: 3 June",
        ),
        (
            "Make a schedule for the funding paperwork",
            "Plan when to send the foundation its documents",
        ),
        ("Send everything on 10 June", "Finish on June 15"),
        ("Send everything on 28 May", "Finish by 1 June"),
        (),
        ("time", "policy"),
    ),
    Domain(
        "medication",
        (
            "{p} must not take NSAIDs",
            "{p} can't take ibuprofen or other NSAIDs because of an ulcer",
            "NSAIDs are dangerous for {p}",
        ),
        ("What helps {p} against a headache?", "Recommend something for {p}'s back pain"),
        ("Two Advil tablets", "Naproxen 250 mg", "Voltaren pills"),
        ("Paracetamol 500 mg", "A heat pack and rest"),
        (("voltaren", "diclofenac"),),
        ("safety",),
    ),
    Domain(
        "licence",
        (
            "GPL code is not allowed in the product",
            "Never ship GPL libraries",
            "Legal: we must not use GPL dependencies",
        ),
        ("Which parser should we adopt?", "Recommend a chart component for the app"),
        ("libgraph (GPLv3)", "fastparse under the AGPL"),
        ("plotlite, MIT", "parsekit under Apache-2.0"),
        (),
        ("policy",),
    ),
    Domain(
        "friday",
        ("Never deploy on Fridays", "No releases on Fridays", "We do not deploy on Fridays"),
        ("When should version two go live?", "Suggest a slot for the rollout"),
        ("Friday at 16:00", "2026-06-05 in the morning"),
        ("Tuesday at 10:00", "2026-06-03 in the morning"),
        (),
        ("policy", "time"),
    ),
    Domain(
        "group size",
        ("The boat takes no more than 8 people", "At most 8 guests can board the boat"),
        ("Plan the lake trip", "Suggest a crew for the sailing afternoon"),
        ("All twelve people from the office", "10 guests and a skipper"),
        ("A group of 6 people", "Seven guests"),
        (),
        ("policy",),
    ),
    Domain(
        "database",
        ("All services must use Postgres", "Everything has to run on Postgres"),
        ("Which storage should the order system get?", "Recommend a backend for the new shop"),
        ("A MySQL cluster", "MongoDB Atlas", "CockroachX nodes"),
        ("Managed Postgres 15", "Postgres on a VM"),
        (("cockroachx", "database"), ("postgres", "database")),
        ("policy", "compatibility"),
    ),
    # -- held out at first, until their figures were taken ---------------------------
    Domain(
        "sesame",
        (
            "Remember that {p} reacts badly to sesame",
            "{p}: sesame allergy, carries an EpiPen",
            "Sesame is off limits for {p}",
        ),
        ("Suggest a mezze plate for {p}", "What should I bring to {p}'s picnic?"),
        ("Hummus and warm pita", "Falafel with tahini dressing", "Benne wafers"),
        ("Stuffed vine leaves", "Olives and feta", "Sesame-free flatbread"),
        (("benne wafers", "sesame biscuit"), ("sesame biscuit", "sesame")),
        ("safety", "policy"),
    ),
    Domain(
        "gluten",
        ("{p} was diagnosed with coeliac disease", "{p} is coeliac", "{p} needs gluten-free meals"),
        ("Which lunch should I pack for {p}?", "Pick a bakery treat for {p}"),
        ("Barley salad with herbs", "Croissant with jam", "Seitan wrap"),
        ("Rice salad with herbs", "Gluten-free brownie", "Quinoa bowl"),
        (),
        ("safety", "preference", "policy"),
    ),
    Domain(
        "alcohol",
        ("{p} doesn't drink alcohol", "{p} is teetotal", "Please serve no alcohol to {p}"),
        ("Choose a toast for {p}'s promotion", "What gift basket suits {p}?"),
        ("A bottle of prosecco", "Gin tasting set", "Limoncello duo"),
        ("Sparkling elderflower", "Alcohol-free wine", "Tea selection"),
        (("limoncello", "liqueur"),),
        ("preference", "policy"),
    ),
    Domain(
        "cat",
        (
            "Lilies are toxic to our cat",
            "No lilies in the house because of the cat",
            "Keep lilies away: they are poisonous for the cat",
        ),
        ("Recommend a bouquet for the living room", "What should I plant on the balcony?"),
        ("White lilies in a vase", "Stargazer stems"),
        ("Orchids in a pot", "Sunflowers"),
        (("stargazer", "lily"),),
        ("safety", "policy"),
    ),
    Domain(
        "subscription",
        ("Software may not cost more than 40 dollars a month", "Cap for tools: 40 USD per month"),
        ("Which design app should we get?", "Recommend a project tracker"),
        ("Figmatic at 65 dollars a month", "TrackPro, 600 USD per year"),
        ("Boardly at 12 dollars a month", "Listr, 240 USD per year"),
        (),
        ("cost", "policy"),
    ),
    Domain(
        "luggage",
        (
            "Carry-on bags must weigh less than 10 kg",
            "The airline allows at most 10 kg of hand luggage",
        ),
        ("What should I take on the plane?", "Pick a suitcase for the flight"),
        ("Hard shell packed to 12 kg", "Duffel, 14,000 g when full"),
        ("Backpack of 7 kg", "Soft bag, 9500 g when full"),
        (),
        ("policy",),
    ),
    Domain(
        "mornings",
        ("{p} is not available before 10:30", "No calls with {p} before 10:30"),
        ("Book a meeting with {p}", "Find a time to talk to {p}"),
        ("Tuesday at 9:00", "8:15 am on Thursday"),
        ("Tuesday at 11:00", "2 pm on Thursday"),
        (),
        ("time", "policy"),
    ),
    Domain(
        "node",
        ("The frontend needs Node 18 or newer", "Frontend: Node >= 18 required"),
        ("Choose a CI runner for the web client", "Which build agent fits the website?"),
        ("Runner with Node 16", "Agent image, Node 14.2"),
        ("Runner with Node 20", "Agent image, Node 18.3"),
        (),
        ("compatibility",),
    ),
    Domain(
        "secrets",
        (
            "Never put API keys in the repository",
            "API keys must not be committed to the repository",
        ),
        (
            "How should the bot authenticate? Suggest a setup",
            "Recommend where to keep the bot's configuration",
        ),
        ("Commit the API keys with the code in the repository",),
        ("Read the values from a vault at start",),
        (),
        ("safety", "policy"),
    ),
    Domain(
        "seat",
        ("{p} flies only in aisle seats", "{p} must have an aisle seat"),
        ("Choose a place on the plane for {p}", "Which boarding option is best for {p}?"),
        ("14A, window seat", "22B, middle seat"),
        ("14C, aisle seat", "9D, aisle seat near the front"),
        (),
        ("preference", "policy", "compatibility"),
    ),
    Domain(
        "penicillin",
        ("{p} is allergic to penicillin", "Do not give {p} penicillin"),
        (
            "What can the doctor prescribe {p} for the infection?",
            "Suggest a treatment for {p}'s tooth abscess",
        ),
        ("Amoxicillin for seven days", "Augmentin 625"),
        ("Azithromycin for three days", "Clindamycin 300 mg"),
        (),
        ("safety",),
    ),
    Domain(
        "soy",
        (
            "{p} breaks out in a rash after eating soy",
            "{p} has to stay away from soy",
            "Soy makes {p} ill, so none of it please",
        ),
        ("Which lunch box would you suggest for {p}?", "Recommend a noodle bar order for {p}"),
        ("Mapo tofu with rice", "Edamame and cucumber bowl", "Yuba rolls"),
        ("Chicken noodle soup", "Rice with grilled vegetables", "Soy-free teriyaki bowl"),
        (("yuba", "soy product"),),
        ("safety", "policy", "preference"),
    ),
    Domain(
        "pork",
        ("{p} eats halal", "{p} never eats pork", "Pork is not an option for {p}"),
        ("Suggest a pizza for {p}", "What should the caterer prepare for {p}?"),
        ("Prosciutto and rocket", "Ham and pineapple", "Guanciale and onion"),
        ("Mushroom and olive", "Tuna and capers", "Grilled aubergine"),
        (("guanciale", "pork"),),
        ("preference", "policy"),
    ),
    Domain(
        "gift budget",
        (
            "Presents in our family are capped at 30 euros",
            "We agreed on a limit of thirty euros for presents",
            "Gifts: 30 euros at the very most",
        ),
        (
            "What could we wrap for grandfather's birthday?",
            "Recommend something nice for Aunt Rosa",
        ),
        ("A whisky decanter for 55 euros", "Headphones, 49.90 EUR"),
        ("A puzzle for 18 euros", "A scarf, 24.50 EUR"),
        (),
        ("cost", "policy"),
    ),
    Domain(
        "latency",
        (
            "The payment endpoint must answer within 200 ms",
            "Responses of the payment endpoint may take at most 200 ms",
        ),
        ("Which cache setup should checkout get?", "Suggest a fraud check for checkout"),
        ("Remote scoring, 350 ms", "Batch lookup, half a second"),
        ("Local rules, 40 ms", "Edge cache, 0.1 seconds"),
        (),
        ("policy", "time", "compatibility"),
    ),
    Domain(
        "wheelchair",
        (
            "{p} uses a wheelchair: the venue must be step-free",
            "Places where we meet {p} must be step-free",
        ),
        ("Pick a bar for a drink with {p}", "Where should we celebrate with {p}?"),
        ("Cellar jazz club, not step-free", "Rooftop terrace without step-free access"),
        ("Harbour cafe, step-free", "Museum bistro with step-free entrance"),
        (),
        ("policy", "safety"),
    ),
    Domain(
        "java",
        (
            "The reporting module does not run on Java 8; it requires Java 17",
            "Reporting needs at least Java 17",
        ),
        (
            "Choose a runtime for the statistics jobs",
            "Which base should the statistics container use?",
        ),
        ("Corretto, Java 11", "Old image with Java 8"),
        ("Temurin, Java 21", "Zulu image with Java 17"),
        (),
        ("compatibility",),
    ),
    Domain(
        "evening",
        (
            "{p} has to leave by 17:00",
            "Nothing after 5 pm with {p}",
            "{p} can't stay later than 17:00",
        ),
        ("Suggest a slot to see {p}", "When should we sit down with {p}?"),
        ("Wednesday at 18:30", "7 pm on Monday"),
        ("Wednesday at 14:00", "3 pm on Monday"),
        (),
        ("time", "policy"),
    ),
    Domain(
        "dog",
        ("Chocolate is poisonous for our dog", "Our dog must never get chocolate"),
        ("Pick a treat for Rex", "What can I put into the puppy's birthday cake?"),
        ("Brownie bites with cocoa and chocolate chips", "Ganache cubes"),
        ("Carrot sticks", "Pumpkin biscuits"),
        (("ganache", "chocolate"),),
        ("safety", "policy"),
    ),
    Domain(
        "monitor",
        ("The tablet only charges over USB-C", "Our meeting-room screen accepts HDMI only"),
        ("Recommend an accessory for the road", "Which cable should I pack for the talk?"),
        ("VGA adapter", "Micro-USB lead"),
        (),
        (),
        ("compatibility", "policy"),
    ),
    Domain(
        "statin",
        (
            "{p} takes warfarin and must avoid aspirin",
            "Aspirin is contraindicated for {p}",
            "{p} cannot take aspirin",
        ),
        ("What is good for {p}'s fever?", "Advise {p} on a remedy for toothache"),
        ("Aspirin 500 mg", "Disprin tablets"),
        ("Paracetamol 1 g", "Clove oil"),
        (("disprin", "aspirin"),),
        ("safety",),
    ),
    # -- held out: written last; no rule was changed for them -----------------------------
    Domain(
        "caffeine",
        (
            "Caffeine gives {p} palpitations",
            "{p} can only drink decaf",
            "{p} should stay off caffeine",
        ),
        ("What hot drink should I make {p}?", "Suggest something from the bar for {p}"),
        ("Double espresso", "Matcha bowl", "Guayusa infusion"),
        ("Camomile tea", "Decaf coffee", "Fresh mint tea"),
        (("guayusa", "caffeine drink"),),
        held_out=True,
    ),
    Domain(
        "eggs",
        ("{p} doesn't tolerate eggs", "Egg allergy: {p}", "Do not feed {p} anything with egg"),
        ("Plan a breakfast for {p}", "Which dessert would work for {p}?"),
        ("Spinach frittata", "Lemon meringue pie", "Tortilla de patatas"),
        ("Porridge with berries", "Fruit sorbet", "Egg-free waffles"),
        (("tortilla de patatas", "egg dish"),),
        held_out=True,
    ),
    Domain(
        "rent",
        (
            "Rent must not exceed 1,200 euros a month",
            "We are not going to pay more than 1.2k EUR per month in rent",
        ),
        ("Which flat should we take?", "Recommend an apartment near the office"),
        ("Two rooms by the river, 1,450 euros a month", "Loft at EUR 18,000 a year"),
        ("Garden studio, 980 euros a month", "Attic for EUR 13,200 a year"),
        (),
        held_out=True,
    ),
    Domain(
        "weight",
        ("The shelf holds 15 kg at most", "Don't put more than 15 kg on the shelf"),
        ("What could go on the wall rack?", "Choose an aquarium for the study"),
        ("Glass tank, 22 kg when filled", "Steel case of 18000 g"),
        ("Nano tank, 9 kg when filled", "Acrylic box of 12500 g"),
        (),
        held_out=True,
    ),
    Domain(
        "monday",
        ("{p} does not work on Mondays", "No appointments with {p} on Mondays"),
        ("Set up a session with {p}", "Suggest a date for the handover to {p}"),
        ("Monday at 11:00", "2026-06-08 after lunch"),
        ("Thursday at 11:00", "2026-06-10 after lunch"),
        (),
        held_out=True,
    ),
    Domain(
        "browser",
        (
            "The customer's machines need at least Windows 10",
            "Their tool only supports Windows 10",
        ),
        (
            "Which client build do we ship to the customer?",
            "Recommend a workstation image for the customer",
        ),
        ("Image based on Windows 7", "macOS build"),
        ("Build for Windows 10", "Windows 10 image, hardened"),
        (),
        held_out=True,
    ),
    Domain(
        "cloud",
        ("Customer data must stay in the EU", "Patient records may not leave Germany"),
        ("Where should we put the archive?", "Recommend a region for the backups"),
        (),
        (),
        (),
        held_out=True,
    ),
    Domain(
        "latex",
        ("{p} is sensitive to latex", "{p} has a latex allergy"),
        ("Choose gloves for {p}", "What should the first-aid kit for {p} hold?"),
        ("Latex gloves, box of 100", "Rubberdam set"),
        ("Nitrile gloves, latex-free", "Cotton bandages"),
        (("rubberdam", "latex"),),
        held_out=True,
    ),
)

DISTRACTORS = (
    "{q} is allergic to cats",
    "{q} can't eat gluten",
    "{q} does not drink coffee",
    "All pull requests must be reviewed by two people",
    "The server room must stay below 24 °C",
    "The lease deadline is 30 September",
    "Taxi rides may not cost more than 25 dollars",
    "The printer only works with A4 paper",
    "Never store customer data on laptops",
    "The elevator takes at most 4 people",
)
CHATTER = (
    "{p} enjoyed the concert in the park last weekend",
    "The team had lunch at the new ramen bar",
    "{p} is reading a novel about lighthouses",
    "We painted the kitchen wall light green",
    "The train to Basel was twenty minutes late",
    "{q} adopted a greyhound called Pip",
    "Our garden has three apple trees",
    "The quarterly numbers looked better than expected",
)


def cases(seed: str, count: int, *, held_out: bool) -> list[Case]:
    """Generated cases of the domains that are, or are not, held out; equal for equal seeds."""
    rng = random.Random(seed)
    domains = [one for one in DOMAINS if one.held_out == held_out and one.violating and one.clean]
    made = []
    for index in range(count):
        domain = domains[index % len(domains)]
        person, other = rng.sample(PEOPLE, 2)
        fill = {"p": person, "q": other}
        others = [*rng.sample(DISTRACTORS, 4), *rng.sample(CHATTER, 4)]
        rng.shuffle(others)
        violating = rng.sample(domain.violating, min(2, len(domain.violating)))
        clean = rng.sample(domain.clean, min(2, len(domain.clean)))
        made.append(
            Case(
                domain,
                rng.choice(domain.constraints).format(**fill),
                tuple(one.format(**fill) for one in others),
                rng.choice(domain.goals).format(**fill),
                tuple(violating),
                tuple(clean),
                domain.known,
            )
        )
    return made


def shared_words(case: Case) -> set[str]:
    """The words of four letters or more that cue and constraint share, names left out."""
    people = {name.lower() for name in PEOPLE}
    first, second = (
        set(re.findall(r"[a-z]{4,}", text.lower())) - people
        for text in (case.constraint, case.goal)
    )
    return (first & second) - {"should", "must", "with", "from", "more", "that"}
