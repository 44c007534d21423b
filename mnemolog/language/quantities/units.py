"""Units and number words: what an amount is measured in, and how much of it one word means."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from mnemolog.language.morphology import singular
from mnemolog.language.word_lists import word_set

Dimension = str
"""What is measured: 'money', 'data', 'duration', 'length', 'mass', 'count', 'date' and so on."""


class Unit(msgspec.Struct, frozen=True):
    """A unit: `amount * factor + offset` is the amount in the dimension's base unit."""

    dimension: Dimension
    base: str
    factor: float = 1.0
    offset: float = 0.0


# Names in singular or as abbreviated, by the factor to the base unit that comes first.
# Prefixes are those of the SI: a GB is 1,000 MB, a GiB 1,024 MiB.
_DIMENSIONS: dict[tuple[Dimension, str], dict[float, str]] = {
    ("data", "byte"): {
        1.0: "byte",
        1e3: "kb kilobyte",
        1e6: "mb megabyte meg",
        1e9: "gb gigabyte gig",
        1e12: "tb terabyte",
        1e15: "pb petabyte",
        2.0**10: "kib kibibyte",
        2.0**20: "mib mebibyte",
        2.0**30: "gib gibibyte",
        2.0**40: "tib tebibyte",
    },
    ("data rate", "bit/s"): {1e3: "kbps kbit/s", 1e6: "mbps mbit/s", 1e9: "gbps gbit/s"},
    ("duration", "second"): {
        1e-6: "µs microsecond",
        1e-3: "ms msec millisecond",
        1.0: "s sec second",
        60.0: "min minute",
        3_600.0: "h hr hour",
        86_400.0: "day",
        604_800.0: "week wk",
        31_557_600.0 / 12: "month",
        31_557_600.0: "year yr",
    },
    ("length", "metre"): {
        1e-3: "mm millimetre millimeter",
        1e-2: "cm centimetre centimeter",
        0.0254: "inch",
        0.3048: "ft foot",
        0.9144: "yd yard",
        1.0: "m metre meter",
        1e3: "km kilometre kilometer",
        1_609.344: "mi mile",
    },
    ("mass", "gram"): {
        1e-3: "mg milligram",
        1.0: "g gram gramme",
        28.349523125: "oz ounce",
        453.59237: "lb",
        1e3: "kg kilo kilogram kilogramme",
        1e6: "t tonne",
    },
    ("volume", "litre"): {
        1e-3: "ml millilitre milliliter",
        1e-2: "cl centilitre centiliter",
        0.1: "dl decilitre deciliter",
        1.0: "l litre liter",
        3.785411784: "gallon gal",
    },
    ("speed", "m/s"): {1.0: "m/s", 1 / 3.6: "km/h kph kmh", 0.44704: "mph"},
    ("power", "watt"): {1.0: "w watt", 745.7: "hp bhp", 1e3: "kw kilowatt", 1e6: "mw megawatt"},
    ("energy", "watt-hour"): {1.0: "wh watt-hour", 1e3: "kwh kilowatt-hour"},
    ("food energy", "kcal"): {1.0: "kcal calorie cal"},
    ("charge", "mAh"): {1.0: "mah", 1e3: "ah"},
    ("voltage", "volt"): {1e-3: "mv", 1.0: "v volt", 1e3: "kv"},
    ("current", "ampere"): {1e-3: "ma", 1.0: "amp ampere"},
    ("frequency", "hertz"): {1.0: "hz hertz", 1e3: "khz", 1e6: "mhz", 1e9: "ghz"},
    ("pixels", "pixel"): {1.0: "px pixel", 1e6: "mp megapixel"},
    ("share", "percent"): {1.0: "% percent pct"},
    ("grammage", "g/m²"): {1.0: "gsm g/m²"},
    ("sound level", "decibel"): {1.0: "db dba decibel"},
    ("rotation", "rpm"): {1.0: "rpm"},
    ("pressure", "bar"): {1.0: "bar", 0.0689476: "psi"},
    ("light", "lumen"): {1.0: "lm lumen"},
    ("resolution", "dpi"): {1.0: "dpi ppi"},
    ("frame rate", "fps"): {1.0: "fps"},
}
_CURRENCIES = {
    "USD": "$ usd us$ dollar buck",
    "EUR": "€ eur euro",
    "GBP": "£ gbp pound quid sterling",
    "JPY": "¥ jpy yen",
    "CHF": "chf franc",
    "INR": "₹ inr rupee",
    "CAD": "cad c$ ca$",
    "AUD": "aud a$ au$",
    "CNY": "cny rmb yuan",
    "KRW": "₩ krw",
    "BRL": "brl r$",
    "SEK": "sek",
    "NOK": "nok",
    "DKK": "dkk",
    "PLN": "pln zloty",
    "MXN": "mxn",
}
_CENTS = {"cent": ("USD", 0.01), "pence": ("GBP", 0.01)}
_PEOPLE = word_set(
    "people person persons guest attendee participant adult traveller traveler passenger"
)
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBER_WORDS: dict[str, float] = {
    **{word: float(value) for value, word in enumerate(_SMALL)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, 2)},
    "dozen": 12.0,
    "half": 0.5,
    "couple": 2.0,
}
"""Words that are a number by themselves."""

MULTIPLIERS: dict[str, float] = {
    "hundred": 1e2, "k": 1e3, "thousand": 1e3, "grand": 1e3, "m": 1e6, "mio": 1e6, "million": 1e6,
    "bn": 1e9, "billion": 1e9,
}  # fmt: skip
"""Words that multiply the number before them."""


@cache
def _units() -> dict[str, Unit]:
    known = {
        name: Unit(dimension, base, factor)
        for (dimension, base), factors in _DIMENSIONS.items()
        for factor, names in factors.items()
        for name in names.split()
    }
    known |= {
        name: Unit("money", code) for code, names in _CURRENCIES.items() for name in names.split()
    }
    known |= {name: Unit("money", code, share) for name, (code, share) in _CENTS.items()}
    known |= dict.fromkeys(("°c", "celsius", "degc", "degree"), Unit("temperature", "celsius"))
    known |= dict.fromkeys(
        ("°f", "fahrenheit", "degf"), Unit("temperature", "celsius", 5 / 9, -160 / 9)
    )
    return known


def unit_named(word: str) -> Unit | None:
    """The unit that a word, abbreviation or sign names; None if it is none."""
    low = word.lower().rstrip(".")
    return _units().get(low) or _units().get(singular(low))


def unit_names() -> tuple[str, ...]:
    """Every name of a unit, longest first."""
    return tuple(sorted(_units(), key=lambda name: (-len(name), name)))


def counted(noun: str) -> str:
    """What a noun counts, in singular; all words for people are one."""
    one = singular(noun)
    return "person" if one in _PEOPLE else one


def number_in_words(words: str) -> float | None:
    """The number that words spell: 'twenty-five', 'two hundred', 'a dozen', 'half a'."""
    total, current, seen = 0.0, 0.0, False
    for word in re.split(r"[\s-]+", words.strip().lower()):
        if word in ("a", "an", "and", "of"):
            continue
        if word in NUMBER_WORDS:
            value = NUMBER_WORDS[word]
            # 'two dozen', but 'twenty five'.
            current = current * value if word == "dozen" and seen else current + value
        elif word in MULTIPLIERS:
            current = max(current, 1.0) * MULTIPLIERS[word]
            if MULTIPLIERS[word] >= MULTIPLIERS["thousand"]:
                total, current = total + current, 0.0
        else:
            return None
        seen = True
    return total + current if seen else None
