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
        I have been sleeping badly lately. Any advice?
        Can you recommend a novel that I might enjoy?
        I'm torn between two job offers. What do you think I should do?
        My tomato plants look sad again. Do you have any suggestions?
        """,
    "agents, tersely": """
        catch me up on the billing work
        any update on the flaky test
        what's the latest on PR #90
        where were we
        who's on call this week
        did the migration finish
        pull up the notes on the vendor call
        what was that command I used to clear the cache
        why is the retry limit set to 5 in config.py
        which agent touched scheduler.py last
        what did you find out about the memory leak
        have you seen this error before
        how did you solve the timeout yesterday
        what's blocking release 2.4
        what did QA say
        is the login bug fixed
        what's in the backlog for next sprint
        what were the action items from the retro
        what tests did the last run skip
        what's my preferred indent style
        do I like tabs or spaces
        what does Lena want changed
        when did we last deploy
        how far along is the refactoring
        what was the conclusion on rate limits
        give me the history of issue 12
        what are we doing about the memory leak
        list everything I asked you to do this week
        did I already send the invoice to Brightwater
        what's the name of the guy I met at the fair
        who did Ilse recommend for the job
        what are the kids' shoe sizes
        when does mum's flight land
        what was the wifi password at the cabin
        how did I like the sushi place
        where do I keep the spare keys
        which wine did we drink at Anna's
        what have I learned about sourdough so far
        recap our chat about the mortgage
        what's next on the plan
        """,
    "work and home": """
        What allergies does my daughter have?
        Who coached Marcus before the surgery?
        Which vaccine did I get in October?
        What mark did I get in the chemistry midterm?
        What was Mrs. Okafor's advice about the essay?
        Where does uncle Joe keep the fishing rods?
        Did the landlord agree to fix the heating?
        What password hint did I choose for the router?
        Which level did we reach in the game on Saturday?
        How much does our electricity cost per month?
        What was the tracking number of the parcel from Ines?
        In which drawer are the batteries?
        What did the vet say about Bruno's leg?
        Has Theo replied to my email?
        What was the customer's complaint in case 5512?
        Which supplier offered the lowest price for steel?
        What were the sales figures for March?
        Who signed off on the last invoice?
        Why was the shipment to Oslo delayed?
        What did the board decide about the merger?
        How many open positions does our team have?
        What did Wanjiru's presentation conclude?
        What is the agreed rate for the Halden contract?
        When was the last time I changed the oil?
        Which song did we dance to at our wedding?
        What are my goals for this quarter?
        Tell me what I told you about my ex
        What do my parents think of my career change?
        Which of my notes mention the Kyoto trip?
        How did my presentation go?
        Were there any objections to the schema change?
        What is Nneka allergic to?
        Who introduced me to Pavel?
        What colour is Ana's new car?
        What was the budget for the trade fair in Hanover?
        Who is the contact at the printing company?
        What did Ingrid and Malte argue about?
        Which hypothesis did the second experiment rule out?
        What is the passphrase hint for the backup drive?
        Where did we store the old contracts?
        Has the insurance paid for the broken window?
        What was the name of the plumber we used last year?
        How often does Samira visit her grandmother?
        What was the result of my blood test?
        Which flags does the nightly job use?
        Did I take my pills this morning?
        What does the handbook say about remote work?
        Which endpoints are still on the old schema?
        What was the workaround for the broken import?
        What nickname did my brother give to the car?
        Who was at the kickoff?
        What time did we agree to meet on Thursday?
        Which hotel did Rafael book in Porto?
        What did I name the variable for the retry delay?
        How many followers did my blog have in March?
        Which of the three quotes for the roof was the cheapest?
        What are Yasmin's dietary restrictions?
        What did the teacher say about Lukas at the parents' evening?
        What is the seating plan for the gala?
        What do we still need to buy for the camping trip?
        Did Hugo ever return my drill?
        What was my score in the last quiz?
        Which commit introduced the regression?
        What are the open todos for the landing page?
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
    "commands to an assistant": """
        remind me to call mom tomorrow
        add milk to my shopping list
        play my favorite song
        set an alarm for seven
        turn off the lights in the bedroom
        what's the weather like today
        call my mother
        book me a table for two tonight
        send an email to my boss
        delete my alarm
        order a pizza
        what time is it in tokyo
        how is the traffic to the airport
        translate good night into french
        please turn up the volume
        convert 20 dollars to euros
        create a meeting with Sam on Friday at three
        schedule a call with my dentist
        what is 15 percent of 80
        find me a recipe for lasagna
        show me flights from Boston to Denver
        is it going to rain this weekend
        who is the ceo of nintendo
        tell me the news
        what's a good restaurant nearby
        start a timer for ten minutes
        read me my emails
        what movies are playing tonight
        play the latest album by Adele
        give me directions to the museum
        take a note that the rent is due
        how do I get to the station from here
        where is the nearest pharmacy
        make the text bold
        open the settings
        what is the stock price of apple
        define serendipity
        tweet that I love this song
        put a reminder in my calendar for Monday
        buy two tickets for the concert
        """,
    "small talk and news": """
        hi
        hello, how are you?
        thanks!
        that's great, thank you so much
        ok sounds good
        yes please
        who are you?
        what can you do?
        what's your name?
        do you like music?
        tell me a story
        I'm bored
        good morning
        I had a great day today
        my sister is visiting this weekend
        We moved the launch to June.
        I prefer tea over coffee.
        Dana approved the budget yesterday.
        Remember that my flight is on Friday.
        please remember I am allergic to nuts
        """,
    "all kinds": """
        What is the average salary of a nurse in Canada?
        How do plants make food?
        Which vitamins are in carrots?
        What is the plot of Hamlet?
        How is cheese made?
        What does a project manager do?
        What is the best programming language for beginners?
        How many players are on a rugby team?
        Who discovered penicillin and when?
        Give an example of a metaphor.
        Rewrite the text so that a ten-year-old understands it.
        Draft a contract for a freelance designer.
        What would happen if the moon disappeared?
        How can companies reduce their carbon footprint?
        Solve 3x + 5 = 20.
        What are the side effects of ibuprofen?
        Is a tomato a fruit or a vegetable?
        How long should I boil an egg?
        What is the tallest building in Dubai?
        Which countries border Austria?
        Explain the plot twist in Fight Club.
        What is the difference between a crocodile and an alligator?
        Who is the author of The Name of the Rose?
        What did Galileo discover?
        When did Queen Victoria become queen?
        Why did the Roman Empire fall?
        What is the chemical symbol for gold?
        Translate 'good morning' to Swahili.
        Summarize the plot of Romeo and Juliet.
        Which instrument did Louis Armstrong play?
        What are the rules of chess?
        Correct the spelling in this sentence: I recieved the pakage.
        Can I return shoes that I have already worn?
        My order arrived damaged, how do I get a replacement?
        What documents do I need to open an account?
        What is machine learning?
        Which element has the atomic number 6?
        Who composed The Magic Flute?
        How many teeth does an adult have?
        In what city is the Prado museum?
        What year did World War I begin?
        Where do penguins live?
        What did Marie Curie win the Nobel Prize for?
        Which team won the 2010 FIFA World Cup?
        How do I cook quinoa?
        What is the meaning of life?
        Can you recommend a good pasta recipe?
        Write a haiku about snow
        Make a study plan for learning French in three months
        Suggest a title for a blog post on minimalism
        Analyze the sentiment of this tweet: "what a day"
        Turn this list into a table
        How does photosynthesis work?
        Why is the sky blue?
        What are the benefits of meditation?
        Is it legal to fly a drone in a park?
        What's the fastest way to get from Paris to Lyon?
        Which phone has the best camera?
        How do I return a faulty product?
        My account is locked, please help
        What payment methods do you accept?
        The delivery was late and the box was damaged
        How do I split a string in Go?
        Create a REST API with two endpoints
        Explain the difference between TCP and UDP
        """,
}
"""Prompts that ask for something else, by the kind of source, one a line."""


def lines(text: str) -> list[str]:
    """The lines of a block, without their indent."""
    return [line.strip() for line in text.strip().splitlines()]
