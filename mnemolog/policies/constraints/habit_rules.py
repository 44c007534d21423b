"""How English states what someone keeps to: diets and habits."""

from __future__ import annotations

from mnemolog.policies.constraints.shared_patterns import HABIT, NOUN, exact, rule

_SOMEONE = (
    r"(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+"
    r"|(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Aa]unt|[Uu]ncle) (?:[\w-]+ ){0,2}[\w-]+)"
)
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

HABITS = (
    exact(
        "avoid",
        r"\b(?:must|has to|have to|should|needs? to) avoid (?!the (?:temptation|urge)|it\b"
        r"|that\b|being\b)\w",
    ),
    rule(
        "gluten-free sugar-free dairy-free free fasting ramadan lent sabbath shabbat observes",
        r"(?<!\bit)(?<!\bthey)(?<!\bthat)(?: is| am| are|'m|'s|'re) (?:strictly |completely "
        r"|fully |now |mostly )?(?:gluten"
        r"|sugar|dairy|lactose|nut|meat|alcohol|caffeine)-free[.!]?$"
        r"|\bobserves? (?:ramadan|lent|the sabbath|shabbat|kashrut)\b|\b(?:is|am|are) fasting\b",
    ),
    exact(
        "diet halal kosher keto vegan vegetarian",
        rf"\b{_SOMEONE}(?:'s|'m|'re| is| am| are| follows?| sticks? to| keeps? to| needs?) "
        r"(?:on |now on |currently on )?(?:an? |the )?(?:strict )?[\w-]+ diet\b"
        r"|\bkeeps? (?:strictly |strict )?(?:halal|kosher)\b",
    ),
    exact(
        "off",
        r"\b(?:'s|'m|'re| is| am| are) off (?:sugar|meat|dairy|alcohol|caffeine|coffee"
        r"|gluten|carbs|bread|wheat|sweets|red meat|nuts|wine|beer)\b",
    ),
    exact(
        "eat drink smoke eats drinks smokes",
        r"\b(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:[\w-]+ ){1,4}?(?:don't|do not|doesn't"
        rf"|does not|never|no longer|can't|cannot) (?:eats?|drinks?|smokes?|fl(?:y|ies)) {NOUN}",
    ),
)
