"""What somebody is of: the nations of the world, as adjectives."""

from __future__ import annotations

from functools import cache

from mnemolog.language.patterns import regex
from mnemolog.language.word_lists import word_set

NATION = regex(r"(?:an? )?(?P<v>[A-Z][a-z]+)(?: (?:citizen|national))?$")
"""What follows 'be' where it says of what nation somebody is."""

# fmt: off
_NATIONALITIES = (
    "Afghan Albanian Algerian American Angolan Argentinian Argentine Armenian Australian Austrian "
    "Azerbaijani Bangladeshi Belarusian Belgian Bolivian Bosnian Brazilian British Bulgarian "
    "Cambodian Cameroonian Canadian Chilean Chinese Colombian Congolese Croatian Cuban Cypriot "
    "Czech Danish Dutch Ecuadorian Egyptian English Estonian Ethiopian Filipino Finnish French "
    "Georgian German Ghanaian Greek Guatemalan Haitian Hungarian Icelandic Indian Indonesian "
    "Iranian Iraqi Irish Israeli Italian Jamaican Japanese Jordanian Kazakh Kenyan Korean Kuwaiti "
    "Latvian Lebanese Libyan Lithuanian Luxembourgish Malaysian Maltese Mexican Moldovan Mongolian "
    "Moroccan Mozambican Namibian Nepalese Nigerian Norwegian Pakistani Palestinian Panamanian "
    "Paraguayan Peruvian Polish Portuguese Romanian Russian Rwandan Saudi Scottish Senegalese "
    "Serbian Singaporean Slovak Slovenian Somali Spanish Sudanese Swedish Swiss Syrian Taiwanese "
    "Tanzanian Thai Tunisian Turkish Ugandan Ukrainian Uruguayan Uzbek Venezuelan Vietnamese Welsh "
    "Yemeni Zambian Zimbabwean"
)
# fmt: on


@cache
def nationalities() -> frozenset[str]:
    """The adjectives of nations, capitalised."""
    return word_set(_NATIONALITIES)
