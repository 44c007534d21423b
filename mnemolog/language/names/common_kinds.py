"""What everyday things are, as anybody knows: kinds that need no memory to be told of them.

Small on purpose: what allergies, diets, medicine, licences and computers are most often
about. What a memory knows itself comes first and reaches further. A compound
that is not what its last word says ('almond milk' is no dairy) stands here
under its own name.
"""

from __future__ import annotations

from functools import cache

# Kind: its members, separated by commas; a member may be a kind itself.
_MEMBERS = {
    "nut": "peanut, tree nut, nut butter, granola, trail mix",
    "tree nut": "almond, cashew, walnut, hazelnut, pecan, pistachio, macadamia, brazil nut, pin"
    "e nut,"
    " chestnut, marzipan, frangipane, praline, nougat, baklava, pesto, almond milk, almond flour",
    "almond": "marzipan, frangipane, almond milk, almond flour, amaretti",
    "hazelnut": "nutella, gianduja",
    "pine nut": "pesto",
    "peanut": "groundnut, peanut butter, satay, pad thai, peanut oil, peanut sauce, arachis oil",
    "milk drink": "latte, cappuccino, milkshake, flat white, hot chocolate, macchiato, smoothie b"
    "owl",
    "dairy": "milk drink, milk, cheese, butter, cream, yoghurt, yogurt, ghee, whey, casein, "
    "custard, ice cream,"
    " buttermilk, kefir, bechamel",
    "lactose": "milk drink, milk, cheese, cream, yoghurt, yogurt, ice cream, buttermilk, custard,"
    " whey",
    "cheese": "mozzarella, parmesan, cheddar, feta, ricotta, brie, camembert, gouda, mascarpone,"
    " paneer, gruyere, halloumi, pecorino, cheesecake",
    "milk": "whole milk, cow milk, skimmed milk, skim milk, milk drink",
    "plant milk": "oat milk, soy milk, almond milk, rice milk, coconut milk",
    "gluten": "wheat, barley, rye, spelt, bread, baguette, pasta, spaghetti, lasagne, lasagna,"
    " ravioli, couscous, bulgur, semolina, seitan, flour, pizza, croissant, naan, udon, ramen,"
    " cracker, malt, beer",
    "wheat": "bread, baguette, pasta, spaghetti, couscous, bulgur, semolina, seitan, spelt, udon",
    "meat": "red meat, poultry, ham, bacon, sausage, salami, prosciutto, burger, hamburger,"
    " meatball,"
    " game, rabbit, venison, chorizo, pepperoni",
    "red meat": "beef, pork, lamb, veal, mutton, goat, venison, steak",
    "beef": "steak, brisket, sirloin, ribeye, hamburger, veal, entrecote, roast beef, pastrami",
    "pork": "ham, bacon, prosciutto, salami, chorizo, pancetta, lard, pepperoni, carnitas, "
    "pork belly",
    "poultry": "chicken, turkey, duck, goose, turkey bacon",
    "seafood": "fish, shellfish, calamari, squid, octopus, sushi, sashimi",
    "fish": "salmon, tuna, cod, trout, anchovy, sardine, mackerel, halibut, herring, sea ba"
    "ss, tilapia,"
    " fish sauce, sashimi, haddock, worcestershire sauce, caesar dressing",
    "shellfish": "shrimp, prawn, crab, lobster, oyster, mussel, clam, scallop, crayfish, langous"
    "tine,"
    " oyster sauce, crustacean, mollusc, scampi",
    "crustacean": "shrimp, prawn, crab, lobster, crayfish, langoustine, scampi",
    "egg": "omelette, omelet, frittata, mayonnaise, mayo, meringue, quiche, aioli, custard"
    ", scrambled eggs",
    "soy": "tofu, tempeh, edamame, miso, soy sauce, soy milk, soya, natto, tamari",
    "sesame": "tahini, hummus, halva, sesame oil",
    "animal product": "meat, seafood, dairy, egg, honey, gelatin, gelatine, lard",
    "alcohol": "wine, beer, vodka, whisky, whiskey, gin, rum, tequila, brandy, champagne, prosecco,"
    " cider, sake, liqueur, cocktail, cognac, mead, bourbon, sherry, lager, ale, spirits",
    "caffeine": "coffee, espresso, black tea, green tea, energy drink, cola, matcha, latte, cap"
    "puccino,"
    " cold brew, mate",
    "sugar": "honey, syrup, candy, soda, cake, cookie",
    "nsaid": "ibuprofen, aspirin, naproxen, diclofenac, advil, aleve, ketoprofen, celecoxib",
    "ibuprofen": "advil, nurofen, motrin",
    "paracetamol": "acetaminophen, tylenol, panadol",
    "acetaminophen": "paracetamol, tylenol",
    "antibiotic": "penicillin, doxycycline, azithromycin, ciprofloxacin, cephalosporin, tetracycl"
    "ine",
    "penicillin": "amoxicillin, ampicillin, flucloxacillin, augmentin, piperacillin, co-amoxiclav",
    "blood thinner": "warfarin, heparin, apixaban, rivaroxaban, eliquis, xarelto",
    "opioid": "codeine, morphine, oxycodone, tramadol, fentanyl, hydrocodone",
    "statin": "simvastatin, atorvastatin, rosuvastatin",
    "copyleft": "gpl, agpl, lgpl, gplv2, gplv3, agplv3",
    "gpl": "gplv2, gplv3, agpl, agplv3",
    "permissive": "mit, bsd, apache-2.0",
    "animal": "dog, cat, horse, rabbit, hamster, bird",
    "pet": "dog, cat, hamster, parrot, rabbit",
    "fur": "dog, cat, rabbit, hamster",
    "flower": "lily, rose, tulip, orchid, daisy, carnation",
    "plane": "flight",
    "linux": "ubuntu, debian, fedora, arch linux, alpine linux, centos, red hat, rhel",
    "weekend": "saturday, sunday",
    "weekday": "monday, tuesday, wednesday, thursday, friday",
    "public cloud": "aws, azure, gcp, google cloud",
    "stimulant": "caffeine, nicotine",
    # Compounds that are not what their last word says.
    "vegetable": "butternut squash, eggplant, butter bean, sweet potato",
    "spice": "nutmeg",
    "soft drink": "ginger beer, root beer, ginger ale, cream soda",
    "fruit spread": "apple butter",
    "cosmetic": "cocoa butter, shea butter, body butter",
    "mushroom": "oyster mushroom, king oyster mushroom",
    "pastry": "doughnut, donut",
    "fruit": "coconut, coconut milk, coconut oil, dragon fruit",
    "decaf": "decaf coffee, decaffeinated coffee, herbal tea, rooibos tea, chamomile tea",
    "gluten-free grain": "rice, quinoa, millet, corn, rice noodle, buckwheat, rice flour",
}

