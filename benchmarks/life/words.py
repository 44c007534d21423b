"""The words that a made-up life is told in: people, projects, things, and what happens to them."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.replace("\n", " ").split(",") if phrase.strip())


FIRST = _words("""
Nadia Omar Priya Lukas Ingrid Tomasz Aiko Bruno Chiara Dmitri Elif Farid Greta Hamid Ines Jonas
Keiko Leila Marek Noor Oskar Paula Quentin Rosa Samir Tilda Ugo Vera Wanda Yusuf Zoe Anton Bea
Carlos Dorota Emil Fiona Goran Hanna Ivo
""")
LAST = _words("""
Adler Bergman Castro Duarte Eriksen Falk Gruber Hoffmann Ibarra Janssen Kovacs Lindqvist Moreau
Novak Okafor Petrov Quist Rahman Sandoval Tanaka Ulrich Varga Weiss Yilmaz Zimmer Abbott Brandt
Costa Dietrich Engel
""")
CITIES = _words("""
Lisbon Ghent Tallinn Graz Porto Utrecht Malmö Leipzig Turin Basel Krakow Bergen Seville Lyon Cork
Riga Bologna Aarhus Split Tampere Bremen Nantes Brno Vilnius Trieste Dundee Linz Haarlem Girona
Bari
""")
COMPANIES = _words("""
Initech Voltera Nimbus Corvid Halden Quantor Sablewood Marlin Octavia Brightside Fenwick Lumora
Arkady Pinefold Delphine Kestrel-Labs Umbra Riverstone Tessella Wexford Juniper-Health Galvani
""")
JOBS = _phrases("""
a data engineer, a nurse, an architect, a product manager, a tax adviser, a teacher,
a physiotherapist, a designer, a security analyst, a carpenter, a journalist, a biologist,
a translator, a site reliability engineer, a baker, a project lead, an accountant,
a sound engineer, a gardener, a lawyer
""")
TEAMS = _phrases("""
payments, mobile, search, platform, growth, billing, onboarding, data, infrastructure, design,
compliance, support
""")
FOODS = _words("""
almonds shellfish celery sesame mustard lupins kiwis strawberries mangoes lentils walnuts soy
eggs gluten peaches tomatoes aubergines pineapple hazelnuts coriander
""")
DRINKS = _phrases("""
black coffee, oat flat white, peppermint tea, earl grey with lemon, sparkling water,
double espresso, rooibos, hot chocolate, ginger tea, decaf cappuccino, iced matcha, buttermilk
""")
ANIMALS = _words("dog cat parrot tortoise rabbit hamster pony gecko")
PETS = _words("""
Biscuit Pixel Mango Nori Tofu Rufus Olive Ziggy Pepper Waffles Luna Basil Fig Mochi Domino Clover
Rocket Hazel Bandit Pickle
""")
CARS = _phrases("""
Volvo estate, Fiat Panda, Tesla, Skoda Octavia, Toyota Yaris, Mini, Dacia Duster, Mazda,
Peugeot 208, Volkswagen van
""")
COLOURS = _words("red blue green silver white black yellow grey orange turquoise")
HOBBIES = _phrases("""
rowing, restoring old radios, bouldering, keeping bees, singing in a choir, playing chess,
foraging, building kayaks, fencing, long-distance cycling, pottery, birdwatching, calligraphy,
orienteering, brewing cider, playing the cello, sailing, quilting, astronomy, parkour
""")
LANGUAGES = _words(
    "Portuguese Japanese Arabic Finnish Polish Turkish Catalan Hindi Greek Hungarian"
)
EVENTS = _phrases("""
the Lisbon conference, a cooking class, the housewarming of the Falks, a hackathon in Graz,
the school reunion, a train delay in Ghent, the climbing hall, a job interview, the summer party,
the allotment society, a book launch, the night of the museums
""")
PROJECTS = _words("""
Heron Basalt Cinder Dovetail Ember Fjord Gannet Harbor Iris Jackdaw Kelp Lantern Meridian Nettle
Obsidian Plover Quarry Rookery Sextant Thistle Umber Vesper Willow Xenon Yarrow Zephyr Alder
Bramble Compass Driftwood Elmwood Foxglove Granite Hawthorn Indigo Juniper Kingfisher Larkspur
Mulberry Nightjar Orchard Pebble Quill Ridgeway Saffron
""")
COMPONENTS = _phrases("""
exporter, login page, search index, billing job, notification service, importer, audit trail,
cache, rate limiter, admin console, report builder, mobile sync, backup script, feature flags,
webhooks, onboarding flow, permission model, migration tool, error pages, image pipeline,
scheduler, metrics
""")
TOOLS = _words("""
PostgreSQL SQLite Redis Kafka NATS Terraform Ansible Grafana Prometheus Elasticsearch DuckDB
Django FastAPI Svelte React Rust Go Kotlin Celery Nginx Caddy Vault MinIO ClickHouse RabbitMQ
Airflow dbt Playwright Sentry Kubernetes Nomad Podman
""")
REASONS = _phrases("""
it needs no server, the team knows it, the licence is free, the old one lost events,
it halves the build time, the client insists, it runs on their hardware, latency was too high,
nobody maintains the alternative, it passed the security review, it is cheaper by a third,
migration can be undone
""")
CLIENTS = _phrases("""
the city library, Brandt Logistics, a hospital in Graz, the water board, Orchid Hotels,
the art school, Nordbank, a chain of bakeries, the tram company, Sola Insurance,
the botanical garden, Pfeiffer Tools
""")
MEETINGS = _phrases("stand-up, planning, retrospective, review, steering meeting, design session")
ISSUES = _phrases("""
flaky tests, the missing translations, a slow query, the holiday cover, unclear requirements,
the rising cloud bill, an expired certificate, the accessibility report, duplicate invoices,
the broken staging server, a late supplier, data retention, the noisy alerts, test devices,
the naming of endpoints, a memory leak, time zones, the new logo
""")
ACTIONS = _phrases("""
write a proposal, call the supplier, look into it, prepare a demo, update the tickets,
talk to the client, book a room, review the patch, measure it again, draft the announcement,
pair with the new colleague, clean up the backlog
""")
VERBS = _words(
    "merged drafted reviewed rewrote tested finished profiled documented deployed reverted"
)
LEFT = _phrases("tests, tickets, screens, endpoints, review comments, translations, edge cases")
THINGS = _phrases("""
boiler, dishwasher, washing machine, espresso machine, cargo bike, lawn mower, router, heat pump,
freezer, tent, piano, sewing machine, projector, vacuum cleaner, bread oven, water filter, camera,
drill, e-bike, printer, radiator in the hall, roof window, garden shed, smoke detector, sofa,
standing desk, air purifier, rain barrel, doorbell, kayak
""")
SHOPS = _phrases("""
the market hall, Lindner, the corner shop, Bauhaus, the organic store, Kessler,
the second-hand depot, the pharmacy, the bakery on Mill Street, the garden centre, Radhaus,
the stationer
""")
ITEMS = _phrases("""
oat milk, light bulbs, cat litter, olive oil, stamps, batteries, sandpaper, coffee beans,
bin bags, basil, a birthday card, bread flour, printer paper, dishwasher salt, cough drops,
candles, potting soil, toothpaste, cinnamon, screws, sunscreen, rice, apples, a bicycle tube,
envelopes, parmesan, soap, tomato plants, wrapping paper, honey
""")
PLACES = _phrases("""
the blue tin in the kitchen, the top drawer of the desk, the neighbours on the second floor,
the box under the stairs, the hook behind the door, the glove compartment, the cellar shelf,
the red folder, the attic, the coat pocket, the garage cabinet, the office locker
""")
TOPICS = _phrases("""
the football final, the late tram, the heatwave, a new bakery, the school play, the price of rent,
a strange dream, the election, the broken lift, a film about whales, the neighbours' renovation,
holiday plans, the pub quiz, a lost umbrella, the marathon, a wedding, the new phone, the flu,
gardening, a podcast on volcanoes, the road works, a haircut, mushrooms, the train strike,
an art exhibition, a recipe for dumplings, the old school, video games, the moon,
a stolen bicycle
""")
MOODS = _words("amused annoyed excited tired sceptical delighted worried relieved bored curious")
ROUTES = _phrases("""
the canal, the north park, the old railway, the lake, the vineyard path, the harbour,
the castle hill, the river meadows
""")
TITLES = _phrases("""
The Salt Path, Winter Harvest, A Quiet Machine, Nine Bridges, The Cartographer, Low Tide,
Paper Lions, The Glass Orchard, Northbound, Midnight Cartons, The Ferryman's Daughter,
Small Engines, Ash and Elm, The Long Weekend, Static, Seven Kinds of Rain, Red Clay,
The Understudy, Inland, A Hundred Doors, Blue Hour, The Apprentice Baker, Hollow Ground,
Letters to Turin, Undertow
""")
APPOINTMENTS = _phrases("""
dentist, eye test, haircut, parents' evening, tax appointment, car inspection, vaccination,
physio, bank appointment, viewing of the flat, chimney sweep, theatre, dinner, farewell drinks,
notary, piano lesson
""")
SIGHTS = _phrases("""
the maritime museum, the central library, the botanical garden, the swimming pool, the castle,
the flea market, the photography gallery, the town archive, the planetarium, the covered market
""")
WEEKDAYS = _words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = _words(
    "January February March April May June July August September October November December"
)
TASKS = _phrases("""
rotate the signing keys, descale the espresso machine, restore a backup, release the mobile app,
file an expense report, bleed the radiators, add a new tenant, renew the certificate,
onboard a colleague, reset the router, book the meeting room, prune the apple tree,
replay the event log, bottle the cider, archive a project, run the load test, order spare parts,
close the month, publish the newsletter, clean the water filter, migrate the database,
cut a hotfix, export the invoices, wax the skis, rebuild the search index,
request a visitor badge, defrost the freezer, update the firmware, approve a contractor,
wind the old clock
""")
WHERE = _phrases("""
on staging, in production, at home, for Nordbank, on the old laptop, in the office, on a Friday,
without help
""")
STEPS = _phrases("""
open the admin console, unplug it, stop the workers, ask Marek for the token,
fill in the blue form, check the dashboard, run the dry run, wait ten minutes, take a snapshot,
note the serial number, send a message to the channel, turn the valve, clear the cache,
sign the sheet, warn the on-call, compare the checksums, switch to maintenance mode, rinse twice,
tag the commit, restart the service
""")
ERRORS = _phrases("""
error 503, a checksum mismatch, 'permission denied', a timeout after 30 s, error E17, 'disk full',
a red light, a certificate warning, 'lock held', an empty report, error 42, a broken pipe
""")
FIXES = _phrases("""
restarting the scheduler, raising the file limit, a fresh token, turning it off for a minute,
deleting the lock file, running it as the service user, cleaning the contacts, the older driver,
warming the cache first, a shorter cable, setting the time zone to UTC,
one worker instead of four
""")
SUBJECTS = _phrases("""
write amplification, cold starts, vector search, tail latency, battery life, sourdough hydration,
soil acidity, sleep and caffeine, bicycle tyre pressure, heat pump efficiency, tree canopies,
spaced repetition, retrieval noise, compression, snapshot isolation, light pollution,
group commit, noise insulation, running cadence, connection pools, image formats,
index fragmentation, indoor air, consensus rounds, type checking
""")
FINDINGS = _phrases("""
improves by {n} percent, gets worse above {n} units, is measured best over {n} days,
hardly changes below {n} degrees, costs about {n} euros a month,
was overestimated by a factor of {n}, doubles after {n} hours, needs at least {n} samples
""")
CHOICES = _phrases("""
meetings/in the morning/in the afternoon, code reviews/in small pieces/all at once,
flights/an aisle seat/a window seat, summaries/as bullet points/as prose,
lunch/something warm/a salad, holidays/by the sea/in the mountains,
trains/the quiet coach/a table seat, charts/bars/pies, hotels/near the station/in the old town,
emails/short/detailed, tests/pytest/unittest, weekends/at home/out of town,
music at work/none/instrumental, dates/in ISO form/spelled out,
birthdays/a small dinner/a big party, coffee breaks/at ten/at eleven,
commuting/the bicycle/the tram, documents/plain text/slides, invoices/by post/by email,
calls/with video/without video, running/before breakfast/after work, films/with subtitles/dubbed,
gifts/books/vouchers, plants/herbs/flowers, budgets/monthly/weekly,
passwords/in the manager/on paper, phone/silent/with ringtone, walls/off-white/a strong colour,
pasta/al dente/soft, beds/hard/soft
""")
OCCASIONS = _phrases("""
with clients, with the family, on Mondays, in winter, when travelling, before a deadline,
in summer, at the office
""")
