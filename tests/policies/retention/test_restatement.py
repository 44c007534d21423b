"""What counts as said again, and what says something else in much the same words."""

from __future__ import annotations

import msgspec
import pytest

from mnemolog.ledger.clock import Micros
from mnemolog.policies.admission import ANYBODY, Said, is_restatement, says_the_same

DAY = 86_400_000_000
NOON = Micros(20_000 * DAY + DAY // 2)

# fmt: off
OTHERS = [
    ("Ann lent Bob 50 euros", "Bob lent Ann 50 euros"),
    ("The server fell before the deploy finished", "The server fell after the deploy finished"),
    ("Is the office in Berlin?", "The office is in Berlin"),
    ("The office is in Berlin", "Is the office in Berlin?"),
    ("Move the meeting from Monday to Friday", "Move the meeting from Friday to Monday"),
    ("The shop is open until 6 pm", "The shop is open since 6 pm"),
    ("The shop is open until 6 pm", "The shop is open from 6 pm"),
    ("Keep at least 3 replicas", "Keep at most 3 replicas"),
    ("Keep at least 3 replicas", "Keep at least 4 replicas"),
    ("Keep no fewer than 3 replicas", "Keep no more than 3 replicas"),
    ("If it rains, the picnic is off", "It rains, the picnic is off"),
    ("Dana might move to Kiel", "Dana will move to Kiel"),
    ("Dana might not move to Kiel", "Dana might move to Kiel"),
    ("Dana moved to Kiel", "Dana has not moved to Kiel"),
    ("Only Dana has the key", "Dana has the only key"),
    ("Dana only has the key", "Only Dana has the key"),
    ("Dana owes Ben 50 euros", "Dana owes Ben 50 dollars"),
    ("The pump weighs 5 kg", "The pump weighs 5 g"),
    ("The pump weighs 5 kg", "The pump weighs 5 lb"),
    ("The release is on 3 May 2025", "The release is on 5 March 2025"),
    ("The release is on 03/05/2025", "The release is on 05/03/2025"),
    ("The release is on 3 May", "The release is on 3 May 2026"),
    ("Contact US about the visa", "Contact us about the visa"),
    ("Ana's brother is Ben", "Ana is Ben's brother"),
    ("The dogs' owner is ill", "The dog's owner is ill"),
    ("Ana's manager is Ben's sister", "Ben's manager is Ana's sister"),
    ("Ana and Ben beat Cleo and Dan", "Cleo and Dan beat Ana and Ben"),
    ("Rotate the key, then restart the service", "Restart the service, then rotate the key"),
    ("First rotate the key and restart", "First restart and rotate the key"),
    ("All tests passed", "Not all tests passed"),
    ("Not all tests passed", "All tests passed, not"),
    ("Everybody but Ana came", "Everybody came but Ana left"),
    ("Ana said that Ben lied", "Ben said that Ana lied"),
    ("Ana said Ben lied", "Ana lied, said Ben"),
    ("Ana, said Ben, lied", "Ana said Ben lied"),
    ("The cat chased the dog", "The dog chased the cat"),
    ("The password is hunter2", "The password is Hunter2"),
    ("The password is hunter2", "The password is hunter2!"),
    ("Use port 80 for staging and 81 for tests", "Use port 81 for staging and 80 for tests"),
    ("Dev is on port 8080, prod on 9090", "Dev is on port 9090, prod on 8080"),
    ("I like tea more than coffee", "I like coffee more than tea"),
    ("Tea is better than coffee", "Coffee is better than tea"),
    ("We lost to Kiel 3:2", "We lost to Kiel 2:3"),
    ("The temperature is -5 degrees", "The temperature is 5 degrees"),
    ("The temperature rose by 5%", "The temperature rose by 5"),
    ("The temperature is 1.5", "The temperature is 15"),
    ("Send 1,500 euros", "Send 1.500 euros"),
    ("Send 1,5 euros", "Send 15 euros"),
    ("Dana works for Initech", "Dana worked for Initech"),
    ("Dana works for Initech", "Dana works with Initech"),
    ("Dana has a few friends", "Dana has few friends"),
    ("Dana is really happy", "Dana is not really happy"),
    ("Dana does not really like tea", "Dana really does not like tea"),
    ("He is ill", "She is ill"),
    ("They moved in with Ana", "They moved in without Ana"),
    ("Take the pill every 6 hours", "Take the pill every 8 hours"),
    ("Take the pill before lunch", "Take the pill after lunch"),
    ("The gate opens at 9 am", "The gate opens at 9 pm"),
    ("The gate opens at 9", "The gate opens by 9"),
    ("Do I like tea?", "I do like tea"),
    ("You can smoke here", "Can you smoke here"),
    ("Can you deploy today", "You can deploy today"),
    ("Should we cancel the order", "We should cancel the order"),
    ("Is Ana the lead", "Ana is the lead"),
    ("We should cancel the order", "We cancelled the order"),
    ("Ana lands in Rome. Ben waits in Oslo.", "Ana lands in Oslo. Ben waits in Rome."),
    ("The office is in Berlin. No, in Munich.", "The office is in Berlin."),
    ("The office is in Berlin.", "The office is in Berlin. No, in Munich."),
    ("The office is in Berlin. That is a joke.", "The office is in Berlin."),
    ("I'd do it if asked", "I did it if asked"),
    ("I can do it", "I can't do it"),
    ("I cant do it", "I can do it"),
    ("I can do it", "I cannot do it"),
    ("Nobody but Ana knows", "Nobody knows but Ana"),
    ("He didn't die happily", "Happily he didn't die"),
    ("Clearly he spoke", "He spoke clearly"),
    ("In Kiel the man with the dog sat", "The man sat with the dog in Kiel"),
    ("With Ana Ben works at Initech", "Ben works at Initech with Ana"),
    ("For Ana Ben bought a book", "Ben bought a book for Ana"),
    ("From Ana to Ben goes the letter", "To Ben from Ana goes the letter"),
    ("At noon call Ana at home", "Call Ana at home at noon"),
    ("By Monday finish the draft by Ana", "Finish the draft by Ana by Monday"),
    ("From Kiel we drive to Rome", "We drive to Rome from Kiel"),
    ("On Monday we decided to meet", "We decided to meet on Monday"),
    ("After lunch tell Ana to call", "Tell Ana to call after lunch"),
    ("Before the trial he admitted he lied", "He admitted he lied before the trial"),
    ("In May Dana promised to move", "Dana promised to move in May"),
    ("For years Ana wanted to live in Kiel", "Ana wanted to live in Kiel for years"),
    ("With a knife he threatened the man", "He threatened the man with a knife"),
    ("Since Monday Ana knows Ben is ill", "Ana knows Ben is ill since Monday"),
    ("Every day Ana remembers to feed the cat", "Ana remembers to feed the cat every day"),
    ("x = 1; y = 2", "x = 2; y = 1"),
    ("`rm -rf a b`", "`rm -rf b a`"),
    ("git push origin main", "git push main origin"),
    ("C# is used", "C is used"),
    ("C++ is used", "C is used"),
    ("Node >= 18 is needed", "Node <= 18 is needed"),
    ("Node > 18 is needed", "Node 18 is needed"),
    ("The price is $5", "The price is €5"),
    ("The price is $5", "The price is 5"),
    ("Call +49 171 555", "Call 49 171 555"),
    ("The ratio is 3/4", "The ratio is 4/3"),
    ("We leave at five.", "We leave at five?"),
    ("We leave at five!", "We leave at five?!"),
    ("Ana is (not) coming", "Ana is coming"),
    ("Ana is 'coming'", "Ana is coming"),
    ('Ana is "fine"', "Ana is fine"),
    ("So-called experts agree", "So called experts agree"),
    ("Let's eat, Grandma", "Let's eat Grandma"),
    ("Ana, Ben and Cleo came", "Ana Ben and Cleo came"),
    ("Eats, shoots and leaves", "Eats shoots and leaves"),
    ("Stop the deploy", "Don't stop the deploy"),
    ("No, stop the deploy", "No stop, the deploy"),
    ("No, deploys go on Friday", "No deploys go on Friday"),
    ("Well, water is safe", "Well water is safe"),
    ("The more the better", "More is better"),
    ("An hour ago it worked", "It worked a hour ago"),
    ("He is the man", "He is a man"),
    ("The president resigned", "A president resigned"),
    ("I want a dog", "I want the dog"),
    ("Ana lives in Kiel :)", "Ana lives in Kiel :("),
    ("✅ build", "❌ build"),
    ("Ana lives in Kiel 👍", "Ana lives in Kiel 👎"),
    ("She re-signed the contract", "She resigned the contract"),
    ("We recover the sofa", "We re-cover the sofa"),
    ("its", "it's"),
    ("We were there", "We're there"),
    ("I'll go", "Ill go"),
    ("He'd go", "Hed go"),
    ("Ana is unwell", "Ana is well"),
    ("Ana is hardly well", "Ana is well"),
    ("The room is 20 m²", "The room is 20 m"),
    ("2^3", "23"),
    ("H2O", "H20"),
    ("日本は好き", "日本は嫌い"),
    ("Ich mag Tee", "Ich mag keinen Tee"),
    ("Er kommt nicht", "Er kommt"),
    ("Kommt er", "Er kommt"),
    ("They said no, thanks", "They said no thanks"),
    ("Probably Ana comes", "Ana comes"),
    ("Ana possibly comes", "Ana comes"),
    ("Ana is certainly not coming", "Ana is not certainly coming"),
    ("It is a truly open standard", "It is not a truly open standard"),
    ("Yes, Ana is in", "Ana is in?"),
    ("Also, buy milk", "Buy milk?"),
    ("I was told Ana left", "I told Ana was left"),
    ("9.5", "9,5"),
    ("1-0", "10"),
    ("A 10-20 mg dose", "A 1020 mg dose"),
    ("the V2 API", "the v2 API"),
    ("Version 3.1", "Version 3.10"),
    ("Ana's", "Anas"),
    ("The well-known bug", "The well known bug"),
]
"""Roles changed, times turned round, questions, conditions, denials, numbers, marks that tell."""

ALIKE = [
    ("Our grey cat Miso sleeps on the boiler", "our grey cat Miso sleeps on the boiler."),
    ("Our grey cat Miso sleeps on the boiler", "Our grey cat Miso sleeps on the boiler!"),
    ("Dana lives in Kiel", "Dana lives in Kiel.\n"),
    ("I don't like tea", "I do not like tea."),
    ("By the way, Dana lives in Kiel", "Dana lives in Kiel"),
    ("Dana lives in Kiel", "FYI: Dana lives in Kiel"),
    ("We deploy every Friday at noon", "we deploy every Friday at noon"),
    ("I'm allergic to nuts", "I am allergic to nuts"),
    ("We can't deploy on Fridays", "We cannot deploy on Fridays"),
    ("Remember that the key is under the mat", "The key is under the mat"),
    ("As I said, the key is under the mat", "the key is under the mat"),
    ("Note: backups run at 2 am", "Backups run at 2 am."),
    ("Dana lives in Kiel.  She works at Initech.", "Dana lives in Kiel. She works at Initech"),
    ("I\N{RIGHT SINGLE QUOTATION MARK}m allergic to nuts", "I'm allergic to nuts"),
    ("Is the office in Berlin?", "is the office in Berlin?"),
    ("You're on call", "You are on call"),
    ("The API key rotates monthly", "The API key rotates monthly\N{HORIZONTAL ELLIPSIS}"),
    ("Ok, Dana lives in Kiel", "Dana lives in Kiel"),
    ("Reminder: pay the rent", "Pay the rent"),
    ("They won't come", "They will not come"),
    ("Well, the pump is old", "The pump is old"),
    ("Dana really likes tea", "Dana likes tea"),
    ("No deploys on Fridays!", "No deploys on Fridays."),
    ("we've got two cats", "We have got two cats"),
    ("Just so you know, Ana is vegan", "Ana is vegan"),
    ("git push origin main", "git push origin main"),
    ("the caf\N{LATIN SMALL LETTER E WITH ACUTE}", "the cafe\N{COMBINING ACUTE ACCENT}"),
    ("Ana said \N{LEFT DOUBLE QUOTATION MARK}no\N{RIGHT DOUBLE QUOTATION MARK}", 'Ana said "no"'),
    ("tea " * 1200, "tea " * 1200),
    ("```\nx = 1\n```", "```\nx = 1  \r\n```\n"),
]
# fmt: on


@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_what_says_something_else_is_not_taken_for_known(old: str, new: str) -> None:
    """However alike the words are: what is taken for known is not kept. Neither way round."""
    assert not says_the_same(new, old)
    assert not says_the_same(old, new)


@pytest.mark.parametrize(("old", "new"), ALIKE)
def test_what_says_the_same_is_known(old: str, new: str) -> None:
    """But for capitals, articles, openings, and marks at the end. Both ways round."""
    assert says_the_same(new, old)
    assert says_the_same(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [("tea " * 1200, "tea " * 1201), ("if a:\n\tb\n\tc", "if a:\n\tb\nc"), ("", "tea")],
)
def test_code_and_long_texts_are_the_same_to_the_letter_or_not_at_all(old: str, new: str) -> None:
    """Nobody reads them word for word, and an indent may change what they do."""
    assert not says_the_same(new, old)


def said(text: str = "our cat sleeps", **changes: object) -> Said:
    """A text said at noon."""
    return msgspec.structs.replace(Said(text, NOON), **changes)


@pytest.mark.parametrize(
    ("field", "value", "other"),
    [
        ("place", "rome/office", "paris/office"),
        ("category", "pets", "work"),
        ("constraint", "safety", "cost"),
        ("tags", ("rome",), ("paris",)),
        ("valid_until", NOON + DAY, NOON + 2 * DAY),
    ],
)
def test_the_same_words_of_something_else_say_something_else(
    field: str, value: object, other: object
) -> None:
    """What is told of the words counts; what is not told of them says nothing else."""
    here, there, bare = said(**{field: value}), said(**{field: other}), said()
    assert not is_restatement(here, there)
    assert not is_restatement(here, bare)
    assert is_restatement(here, here)
    assert is_restatement(bare, here)


def test_the_same_words_from_another_mouth_say_something_else_of_the_speaker() -> None:
    """'I' is who says it; what names no person is the same whoever says it."""
    dana, ben, agent = "user:dana", "user:ben", "agent:assistant"
    for text in ("I live in Kiel", "My cat sleeps", "You are late", "We're late"):
        assert not is_restatement(said(text, speaker=ben), said(text, speaker=dana))
        assert not is_restatement(said(text, speaker=agent), said(text, speaker=dana))
        assert is_restatement(said(text, speaker=dana), said(text, speaker=dana))
        # Who is not named may be the same.
        assert is_restatement(said(text), said(text, speaker=dana))
        assert is_restatement(said(text, speaker=ANYBODY), said(text, speaker=dana))
        assert not is_restatement(said(text, speaker=ANYBODY), said(text, speaker=agent))
    assert is_restatement(said("Ana is ill", speaker=agent), said("Ana is ill", speaker=dana))


@pytest.mark.parametrize(
    "text",
    ["The demo is tomorrow", "Rent was due 3 days ago", "The gate is shut on Friday",
     "The audit starts next week", "The call is in two hours"],
)  # fmt: skip
def test_what_goes_by_the_day_says_something_else_on_another(text: str) -> None:
    """'Tomorrow' is another day by then; on the same day it is the same."""
    assert is_restatement(said(text, at=NOON + 1), said(text))
    assert not is_restatement(said(text, at=NOON + 7 * DAY), said(text))


def test_what_holds_on_every_day_is_the_same_on_another() -> None:
    """A habit, or a fact, is known however long ago it was told."""
    for text in ("We deploy every Friday", "The shop is closed on Sundays", "Ana is tall"):
        assert is_restatement(said(text, at=NOON + 70 * DAY), said(text))


def test_what_holds_from_earlier_or_later_on_is_not_known() -> None:
    """From a time on that lies behind that of the memory, it is known; else it tells more."""
    known = said(valid_from=NOON)
    assert is_restatement(said(at=NOON + 2, valid_from=NOON + 1), known)
    assert not is_restatement(said(valid_from=NOON - 1), known)
    assert not is_restatement(said(valid_from=NOON + DAY), known)
    assert is_restatement(said(valid_from=NOON - 1), said())
