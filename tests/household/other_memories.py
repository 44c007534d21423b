"""Another household's facts, talk and questions; no weights are fitted to them."""

from __future__ import annotations

LASTING = """
Officially I'm Theodora Vance, but everyone says Teddy
My date of birth: 30 Dec 1971
Jonah's big day is the fifth of April each year
The twins were born at 4 a.m. on 7 August 2018
Before marrying I was called Lindqvist
Type A positive, according to my donor card
Cats make my eyes swell shut
Our spaniel reacts badly to chicken
Onions are poison for Bruno, he's a beagle
Hazel outgrew her egg allergy but nuts are still off limits
Sulfa drugs nearly killed me in 1999
It isn't gluten that Matteo can't tolerate, it's fructose
Strawberries bring Lotta out in a rash
Grandpa's hearing is gone in the right ear
I carry a nitroglycerin spray for my angina
Ines has type 1 diabetes and wears a pump
My uncle gets dialysis three times a week
Pavel has one kidney
Rosa is deaf and uses sign language
I have a stent since my heart attack
Flashing lights trigger my migraines, keep them off
My daughter is autistic and dislikes being touched
Home is 1120 Alder Crescent, Apartment 9C, Duluth
Deliver parcels to number 14 if we are out, Mrs Kaya takes them in
We're registered to vote at 6 Hollow Lane, Stroud
My mobile is +44 7700 900 461
Work phone for Dana: extension 3317
My daughter's godfather is Emeka, 0131 496 0752
The plumber we trust is Arturo, tel. 555 0119
Passport of Ines: PA0993812, valid to 2031
Tax ID 34-9917723
IBAN for rent: DE44 5001 0517 5407 3249 31
Library card 20019 55412
The router's password is maple7boat
Alarm gets disarmed with 9034
There's a spare house key under the third flowerpot
The stopcock is in the utility cupboard, turn it clockwise
Speak to me in English, even if I slip into Dutch
Call me ma'am and I will scream, so don't
Only ever suggest vegetarian recipes to me
Prices should be quoted in Canadian dollars
Don't phone Agnes before ten, she sleeps late
Any photo of the kids stays offline
Remind me of nothing on Sundays
Always double-check the dosage before telling me
If a bill is over 200 euros, ask me first
Keep replies under a hundred words
My pronouns: she/her
I'm Jewish and keep kosher
Grandma Pia doesn't fly
Bertie is scared stiff of dogs
I can't read small print without my glasses
My husband is called Ansel and he is a roofer
Lena and Jakob are my only children
Tortoise is named Admiral and he is forty
My sister lives in Trondheim with her three boys
Mother died on 14 February 2010
We've been married since 1994
I was a nurse for thirty years and retired in 2019
My ring size is 54
"""
PASSING = """
Long day, off to bed
The tram stopped for twenty minutes at Central
Made a big pot of lentil stew
Feeling a bit low this evening
Off to the post office, back soon
Foggy all morning
Fetched the twins from judo
Good luck to the team tonight
A dog barked all night next door
We spotted two deer on the hill
Don't let me forget the bread rolls later
Great, thank you
My laptop is at two percent
The twins had cake at Jonah's party
They ran out of flu jabs at the surgery
Ansel is cross about the roof tiles
Agnes rang about the raffle
Got through half of the crossword
Dinner came to sixty-two euros
Posted the forms to Duluth this morning
The dishwasher is making a funny noise
The ferry was cancelled because of wind
Bruno rolled in something awful
My back is a little stiff today
Lena's essay is due the day after tomorrow
The electrician will come after lunch
I read three pages and fell asleep
We're out of coffee filters
Pavel is at the gym
The moon was huge tonight
The doctor said my cough is nothing
I overslept and skipped breakfast
Sunshine expected for the weekend
Reserved two seats for the matinee on Sunday
Left my scarf in a taxi
The escalator was broken
Emeka returned the drill
Drove Jakob to the station
Matteo lost at chess again
The rice was overcooked
Still no reply from the landlord
The new curtains cost 140 dollars
A storm is coming on Tuesday
Dana is away this week
My throat is less sore than on Monday
The museum was packed
Swam twenty lengths at lunch
No bananas at the shop
Something rattles under the bonnet
We did a jigsaw until late
Hazel has a runny nose
Ines had a late shift yesterday
The scanner would not connect
Someone took my parking space
Raked the leaves at last
I forgot my badge at home
The bakery shuts at two today
Rosa is making pancakes
The call is pushed back an hour
What a silly film that was
"""
QUESTIONS = """
what is Theodora called by everyone?
what is my date of birth?
when is Jonah's birthday?
when were the twins born?
what was my name before I married?
which blood type is on my donor card?
what makes my eyes swell?
what does our spaniel react to?
what is poison for Bruno?
what is still off limits for Hazel?
which drugs nearly killed me?
what can't Matteo tolerate?
what gives Lotta a rash?
which ear does grandpa not hear with?
what do I carry for my angina?
who has type 1 diabetes?
how many kidneys has Pavel?
who uses sign language?
what triggers my migraines?
where is home in Duluth?
who takes in our parcels?
what is my mobile number?
what is Dana's extension?
who is my daughter's godfather?
which plumber do we trust?
what is the passport number of Ines?
what is the password of the router?
where is the spare house key?
where is the stopcock?
in which currency should prices be quoted?
when should Agnes not be phoned?
from which bill on should you ask me first?
how long may replies be?
what does Ansel do for a living?
what is the tortoise called?
where does my sister live?
when did mother die?
who returned the drill?
what did the curtains cost?
how much was dinner?
"""
