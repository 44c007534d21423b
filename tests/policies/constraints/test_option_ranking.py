"""Options are blamed for what they say, under whatever name, and for nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mnemolog.language.analysis import Analyzer
from mnemolog.language.entities import Known, Link
from mnemolog.policies.constraints.constraint import Constraint, read_constraint
from mnemolog.policies.constraints.option_ranking import Option, findings_of
from mnemolog.policies.constraints.option_reading import OptionFinding, OptionReading, Topic


class Told:
    """Kinds that a test tells, and stems as they are everywhere."""

    def __init__(self, **kinds: str) -> None:
        """Each name is of the kind given for it, as said at position 7."""
        self._kinds = {name.replace("_", " "): kind for name, kind in kinds.items()}
        self._analyzer = Analyzer()

    def stem(self, word: str) -> str:
        """The stem of the analyzer."""
        return self._analyzer.stem(word)

    def kinds_of(self, name: str) -> Sequence[Known]:
        """What was told of a name, through others as well."""
        path: list[Link] = []
        while name in self._kinds and len(path) < len(self._kinds):
            path.append(Link(name, "IS_A", self._kinds[name], 7))
            name = self._kinds[name]
        return [Known(link.target, tuple(path[: at + 1])) for at, link in enumerate(path)]


def findings(
    constraint: Constraint, option: Option, knows: Told, goal: str = "", topic: Topic = "open"
) -> tuple[OptionFinding, ...]:
    """Findings on an option that is read for the purpose."""
    readings = OptionReading(option.whole, knows), OptionReading(goal, knows)
    return findings_of(constraint, *readings, topic)


def violations(
    constraint: Constraint, option: Option, knows: Told, topic: Topic = "open"
) -> tuple[OptionFinding, ...]:
    """Those findings that are violations."""
    found = findings(constraint, option, knows, topic=topic)
    return tuple(one for one in found if one.verdict == "violated")


def _constraint(text: str, *aliases: str) -> Constraint:
    read = read_constraint(text, aliases)
    assert read is not None
    return read


def _verdicts(
    constraint: str, option: str, goal: str = "", topic: Topic = "same", **kinds: str
) -> set[str]:
    found = findings(_constraint(constraint), Option(option), Told(**kinds), goal, topic)
    return {one.verdict for one in found}


@pytest.mark.parametrize(
    ("constraint", "option"),
    [
        ("Dana is allergic to peanuts", "Peanut noodles"),
        ("Dana is allergic to peanuts", "Chicken satay with rice"),
        ("Sam has a nut allergy", "Walnut bread"),
        ("I avoid red meat", "Beef tacos"),
        ("Dana is vegan", "Cheese omelette"),
        ("Grandma must not take NSAIDs", "Two Advil tablets"),
        ("The laptop budget is 500 dollars", "ThinkPad for $750"),
        ("Keep hotels under 180 dollars a night", "Hilton, 1,500 dollars a week"),
        ("The job needs at least 16 GB of RAM", "8192 MB RAM, 512 GB SSD"),
        ("Requires Python 3.11", "Image with Python 3.9"),
        ("Dana takes coffee only with oat milk", "Cappuccino with whole milk"),
        ("Everything has to run on Postgres", "A MySQL cluster"),
        ("The venue must be wheelchair accessible", "Old barn, not wheelchair accessible"),
        ("Alex is away from 3 to 9 June", "Workshop on 5 June"),
        ("Never deploy on Fridays", "Rollout on 2026-06-05"),
        ("GPL code is not allowed in the product", "libgraph (AGPL)"),
    ],
)
def test_violations_are_found_under_other_names(constraint: str, option: str) -> None:
    """A thing of a kind, another unit, another value and a date's weekday are recognised."""
    (found, *_) = violations(_constraint(constraint), Option(option), Told(), topic="same")
    assert found.found
    assert found.found.lower() in option.lower()
    assert found.why


@pytest.mark.parametrize(
    ("constraint", "option"),
    [
        ("Dana is allergic to peanuts", "Nut-free cake"),
        ("Dana is allergic to peanuts", "Pad thai without peanuts"),
        ("Sam has a nut allergy", "Coconut curry"),
        ("Dana can't have dairy", "Oat milk latte"),
        ("Dana can't have dairy", "Vegan cheese pizza"),
        ("Dana doesn't drink alcohol", "Alcohol-free wine"),
        ("The laptop budget is 500 dollars", "Acer for $430"),
        ("The laptop budget is 500 dollars", "HP Pavilion"),
        ("The job needs at least 16 GB of RAM", "32 GB RAM and a 1 GB modem"),
        ("Dana takes coffee only with oat milk", "Black coffee"),
        ("Direct flights only", "A flight to Rome"),
        ("Never share passwords by email", "Store the password in a vault"),
        ("Never deploy on Fridays", "Rollout on Tuesday"),
    ],
)
def test_nothing_is_blamed_without_a_reason(constraint: str, option: str) -> None:
    """What is denied, not said or within bounds is no violation."""
    assert violations(_constraint(constraint), Option(option), Told(), topic="same") == ()


