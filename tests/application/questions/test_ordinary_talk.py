"""Ordinary talk beside what is remembered: what is said of other things retires nothing."""

from __future__ import annotations

import pytest

from mnemolog import Memory


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("I work in Berlin", "My wife works in Potsdam, not in Berlin"),
        ("I work at Acme", "My brother works at Globex rather than Acme"),
        ("I drive a Skoda", "My uncle drives a Volvo rather than a Skoda"),
        ("I drive a Skoda", "My brother bought a Volvo rather than a Skoda"),
        ("I like tea", "My sister likes coffee, not tea"),
        ("I use vim", "Priya uses emacs, not vim"),
        ("I pay in cash", "Our customers pay by card instead of in cash"),
        ("We use Slack", "Our customers use Teams rather than Slack"),
        ("I park in the yard", "Visitors park in the street, not in the yard"),
        ("Rex sleeps in the hall", "Guests sleep in the attic, not in the hall"),
        ("Our supplier is Meyer Ltd", "We buy paper from Koch Ltd, not from Meyer Ltd"),
        ("The warehouse is in Hamburg", "The new shop is in Munich, not in Hamburg"),
        ("The keys are in the drawer", "The new passport is in the safe, not in the drawer"),
        ("Mia plays chess", "Tom, not Mia, went to the cinema"),
        ("Mia plays chess", "It was Tom, not Mia, who broke the window"),
        ("Ann lives in Graz", "Ben, not Ann, paid the bill"),
        ("I have a Skoda", "I washed the Fiat, not the Skoda"),
        ("I have a Skoda", "I drove the Fiat instead of the Skoda today"),
        ("I drive a Skoda", "I took the tram rather than the Skoda today"),
        ("I have a Skoda", "I took the Fiat, not the Skoda, to the garage"),
        ("We have a piano", "Tom practised the violin instead of the piano today"),
        ("The budget is 500 euros", "Turns out the budget was approved"),
        ("The budget is 500 euros", "Turns out we can spend the budget on anything"),
        ("The budget is 500 euros", "Actually, let us spend 300 euros of the budget on chairs"),
        ("The demo is on Friday", "Turns out nobody has prepared the slides for the demo"),
        ("The retro is at 14:00", "Turns out the retro was useful"),
        ("The sofa is blue", "Turns out the sofa was expensive"),
        ("My car is red", "Actually, my car was cheap"),
        ("The ticket costs 30 euros", "The ticket costs 30 euros, not counting breakfast"),
        ("The hotel costs 80 euros", "The hotel costs 80 euros, not including the booking fee"),
        ("Ann is a nurse", "Ann is not only a nurse but also a trainer for new staff"),
        ("Ann is a lawyer", "Ann is not just a lawyer but also a judge"),
        ("Ben is the treasurer", "Ben is not the only treasurer"),
        ("Ann plays tennis", "Ann plays tennis with her left hand"),
        ("The flight leaves at 9:40", "We must be at the airport no later than 7:40"),
        ("The cough has lasted three weeks", "A cough should last no longer than 3 weeks"),
        ("Ann plays tennis", "Ann does not play tennis when it rains"),
        ("We cycle to work", "We don't cycle to work when it snows"),
        ("I water the garden in the evening", "I don't water the garden when it rains"),
        ("My knee hurts when I run", "My knee doesn't hurt when I cycle"),
        ("Ann plays tennis", "In winter Ann plays squash instead of tennis"),
        ("We cycle to work", "In winter we take the bus instead of cycling to work"),
        ("The ticket costs 35 euros", "The ticket doesn't cost 35 euros for students"),
        ("We use tabs in Makefiles", "We use spaces in Python files instead of tabs"),
        ("The project uses PostgreSQL", "- [ ] try MySQL instead of PostgreSQL"),
        ("The project uses PostgreSQL", "* [ ] evaluate MySQL rather than PostgreSQL"),
        ("The project uses PostgreSQL", "2. compare MySQL, not PostgreSQL, with Oracle"),
        ("The project uses PostgreSQL", "Idea: use SQLite, not PostgreSQL, for the demo app"),
        ("The project uses PostgreSQL", "Idea: Redis, not PostgreSQL, for the session store"),
        ("The project uses PostgreSQL", "We use SQLite, not PostgreSQL, for the demo app"),
        ("Ben is a vegetarian", "It is not true that Ben is not a vegetarian"),
        ("The shop is open on Sundays", "It is not the case that the shop is not open on Sundays"),
        ("The sofa is blue", "The new cushions for the sofa are red"),
        ("Ann hates olives", "Ann doesn't hate olive oil"),
        ("Ann hates dogs", "Ann doesn't hate dog owners"),
        ("Ann lives in Graz", "Quiz, wrong answer B: Ann lives in Linz"),
        ("Ann speaks Italian", "Ann speaks French too"),
        ("The rent is 900 euros", "The rent was 850 euros in 2021"),
        ("I live in Graz", "Ben: I live in Linz"),
        ("Ben owns a Tesla", "Correction: Ben owns a Labrador."),
        ("Ben has a Tesla", "Correction: Ben has an MBA."),
        ("Ben lives in Bergen", "Myth: Ben lives in Oslo, not Bergen."),
        ("We host in Bergen", "Idea: we host in Oslo now, not Bergen."),
        ("The bakery opens at 9 and is closed on Sunday", "The bakery (was closed) opens at 9."),
        ("Ann works at Google", "We hired Ann (previously Google)."),
        ("Ann plays tennis", "In spring Ann plays squash instead of tennis"),
        ("Ann plays tennis", "On Friday evenings Ann plays squash instead of tennis"),
        ("Samir owns a Peugeot", "Samir owns a Subaru."),
        ("Samir has a rabbit", "Samir has a hamster."),
        ("The yoga class meets on Saturdays", "They changed their class from Saturdays to Mondays"),
        ("Chloe stays at the Astoria", "As an example sentence take: no, Chloe stays at the Ritz"),
        ("The debate team meets on Monday", "We debate whether the debate team meets on Friday"),
    ],
)
def test_what_is_said_of_something_else_retires_nothing(
    memory: Memory, old: str, said: str
) -> None:
    """Of another subject, part, condition, occasion or scope, a joke, a task, the same again."""
    known = memory.remember(old)
    memory.remember(said)
    assert memory.get(known.memory_id or "").status == "active"


