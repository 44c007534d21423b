"""What a household tells its memory: lasting facts, what is of the day, and questions."""

from __future__ import annotations

LASTING = """
Henrik's blood type is O negative
Anna's blood type is AB positive
Henrik was born on 3 February 1978
Anna's birthday is 21 September
Selma was born on 9 May 2013
Theo's birthday is the 30th of November
Grandma Lotte's birthday is 12 July
Henrik and Anna married on 18 August 2007
We live at 8 Tannery Lane, 4051 Basel
Grandma Lotte lives at 15 Quarry Road, Bern
Our home phone number is 061 555 01 22
Anna's mobile number is 079 555 01 87
Henrik's mobile number is 079 555 01 88
Uncle Beat has had a pacemaker since 2018
Selma is allergic to hazelnuts and carries an EpiPen
Theo has asthma and uses a blue inhaler
Henrik is allergic to penicillin
Grandma Lotte is diabetic and injects insulin
Anna cannot eat gluten
Grandpa Emil takes blood thinners
Theo must never be given ibuprofen
Selma is afraid of deep water
In an emergency call Aunt Ruth on 079 555 01 40
The emergency meeting point is the fountain in the square
Poison control is 145
Our family doctor is Dr Meier on Spalen Street
The children's dentist is Dr Kunz
Henrik's passport number is X1402277
Anna's passport number is X1402278
Anna's social security number is 756.1234.5678.97
The car's licence plate is BS 40217
The health insurance policy number is 4471-902
The household insurance is with the Mobiliar, policy 88-1203
Our bank account number is CH93 0076 2011 6238 5295 7
The wifi password is otter-lantern-9
The alarm code is 2946
The bicycle lock code is 7710
The main water valve is behind the laundry door
The fuse box is in the cellar corridor
The spare key is with Mrs Amsler next door
Mrs Amsler's phone number is 061 555 01 35
Our landlord is Mr Bianchi, 061 555 01 60
The caretaker is called Zoran
Never ring the bell after eight in the evening
Always answer Grandma Lotte in Swiss German
Always use metric units
Never share our address with anyone
Please always keep answers short
Never book flights before nine in the morning
Shoes are never worn inside the house
Henrik is a vegetarian
Anna does not drink alcohol
Selma hates mushrooms and never eats them
Theo's favourite colour is orange
Our cat is called Miso
Miso's microchip number is 756098100234567
Miso is allergic to chicken
The tortoise is called Kurt and was born in 1996
Never give Miso milk
The vet is Dr Frei, 061 555 01 71
Henrik's mother tongue is Swedish
Anna is from Lugano and speaks Italian with the children
Henrik's full name is Henrik Johan Lindahl
Selma's second name is Beatrix
Anna's maiden name is Ferrari
Theo's godmother is Aunt Ruth
Selma's godfather is Uncle Beat
Henrik works as an organ builder
Anna is a physiotherapist at the university hospital
Selma wears glasses, minus two in both eyes
Theo's shoe size is 34
Anna's shoe size is 38
Henrik has a titanium plate in his left wrist
Anna had her appendix removed in 2003
Grandpa Emil wears hearing aids in both ears
Grandpa Emil died on 2 January 2021
Aunt Ruth is married to Claire
Uncle Beat lives in Winterthur
Selma goes to the Wettstein school, class 5b
Theo's teacher is Mrs Yilmaz
Selma's piano teacher is Mr Oberholzer
The rubbish is collected every Monday and Thursday
The cleaning lady, Ines, comes every Friday morning
Anna swims every Wednesday evening
The rent is due on the first of every month
The boiler is a Hoval, serial number 55-20881
The electricity meter number is 1EMH0098
The car takes diesel, never petrol
The tyres of the car are 205/55 R16
The safe combination is 31-8-64
Our wills are with the notary Dr Bürgin
Henrik and Anna are both organ donors
Henrik's bicycle frame number is WSB 77120
The library card number is 20441907
Anna's frequent flyer number is 992004417
The church book says Selma was baptised on 6 October 2013
Henrik is left-handed
Theo is colour-blind
Anna gets migraines from red wine
Selma must sit in the front of the car because she gets sick
Henrik cannot lift heavy things because of his back
Anna takes thyroxine every morning
Nobody but Anna, Henrik or Ruth may pick the children up from school
Call Theo by his full name only when it is serious
Grandma Lotte must not be told about the surprise trips
Henrik's employer is the Kuhn workshop in Männedorf
The name on our doorbell is Lindahl-Ferrari
Our anniversary restaurant is the Harmonie
The smoke detectors take nine-volt batteries
The first-aid kit is in the top drawer of the bathroom
The summer house is at Via Lago 3, Morcote
The key of the summer house is number 14 on the board
Anna's e-mail address is anna@lindahl.example
"""
"""Facts that must never fall below active."""