def test_other_currencies_are_not_compared_and_this_is_said() -> None:
    """A price in another currency leaves a doubt, with the reason."""
    budget = _constraint("The laptop budget is 500 dollars")
    (found,) = findings(budget, Option("Dell at 480 euros"), Told(), topic="same")
    assert found.verdict == "doubtful"
    assert "currencies" in found.why


def test_what_a_memory_knows_links_a_name_to_what_is_ruled_out() -> None:
    """Kinds that were told lead from the option's word to the thing, with their evidence."""
    allergy = _constraint("Dana is allergic to peanuts")
    told = Told(gado_gado="peanut dish")
    (found,) = violations(allergy, Option("Gado gado with rice"), told)
    assert found.found == "gado gado"
    assert found.chain == (Link("gado gado", "IS_A", "peanut dish", 7),)
    assert violations(allergy, Option("Gado gado with rice"), Told()) == ()
    nuts = _constraint("Sam has a nut allergy")
    (found,) = violations(
        nuts, Option("Benne"), Told(benne="almond biscuit", almond_biscuit="almond")
    )
    assert [link.evidence for link in found.chain] == [7, 7, None]


def test_kinds_that_lead_in_a_circle_are_no_trouble() -> None:
    """Names that are said to be of each other's kind lead nowhere."""
    allergy = _constraint("Dana is allergic to peanuts")
    assert violations(allergy, Option("Foo with rice"), Told(foo="bar", bar="foo")) == ()


def test_an_alias_of_the_constraint_is_another_name_for_what_it_rules_out() -> None:
    """The names by which a constraint is asked for count as names of the thing."""
    allergy = _constraint("Dana is allergic to peanuts", "monkey nuts")
    (found,) = violations(allergy, Option("Salted monkey nuts"), Told())
    assert "another name for" in found.why


def test_another_topic_blames_only_what_is_named() -> None:
    """A bound on another topic blames nothing; a thing that is ruled out does, anywhere."""
    taxi = "Taxi rides may not cost more than 25 dollars"
    assert _verdicts(taxi, "A laptop for 400 dollars", topic="same") == {"violated"}
    assert _verdicts(taxi, "A laptop for 400 dollars", topic="near") == {"suspected"}
    assert _verdicts(taxi, "A laptop for 400 dollars", topic="open") == set()
    allergy = "Dana is allergic to peanuts"
    assert _verdicts(allergy, "Peanut brittle", topic="open") == {"violated"}


def test_a_day_is_ruled_out_for_what_was_meant_alone() -> None:
    """Fridays without deployments say nothing of a dinner, unless that is the goal."""
    rule = "Never deploy on Fridays"
    assert _verdicts(rule, "Friday at eight", goal="plan the dinner", topic="open") <= {"silent"}
    assert _verdicts(rule, "Friday at eight", goal="a day for the deployment") == {"violated"}


def test_facts_of_an_option_count_as_its_words() -> None:
    """What is known of an option speaks for or against it."""
    allergy = _constraint("Dana is allergic to peanuts")
    option = Option("House special", facts=("made with groundnut oil",))
    assert violations(allergy, option, Told())


@pytest.mark.parametrize(
    ("constraint", "option"),
    [
        ("Anything over $90 a night is out of the question.", "Sacher, $310 a night"),
        ("Keep the catering under 25 dollars a head.", "Buffet at $38 per person"),
        ("No more than 3 grams of paracetamol per day.", "Paracetamol 4,000 mg a day"),
        ("The meeting room fits only 8 people.", "Invite 12 people"),
        ("Limit the essay to 800 words.", "A 1,500 word essay"),
        ("Node must be 18 or newer.", "Node 16"),
        ("The earliest I can start is 1 October 2026.", "1 September 2026"),
        ("The driver doesn't work with Windows 11.", "Windows 11"),
        ("Only vendors with ISO 27001 may get our data.", "A vendor without ISO 27001"),
        ("Legal bans copyleft libraries.", "x264 under the GPL"),
        ("The shop is closed on Sundays.", "Sunday morning"),
        ("No suppliers from Freedonia.", "Freedonia Steel"),
    ],
)
def test_violations_are_found_however_the_limit_is_put(constraint: str, option: str) -> None:
    """A limit may be turned round, be a rate, have its name far off, or say who forbids it."""
    assert violations(_constraint(constraint), Option(option), Told(), topic="same")


@pytest.mark.parametrize(
    ("constraint", "option"),
    [
        ("Anything over $90 a night is out of the question.", "Suzanne at $85 a night"),
        ("The driver doesn't work with Windows 11.", "Windows 10"),
        ("The plugin only runs on Linux.", "Ubuntu workstation"),
        ("Node must be 18 or newer.", "Node 18.2"),
        ("Meals over 700 calories are not allowed.", "Meals with 520 kcal"),
        ("No flights with layovers in Doha.", "A flight via Singapore"),
    ],
)
def test_options_on_the_right_side_are_not_blamed(constraint: str, option: str) -> None:
    """What is below a turned limit, another version, or a thing of the kind is no violation."""
    assert not violations(_constraint(constraint), Option(option), Told(), topic="same")