# Of each of these one has at most one: who needs the one is not served by another.
_CONTRASTS = (
    ("operating system", "windows, macos, linux, android, ios, chromeos, freebsd"),
    (
        "database",
        "postgres, postgresql, mysql, mariadb, sqlite, mongodb, oracle, cassandra, dynamodb, redis",
    ),
    ("region", "eu, us, uk, usa, apac"),
    ("cloud", "aws, azure, gcp, google cloud"),
    ("processor", "intel, amd, arm, apple silicon, x86, arm64, x86_64"),
    ("graphics card", "nvidia, amd, radeon, geforce"),
    ("connector", "usb-c, usb-a, lightning, micro-usb, mini-usb, displayport, hdmi, vga, dvi"),
    ("memory type", "ddr3, ddr4, ddr5"),
    ("drive interface", "nvme, sata, ide"),
    (
        "kind of milk",
        "oat milk, soy milk, almond milk, whole milk, cow milk, skim milk, rice milk, dairy milk",
    ),
    ("seat", "aisle seat, window seat, middle seat"),
    (
        "connection",
        "direct flight, nonstop flight, non-stop flight, connecting flight, layover, stopover",
    ),
    ("fuel", "diesel, petrol, gasoline, electric"),
    ("gearbox", "automatic, manual"),
    ("place", "indoor, outdoor"),
    ("floor", "ground floor, upstairs, top floor"),
    ("licence", "mit, gpl, agpl, apache-2.0, bsd, proprietary, lgpl, mpl, gplv3, gplv2"),
    (
        "language",
        "python, java, rust, golang, typescript, javascript, ruby, php, kotlin, scala, c++, c#",
    ),
    ("phone", "iphone, android, pixel, samsung"),
    ("mount", "canon ef, canon rf, nikon f, nikon z, sony e, fuji x"),
    ("frame format", "full-frame, aps-c, micro four thirds"),
    ("transport", "train, plane, flight, bus, car, ferry"),
    ("attendance", "remote, on-site, onsite, in-person"),
    ("refund", "refundable, non-refundable, nonrefundable"),
    ("package manager", "npm, yarn, pnpm"),
    ("container", "docker, podman"),
    ("diet", "vegan, vegetarian"),
)

DIETS = {
    "vegan": ("animal product",),
    "plant-based": ("animal product",),
    "vegetarian": ("meat", "seafood"),
    "pescatarian": ("meat",),
    "halal": ("pork", "alcohol"),
    "kosher": ("pork", "shellfish"),
    "decaf": ("caffeine",),
    "decaffeinated": ("caffeine",),
    "teetotal": ("alcohol",),
    "teetotaler": ("alcohol",),
    "teetotaller": ("alcohol",),
    "coeliac": ("gluten",),
    "celiac": ("gluten",),
}
"""What people of a diet or a condition do not take."""


@cache
def common_kinds() -> dict[str, tuple[str, ...]]:
    """The kinds that each thing belongs to directly."""
    kinds: dict[str, list[str]] = {}
    for kind, members in _MEMBERS.items():
        for member in members.split(","):
            kinds.setdefault(member.strip(), []).append(kind)
    return {member: tuple(found) for member, found in kinds.items()}


@cache
def contrasts() -> dict[str, tuple[str, ...]]:
    """What each thing stands against: names of the sets that it is one of."""
    sets: dict[str, list[str]] = {}
    for name, members in _CONTRASTS:
        for member in members.split(","):
            sets.setdefault(member.strip(), []).append(name)
    return {member: tuple(found) for member, found in sets.items()}


@cache
def known_names() -> frozenset[str]:
    """Every name that stands here, kinds included."""
    return frozenset({*common_kinds(), *_MEMBERS, *contrasts()})