PASSING = """
The plumber repaired the kitchen tap for 140 francs
Henrik bought a second-hand accordion at the flea market
The new curtains in the living room are moss green
We watched a film about glaciers on Sunday
Theo lost his red scarf on the tram
Selma won third prize at the drawing contest
Anna baked a plum tart for the school fair
The washing machine was leaking in March
Aunt Ruth brought saffron from Iran
The neighbours had their roof repaired
We planted raspberries along the fence
Henrik ran the city race in 52 minutes
The hotel in Arosa cost 180 francs a night
The train to Milan was an hour late
Selma finished the third book about the dragon school
Theo built a bridge out of matches
Grandma Lotte visited us in the second week of May
The toaster broke and we ordered a silver one
Anna met her cousin Chiara in Bellinzona
We saw a marmot on the hike to the Oeschinen lake
The car was at the garage for new brakes
Henrik tuned the organ of the monastery in Mariastein
The electrician moved the socket behind the sofa
Uncle Beat lent us his tent
We ate fondue at Claire's place
The cherry tree carried almost nothing
Selma's class went to the museum of paper
Theo had a fever for three days
The parcel with the lamp arrived damaged
We painted the hallway pale yellow
The swimming pool was closed for repairs
Anna's conference in Geneva was about knee operations
The tomatoes on the balcony caught blight
Henrik lost his wallet at the station and got it back
Mrs Amsler watered our plants in August
The concert of the boys' choir was sold out
We bought a used kayak from a man in Rheinfelden
The cellar was flooded after the storm
Theo scored two goals against Binningen
Selma cut her own fringe
The chimney sweep came in October
We had raclette with Zoran and his wife
The ferry across the Rhine was out of order
Anna read a novel about a lighthouse keeper
Henrik repaired the cuckoo clock
A heron stood at the pond
The dishwasher was installed by two students
The school fair raised 900 francs
Selma slept over at her friend Nour's
Theo's tooth fell out in the tram
We ordered firewood from a farmer in Reigoldswil
The bakery on the corner changed hands
Anna found a hundred-franc note in an old coat
The lecture on bees was longer than expected
We took the night train to Hamburg
Henrik's brother sent a crate of cloudberries
The lift was out of service for a week
Miso brought a sparrow into the kitchen
The tortoise escaped into the neighbours' garden
Selma painted the shed door blue
Theo traded his marbles for a compass
The picnic was rained out
Aunt Ruth's exhibition opened in a former brewery
We watched the eclipse from the bridge
The dentist gave Theo a sticker
Anna burnt her hand on the oven tray
The bus driver waited for us
The violin was lent to Nour
Henrik carved a spoon from pear wood
The jam did not set
We found chanterelles above Langenbruck
The carpet was cleaned for 220 francs
The puppet theatre played a story about a whale
Selma's telescope needs a new eyepiece
Theo wrote a letter to an astronaut
The new mattress was delivered by a rude man
Anna's bicycle was stolen and found again
We counted nineteen lizards on the wall
The walnut harvest filled four sacks
Claire taught us a card game from Quebec
The carnival lanterns were about the tram lines
Henrik dropped the blue vase
The sledge run at Prés-d'Orvin was icy
Selma played a troll in the school play
The choir sang in the hospital at Christmas
Theo's kite got stuck in the poplar
We borrowed the raclette oven from Mrs Amsler
The power cut lasted forty minutes
Anna bought a loom on an auction site
The guided tour of the water works was free
Uncle Beat's boat has a new engine
The photographs of the summer were printed in October
We tried the Ethiopian restaurant near the station
The trampoline was folded up for the winter
Selma's plaster came off
The swallows left early
Henrik's talk about pipe organs had forty listeners
The jigsaw puzzle of Venice has a missing piece
Theo's class hatched six chicks
The raft race ended in the reeds
Anna's sourdough starter died
We bought the fir tree from the foresters
The museum night ended at two
A branch fell on the parking space
Grandma Lotte knitted a grey jumper for Theo
The ski lift ticket was 48 francs
Selma swapped her desk with Theo
The street was closed for the cycling race
We heard a nightingale by the canal
Henrik's old kiln went to the youth centre
The market stall with the goat cheese moved
Anna's team won the hospital's quiz
The tram stop was renamed
Theo's aquarium needs a new pump
The beans were eaten by snails
The locksmith charged 95 francs
We missed the last cable car in Wengen
The attic was insulated with sheep's wool
Selma's sunflower grew to two metres
The radio play about the moon was frightening
Claire's car broke down in the Gotthard tunnel
"""
"""Memories that may fall to archived, and are found all the same."""

QUESTIONS = """
What is Henrik's blood type?
When is Anna's birthday?
When was Selma born?
When did Henrik and Anna marry?
Where do we live?
What is Anna's mobile number?
Who has a pacemaker?
What is Selma allergic to?
Which medicine must Theo never be given?
Whom do we call in an emergency?
What is the wifi password?
What is the alarm code?
Where is the main water valve?
Who has the spare key?
What is the cat allergic to?
What is Henrik's mother tongue?
When did Grandpa Emil die?
Who may pick the children up from school?
What is the licence plate of the car?
Where is the first-aid kit?
What did Henrik buy at the flea market?
What colour are the new curtains?
Where did Theo lose his red scarf?
What did Aunt Ruth bring from Iran?
How fast did Henrik run the city race?
What did the hotel in Arosa cost?
Where did we see a marmot?
Where did Henrik tune the organ?
Who lent us his tent?
What colour is the hallway?
What was Anna's conference in Geneva about?
Whom did we buy the kayak from?
How many goals did Theo score against Binningen?
When did the chimney sweep come?
What did the school fair raise?
Where did we order firewood?
What did Henrik's brother send?
What did Theo trade for a compass?
Where did we find chanterelles?
What did the puppet theatre play?
How many lizards did we count on the wall?
What did Claire teach us?
Which part did Selma play in the school play?
Where did Theo's kite get stuck?
What did Grandma Lotte knit for Theo?
How much did the locksmith charge?
What was the attic insulated with?
How tall did Selma's sunflower grow?
"""
"""Questions whose first hit must stay the same for the whole year."""


def lines(text: str) -> list[str]:
    """The lines of a list."""
    return text.strip().splitlines()
