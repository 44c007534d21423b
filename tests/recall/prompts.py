"""Prompts of the kinds that people give to agents, written for these tests."""

from __future__ import annotations

RECALL = {
    "coding agents": """
        What was the outcome of PR 317?
        What did the reviewer object to in scheduler.py?
        Continue where we left off yesterday
        Is issue #204 still open?
        Why did we drop support for Python 3.8?
        Which commit broke the nightly build?
        Who merged the retry change?
        What's left to do on the storage migration?
        Have we already tried pinning the compiler?
        Where did you put the release checklist?
        Did the last deploy go through?
        What did you change in Makefile.toml last time?
        Summarize what you did in the previous session
        Which tests did you skip, and why?
        What is the status of ticket INFRA-88?
        How did we fix the race in the uploader?
        What are our rules for commit messages?
        What was I working on before lunch?
        Remind me why the cache is keyed by tenant
        Show me the notes on the latency incident
        """,
    "teams": """
        What did Ilse promise the client?
        Who owns the onboarding project?
        When is the next design review?
        What did marketing say about the launch?
        How did the interview with the second candidate go?
        Did Tomasz approve the budget?
        What was decided in Thursday's meeting?
        Which vendor did we pick for the badges?
        Where are we with the security audit?
        What does Farid think of the new roadmap?
        What was the reason for moving the deadline?
        Who is out of office this week?
        Has the contract with Brightwater been signed yet?
        What did we agree on with legal?
        What is the plan for the offsite?
        How much of the travel budget did we spend last year?
        Did anyone report the outage to the customer?
        What feedback did Noor give on the proposal?
        """,
    "personal facts": """
        What is the name of my hamster?
        What's my sister's address?
        When is my dentist appointment?
        What size shoes do I wear?
        Which pills do I take in the morning?
        How much did I pay for the bicycle?
        Where did I park the car?
        What was the title of the podcast I liked so much?
        Do I have any allergies?
        How many days ago did I attend the pottery class?
        What did I have for dinner on Tuesday?
        Who gave me the blue scarf?
        How long have I been learning Portuguese?
        What time does my train leave tomorrow?
        Which of my cousins lives in Oslo?
        When did I last see the eye doctor?
        What was my old phone number?
        How old was I when we moved to Leeds?
        What is my favourite tea?
        In which year did my parents get married?
        How many books have I read this year?
        What do I usually order at the Thai place?
        """,
    "earlier talk": """
        What did you recommend for my back pain?
        In what order did I bring up the three trips?
        You said something about a museum pass, what was it?
        Can you remind me of the recipe we talked about?
        What was the second book on the list you gave me?
        Did I ever tell you about my time in Ghana?
        What do you know about my brother?
        Based on our earlier chats, what motivates me?
        What were the three options you suggested?
        As I mentioned last week, I have a new job. Which company was it?
        Have I told you my shoe size?
        What was the joke you told me about the penguin?
        How many times have I asked about visas?
        Which of the apartments did I say I liked best?
        What did we talk about last time?
        Do you remember the name of my landlord?
        """,
    "friends in a chat": """
        When did Brigitte start running?
        What does Kwame do for a living?
        Which instrument did Lena learn as a child?
        How many cats does Oskar have?
        Where did Yuki and her brother grow up?
        What did Rosa cook for the party?
        Is Anders afraid of heights?
        Why did Petra quit her job?
        What is Malik's favorite film?
        Who did Greta meet at the conference?
        Does Helga like hiking more than swimming?
        What gift did Sanjay get from his aunt?
        How did Imani feel after the exam?
        What are Diego's plans for the summer?
        Which countries has Freya visited?
        What did Carmen's doctor advise her?
        How long has Ravi been a vegetarian?
        What kind of dog did Nadia adopt?
        When is Tunde moving to Berlin?
        What happened to Paulo's bike?
        """,
    "advice from what is known": """
        Can you suggest a hotel for my upcoming trip to Lisbon?
        What should I get my mother for her birthday this year?
        Given my budget, which of the two laptops did I prefer?
        Based on what I told you about my knees, is the marathon plan fine?
        Considering my allergies, which of the dishes we discussed is safe?
        Recommend something to watch that fits my taste and what I watched last week
        """,
}
"""Prompts that ask for something remembered, by the kind of source, one a line."""