@pytest.mark.parametrize(
    "text",
    [
        "Ann lives in Linz now. Just kidding, nothing changed",
        "2026-02-11T08:14:02 WARN mock: Ann lives in Linz now, not in Graz",
        "```\n# Ann lives in Linz now, not in Graz\n```",
        "> Ann no longer lives in Graz",
        'The subject line of the mail was "Ann lives in Linz now, not in Graz"',
    ],
)
def test_what_nobody_asserts_retires_nothing(memory: Memory, text: str) -> None:
    """Jokes, lines of a log, code and quotations; said to be a correction, too."""
    known = memory.remember("Ann lives in Graz")
    memory.remember(text)
    memory.correct(text)
    assert memory.get(known.memory_id or "").status == "active"


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("Minka is three years old", "Minka is five years old, not three"),
        ("The cake bakes for 40 minutes", "The cake bakes for 50 minutes, not 40"),
        ("I am allergic to penicillin", "Turns out I am not allergic to penicillin"),
        ("We use AWS", "We use Google Cloud, not AWS"),
        ("Omar leads the design team", "Mei leads the design team, not Omar"),
        ("Dana lives in Bergen", "Dana lives in Oslo, not in Bergen"),
        ("The launch is in May", "The launch is in June instead of May"),
        ("I drive a Skoda", "I drive a Volvo, not a Skoda"),
        ("Ben works at Acme", "Ben works at Globex rather than Acme"),
        ("The sofa is blue", "Actually, the sofa is green"),
    ],
)
def test_what_is_set_against_the_old_is_told(memory: Memory, old: str, said: str) -> None:
    """'This, not that' of the same subject, in passing, is seen and told."""
    known = memory.remember(old)
    receipt = memory.remember(said)
    assert [conflict.memory_id for conflict in receipt.conflicts] == [known.memory_id]
