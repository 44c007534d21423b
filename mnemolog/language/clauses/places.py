"""Containment of places: enough to read 'Paris' and 'France' as agreeing answers."""

from __future__ import annotations

from functools import cache

# fmt: off
_WITHIN = {
    "africa": "egypt ethiopia ghana kenya morocco nigeria senegal south_africa tanzania tunisia "
              "uganda zambia zimbabwe algeria",
    "asia": "bangladesh china india indonesia iran iraq israel japan malaysia nepal pakistan "
            "philippines saudi_arabia singapore south_korea sri_lanka taiwan thailand turkey "
            "united_arab_emirates vietnam",
    "europe": "austria belgium bulgaria croatia czechia denmark estonia finland france germany "
              "greece hungary iceland ireland italy latvia lithuania luxembourg netherlands norway "
              "poland portugal romania serbia slovakia slovenia spain sweden switzerland ukraine "
              "united_kingdom scandinavia",
    "north_america": "canada mexico united_states cuba jamaica guatemala costa_rica panama",
    "south_america": "argentina bolivia brazil chile colombia ecuador peru uruguay venezuela",
    "oceania": "australia new_zealand",
    "scandinavia": "norway sweden denmark",
    "argentina": "buenos_aires cordoba", "australia": "sydney melbourne brisbane perth canberra "
    "adelaide", "austria": "vienna salzburg graz", "belgium": "brussels antwerp ghent",
    "brazil": "rio_de_janeiro são_paulo sao_paulo brasilia", "bulgaria": "sofia",
    "canada": "toronto montreal vancouver ottawa calgary ontario quebec british_columbia alberta",
    "ontario": "toronto ottawa", "quebec": "montreal", "british_columbia": "vancouver",
    "alberta": "calgary edmonton", "chile": "santiago", "china": "beijing shanghai shenzhen "
    "guangzhou hong_kong", "colombia": "bogota bogotá medellín medellin", "croatia": "zagreb split",
    "czechia": "prague brno", "denmark": "copenhagen aarhus", "ecuador": "quito guayaquil",
    "egypt": "cairo alexandria", "estonia": "tallinn tartu", "ethiopia": "addis_ababa",
    "finland": "helsinki tampere turku", "france": "paris lyon marseille nice toulouse bordeaux "
    "lille nantes strasbourg provence brittany normandy", "provence": "marseille avignon",
    "germany": "berlin munich hamburg cologne frankfurt stuttgart düsseldorf leipzig dresden "
    "bonn bavaria saxony", "bavaria": "munich nuremberg augsburg", "saxony": "leipzig dresden",
    "ghana": "accra", "greece": "athens thessaloniki crete", "hungary": "budapest",
    "iceland": "reykjavik", "india": "delhi new_delhi mumbai bangalore bengaluru chennai kolkata "
    "hyderabad pune kerala", "indonesia": "jakarta bali", "iran": "tehran", "iraq": "baghdad",
    "ireland": "dublin cork galway", "israel": "tel_aviv jerusalem haifa",
    "italy": "rome milan naples turin florence venice bologna sicily tuscany",
    "tuscany": "florence pisa siena", "sicily": "palermo catania",
    "japan": "tokyo osaka kyoto sapporo fukuoka yokohama", "kenya": "nairobi mombasa",
    "latvia": "riga", "lithuania": "vilnius", "malaysia": "kuala_lumpur penang",
    "mexico": "mexico_city guadalajara cancún cancun", "morocco": "casablanca marrakesh rabat",
    "nepal": "kathmandu", "netherlands": "amsterdam rotterdam utrecht the_hague eindhoven",
    "new_zealand": "auckland wellington christchurch", "nigeria": "lagos abuja",
    "norway": "oslo bergen trondheim stavanger tromsø", "pakistan": "karachi lahore islamabad",
    "peru": "lima cusco", "philippines": "manila cebu", "poland": "warsaw krakow kraków gdansk "
    "gdańsk wroclaw wrocław", "portugal": "lisbon porto faro", "romania": "bucharest cluj",
    "saudi_arabia": "riyadh jeddah", "senegal": "dakar", "serbia": "belgrade",
    "slovakia": "bratislava", "slovenia": "ljubljana", "south_africa": "cape_town johannesburg "
    "durban pretoria", "south_korea": "seoul busan", "spain": "madrid barcelona valencia seville "
    "bilbao málaga malaga catalonia andalusia", "catalonia": "barcelona girona",
    "andalusia": "seville málaga granada", "sri_lanka": "colombo",
    "sweden": "stockholm gothenburg malmö malmo uppsala",
    "switzerland": "zurich zürich geneva basel bern lausanne", "taiwan": "taipei",
    "tanzania": "dar_es_salaam", "thailand": "bangkok chiang_mai phuket", "tunisia": "tunis",
    "turkey": "istanbul ankara izmir", "uganda": "kampala", "ukraine": "kyiv lviv odesa kharkiv",
    "united_arab_emirates": "dubai abu_dhabi",
    "united_kingdom": "england scotland wales northern_ireland",
    "england": "london manchester leeds liverpool bristol birmingham oxford cambridge newcastle "
    "sheffield york brighton", "scotland": "edinburgh glasgow aberdeen dundee",
    "wales": "cardiff swansea", "northern_ireland": "belfast",
    "united_states": "california texas florida illinois washington_state massachusetts oregon "
    "colorado georgia_state pennsylvania michigan ohio arizona nevada utah hawaii alaska "
    "minnesota tennessee north_carolina new_jersey virginia maryland new_york "
    "washington_dc new_england wisconsin",
    "new_england": "massachusetts boston vermont maine", "new_york": "brooklyn manhattan queens "
    "bronx harlem", "california": "los_angeles san_francisco san_diego sacramento oakland "
    "san_jose berkeley", "texas": "austin houston dallas san_antonio", "florida": "miami orlando "
    "tampa", "illinois": "chicago", "massachusetts": "boston cambridge", "oregon": "portland",
    "washington_state": "seattle tacoma", "colorado": "denver boulder", "georgia_state": "atlanta",
    "pennsylvania": "philadelphia pittsburgh", "michigan": "detroit ann_arbor",
    "ohio": "cleveland columbus cincinnati", "arizona": "phoenix tucson",
    "nevada": "las_vegas reno", "utah": "salt_lake_city", "hawaii": "honolulu",
    "minnesota": "minneapolis", "tennessee": "nashville memphis",
    "north_carolina": "charlotte raleigh durham", "maryland": "baltimore",
    "wisconsin": "milwaukee madison", "venezuela": "caracas", "vietnam": "hanoi ho_chi_minh_city "
    "saigon", "uruguay": "montevideo", "cuba": "havana", "london": "camden hackney brixton",
    "berlin": "kreuzberg neukölln",
}
_ALSO_CALLED = {
    "usa": "united_states", "us": "united_states", "u.s": "united_states",
    "u.s.a": "united_states", "america": "united_states",
    "states": "united_states",
    "uk": "united_kingdom", "u.k": "united_kingdom",
    "britain": "united_kingdom", "great_britain": "united_kingdom",
    "holland": "netherlands", "uae": "united_arab_emirates",
    "czech_republic": "czechia", "washington": "washington_state", "nyc": "new_york",
    "new_york_city": "new_york", "sf": "san_francisco", "la": "los_angeles", "korea": "south_korea",
}
# fmt: on


def place(text: str) -> str:
    """Normalised name of a place: lowercase, one word."""
    name = "_".join(text.lower().replace(".", "").split())
    name = name.removeprefix("the_") if name != "the_hague" else name
    return _ALSO_CALLED.get(name, name)


def is_place(text: str) -> bool:
    """True if a text is the name of a known place."""
    return place(text) in _parents() or place(text) in _WITHIN


def within(inner: str, outer: str) -> bool:
    """True if one place, as text, is known to lie in another."""
    goal, ahead = place(outer), [place(inner)]
    parents = _parents()
    seen: set[str] = set()
    while ahead:
        for parent in parents.get(ahead.pop(), ()):
            if parent == goal:
                return True
            if parent not in seen:
                seen.add(parent)
                ahead.append(parent)
    return False


@cache
def _parents() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for outer, inners in _WITHIN.items():
        for inner in inners.split():
            found[inner] = (*found.get(inner, ()), outer)
    return found