OTHER = {
    "quizzes": """
        Who painted The Night Watch?
        What is the capital of Mongolia?
        In which year did the Berlin Wall fall?
        Which planet has the most moons?
        Who was the first woman to win a Nobel Prize?
        What does HTML stand for?
        How many strings does a violin have?
        Which river flows through Budapest?
        What is the boiling point of ethanol?
        Who wrote the novel Middlemarch?
        Which actor played the title role in the 1962 film Lawrence of Arabia?
        What was the name of Alexander the Great's horse?
        How tall is Mount Kilimanjaro?
        When was the printing press invented?
        What kind of animal is a lemming?
        Which English king signed Magna Carta?
        Where are the Galapagos Islands?
        What causes tides?
        Who directed Seven Samurai?
        What is the currency of Vietnam?
        """,
    "searches": """
        who sang the theme song of golden eye
        when does the new season of the great pottery show start
        what is the population of nova scotia
        how long do tortoises live
        who plays the butler in the mansion series
        what is the legal drinking age in japan
        where was the first olympic games held
        what do you call a group of crows
        how many calories are in a banana
        when did the titanic sink
        who is the richest person in the world
        what is the meaning of the word serendipity
        how far is the moon from the earth
        largest lake in south america
        who won the world cup in 1998
        """,
    "instructions": """
        Write a poem about the sea in autumn.
        Find synonyms for the given word.
        Translate the following sentence into German.
        Summarize the article below in three bullet points.
        Suggest five names for a bakery.
        Generate a quiz about the solar system.
        Explain photosynthesis to a child.
        Classify the review as positive or negative.
        Give me three tips for a job interview.
        Rewrite this paragraph in a friendlier tone:
        Create a packing list for a week in the mountains.
        Compare electric and diesel cars.
        Describe the taste of a mango to someone who has never had one.
        You are given a list of numbers. Return the largest one.
        Imagine that you are a pirate and greet a new sailor.
        Make a table of the five longest rivers.
        Tell me a joke about accountants.
        List the ingredients of a classic ratatouille.
        Convert 12 miles to kilometres.
        Compose a short email that declines an invitation.
        Brainstorm slogans for a bicycle shop.
        Identify the verb in the sentence.
        """,
    "coding tasks": """
        Fix the failing test in foo.py
        Implement a rate limiter with a token bucket
        Add a dark mode toggle to the settings page
        Refactor the parser into smaller functions
        Write unit tests for the date module
        How do I sort a dictionary by value in Python?
        What does the volatile keyword do in Java?
        Explain the error 'undefined is not a function'
        Rename the variable tmp to buffer in main.c
        Convert this shell script to PowerShell
        What is the difference between a mutex and a semaphore?
        Upgrade the dependencies and run the linter
        Please make the button larger on mobile
        Create a migration that adds an index on email
        Why is my query slow?
        Remove the unused imports from views.py
        Set up a GitHub action that builds the docs
        Can you write a regex that matches ISO dates?
        """,
    "support": """
        How do I reset my password?
        My parcel has not arrived
        What can I do to verify my identity?
        Why was I charged an extra fee?
        I want to cancel my membership
        Do you deliver to Norway?
        Is there a fee for paying by card?
        Where can I download my invoice?
        The app crashes when I open the camera
        Can I change the name on my ticket?
        How long does a refund take?
        I lost my card, what should I do?
        My payment was declined
        Can someone else collect my order?
        What are your opening hours on Sunday?
        I need a table for six on Friday evening
        I am looking for a cheap guesthouse near the station
        How can I upgrade to the family plan?
        """,
    "everyday how and why": """
        How do you remove red wine from a carpet?
        What is the best way to learn a language?
        Is it safe to eat raw mushrooms?
        Why do cats purr?
        Should I rent or buy a flat?
        What are some good exercises for the lower back?
        How much water should a person drink each day?
        Can dogs eat grapes?
        What is a good substitute for butter?
        How does a heat pump work?
        What happens if you mix bleach and vinegar?
        Are there any vegan cheeses that melt?
        """,
    "with the data in the prompt": """
        Mara has 12 apples and gives 5 to Joel. How many apples does Mara have left?
        A train leaves at 9:15 and takes 2 hours and 50 minutes. When does it arrive?
        Lukas is older than Ines, and Ines is older than Bo. Is Lukas older than Bo?
        Here is my cover letter. Can you correct the grammar?
        Tia paid 3 dollars for each of 4 pens. How much did Tia pay?
        """,
}
"""Prompts that ask for something else, by the kind of source, one a line."""


def lines(text: str) -> list[str]:
    """The lines of a block, without their indent."""
    return [line.strip() for line in text.strip().splitlines()]
