"""How English states what someone keeps to: diets and habits."""

from __future__ import annotations

from policies.limits.patterns import HABIT, NOUN, exact, rule

_DIET = r"(?:vegans?|vegetarians?|pescatarians?|teetotal(?:l?er)?s?)"
PREFERENCE_RULES = (
    exact(
        "vegan vegans vegetarian vegetarians pescatarian pescatarians teetotal teetotaler"
        " teetotaller",
        rf"\b(?!(?:[Tt]he|[Tt]his|[Ii]t|[Tt]hat|[Ff]ood|[Cc]ake)\b)[\w]+(?:'s|'m|'re"
        rf"| is| am| are| has been| have been)(?: (?:a|an|both|also|now|mostly"
        rf"|strictly|strict|fully))* {_DIET}\b(?! \w+(?:s|ie|pe|ad|es|ef"
        rf"|ook)\b(?<!s so)(?<!always))",
    ),
    rule(
        "kosher halal vegan vegetarian plant only",
        r"\b(?:keeps? (?:strictly )?kosher|eats? (?:only )?(?:halal|kosher|vegan"
        r"|vegetarian|plant-based)|(?:halal|kosher|vegan|vegetarian) only"
        r"|only (?:eats?|drinks?|flies|uses?|wears?) (?!the|a|it|when|if|on)\w)",
    ),
    exact(
        "not don't doesn't never can't cannot longer won't",
        rf"\b{HABIT} (?:(?:[Dd]o not|[Dd]on't|[Dd]oes not|[Dd]oesn't|never|can't"
        rf"|cannot|can not|no longer|won't) (?:eat|drink|use|take|fly|wear|smoke"
        rf"|drives?)|(?:never )(?:eats|drinks|uses|takes|flies|wears|drives)) {NOUN}",
    ),
    exact(
        "avoid avoids",
        rf"\b{HABIT} (?:avoids|(?:must|should|has to|have to|needs to|need to) avoid) {NOUN}",
    ),
    exact("avoid", rf"\b(?:I|[Ww]e) avoid {NOUN}"),
    exact(
        "stay stays keep keeps steer steers",
        rf"\b{HABIT} (?:(?:must|should|has to|have to|needs? to) (?:stay|keep"
        rf"|steer) (?:away from|clear of|off)|(?:stays|keeps|steers) (?:away from"
        rf"|clear of|off)) {NOUN}",
    ),
    exact(
        "only",
        rf"\b{HABIT} (?:flies|fly|travels?|eats?|drinks?|sleeps?|stays?|sits?|works?"
        rf"|wears?|takes?|drives?) only (?:in|on|by|at|with) \w",
    ),
    exact(
        "need needs",
        rf"\b{HABIT} needs? (?:an? )?(?:\w+-free|vegan|vegetarian|halal|kosher"
        rf"|low-\w+|wheelchair|step-free)\b",
    ),
)
