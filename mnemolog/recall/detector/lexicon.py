"""Classes of English words by which a prompt is told from another.

Each class holds what is common in everyday English for its meaning; none was
gathered from labelled prompts. A word that is missing weakens a sign, no more.
"""

from __future__ import annotations

from mnemolog.language.word_lists import word_set

PEOPLE_OF_ONES_OWN = word_set(
    """mom mum mommy mother dad daddy father parent parents sister sisters brother brothers sibling
    siblings son sons daughter daughters kid kids child children wife husband spouse
    girlfriend boyfriend partner fiance fiancée fiancé friend friends family families cousin
    cousins aunt uncle grandma grandpa grandmother grandfather grandparents grandson
    granddaughter nephew niece roommate roommates flatmate neighbor neighbors neighbour
    neighbours boss colleague colleagues coworker coworkers classmate classmates landlord
    dentist therapist dog dogs cat cats puppy puppies kitten kittens pet pets hamster"""
)
"""Whom people speak of without saying who they are."""

PRIVATE_LIFE = word_set(
    """hobby hobbies birthday anniversary favorite favourite feel feels feeling felt enjoy enjoys
    enjoyed like likes liked love loves prefer prefers preferred adopt adopted vacation
    holiday trip hike hiking camping workout yoga wedding move moved moving bought buy buys
    visit visits visited visiting share shared shares attend attended attending celebrate
    celebrated celebrates motivate motivated motivates motivation inspired inspires received
    gift gifts photo photos picture pictures plan plans planned planning started decide
    decided goal goals dream dreams passion passionate excited proud relax relaxing journey
    career job recommend recommended mention mentioned mentions support supportive stress
    healthy health happy worried advice childhood diet allergic allergy allergies commute
    volunteer volunteering volunteered habits routine lately hang pursue happen happened"""
)
"""What people tell of themselves and of each other."""

SHARED_WORK = word_set(
    """meeting meetings deadline deadlines deploy deployment rollout client clients sprint sprints
    release releases budget appointment launch project projects workshop conference interview
    webinar standup retro retrospective roadmap backlog migration review reviewer reviewers
    incident outage postmortem proposal contract draft team manager lead customer vendor
    candidate mentor coach instructor class course event call dashboard app application
    pipeline server staging production repo repository codebase branch build test tests
    ticket tickets design decision decisions agenda presentation slides report spreadsheet
    document doc docs note notes module feature features bug bugs endpoint api schema
    database config configuration script scripts milestone specification spec quiz assignment
    essay resume portfolio plan schedule workshops sessions session partner invoice rationale
    run runs fix commit commits policy refactoring refactor conclusion conclusions outcome
    outcomes rollback hotfix cluster queue standups changelog supplier suppliers figures
    complaint complaints shipment shipments forecast estimate quote warehouse inventory
    metrics results experiment experiments dataset committee department office invoices audit
    training onboarding benchmark tender bid merger"""
)
"""What people who work together call by 'the' alone."""

ROLES = word_set(
    """reviewer client manager lead team customer vendor candidate mentor coach instructor teacher
    tutor dentist lawyer attorney designer engineer developer director recruiter professor
    supervisor accountant agent assistant contractor architect tester maintainer intern
    speaker guest pm marketing ops"""
)
"""What people are called by what they do for one another."""

SERVICE = word_set(
    """account accounts card cards payment payments transfer transfers transferred transferring
    refund refunds fee fees charge charges charged deliver delivered delivery pin passcode
    subscription subscriptions top-up top-ups topup currency currencies transaction
    transactions withdraw withdrawal withdrawals withdrawl withdrew withdrawn atm atms
    deposit deposits deposited verify verification verified debit credit bank cash cheque
    balance merchant warranty shipping shipped refunded coupon funds salary money purchase
    purchases pending declined blocked unblock expire expires expired eligible wallet
    reservation activate cancel cancelled swift visa mastercard topping"""
)
"""What the customers of a service ask its support about."""

WORLD = word_set(
    """invented inventor invention discovered discovery discoverer capital population president
    minister king queen emperor empire war wars battle treaty revolution olympic olympics
    olympian nobel oscar oscars grammy novel novels novelist author authors actor actors
    actress star starred starring stars directed film films movie movies album song songs
    band sang sing sings sung lyrics tv television series episode comic comics cartoon
    character characters mythology greek roman bible saint pope planet planets moon earth
    river rivers ocean oceans sea island islands mountain mountains continent country
    countries nation nations state states u.s. usa uk century species animal animals bird
    birds mammal chemical element atom formula latin founded founder born died die
    assassinated assassination explorer scientist philosopher painter composer league
    championship champions player players stadium corporation magazine newspaper bestseller
    poet poem poets playwright musical opera broadway nickname nicknamed sport sports
    baseball football basketball tennis golf boxing heavyweight astronaut dinosaur disease
    diseases vitamin government senator governor congress constitution amendment dynasty
    ruler kingdom republic colony colonies slogan trademark airline airport university symbol
    flag anthem religion alphabet"""
)
"""What general knowledge is about."""

MAKING = word_set(
    """write create generate compose design make build implement add fix refactor rewrite rename
    convert translate classify categorize categorise identify detect extract replace edit
    correct improve optimize optimise develop define analyze analyse evaluate assess judge
    predict determine decide verify prove solve calculate compute complete fill choose select
    sort rank rate arrange match paraphrase rephrase reword shorten expand simplify
    brainstorm suggest recommend propose think come imagine pretend suppose consider act
    roleplay offer use take turn transform change format parse run install delete remove
    update set prepare organize organise schedule book send reply respond invent construct
    formulate produce enter link insert label tag highlight name sketch draw apply teach
    debug configure migrate upgrade start stop ask read learn study reverse return output
    print split merge combine join count estimate guess interpret infer express illustrate
    explore examine inspect separate elaborate specify reduce increase modify adapt adjust
    restate revise proofread cut push commit deploy play sing plan draft order cancel put
    keep enable disable bump move test document visualize simulate get bring call text email
    message pause buy tweet note wake dim mute dial pay spell cook open close"""
)
"""What a task begins with."""

FETCHING = word_set(
    """tell show list give find remind recall walk search check review look summarize summarise
    recap describe explain outline provide compare discuss introduce"""
)
"""What a request begins with that may ask for what is there already."""

SAYING = word_set(
    """say said tell told mention mentioned ask asked think thought recommend recommended suggest
    suggested propose proposed promise promised want wanted prefer preferred decide decided choose
    chose agree agreed disagree report reported explain explained describe described advise
    advised"""
)
"""What is done in words, or settled."""

PAST_TENSE = word_set(
    """said told went got bought gave took made met saw began chose came did felt found forgot had
    heard kept knew led left lent lost paid put ran read sent set sold spent spoke thought
    tried was were won wrote built broke brought ate drank drove flew grew sat slept wore
    woke hid let used"""
)
"""Past tenses that do not end in -ed."""

ALSO_NAMES = word_set(
    """art bill chase dawn dean drew faith frank grace grant guy hope jack joy mark may miles pat
    penny ray rob rose sue summer victor wade ward will april august june iris ivy jean dale glen
    max sky river angel christian major page reed hunter an do so see tell my"""
)
"""Words that are a name only with a capital."""

PLACES = word_set(
    """afghanistan albania algeria argentina armenia australia austria bangladesh belarus belgium
    bolivia brazil britain bulgaria cambodia canada chile china colombia croatia cuba cyprus
    denmark ecuador egypt england estonia ethiopia europe finland france germany ghana greece
    haiti holland hungary iceland india indonesia iran iraq ireland israel italy jamaica
    japan jordan kenya korea kuwait latvia lebanon libya lithuania malaysia mexico mongolia
    morocco nepal netherlands nicaragua nigeria norway pakistan panama peru philippines
    poland portugal prussia romania russia rwanda scotland serbia singapore slovakia slovenia
    somalia spain sudan sweden switzerland syria taiwan tanzania texas thailand tunisia
    turkey uganda ukraine uruguay venezuela vietnam wales yugoslavia zimbabwe africa america
    antarctica asia california florida hawaii alaska ohio amsterdam athens atlanta baghdad
    bangkok barcelona beijing berlin boston brussels budapest cairo chicago copenhagen dallas
    delhi denver detroit dublin edinburgh hamburg helsinki houston istanbul jerusalem kyoto
    lisbon london madrid manchester melbourne miami milan montreal moscow mumbai munich
    nairobi naples oslo paris philadelphia prague rome rotterdam seattle seoul shanghai
    stockholm sydney tokyo toronto venice vienna warsaw washington zurich"""
)
"""Countries, regions and cities that are known to everybody."""

HOUSEHOLD = word_set(
    """wifi password key keys car house flat apartment garage cabin kids kid twins babysitter
    landlord plumber vet gym bike laptop insurance rent lease passport boiler fridge"""
)
"""What is called by 'the' alone at home."""

PARENTS_BY_NAME = word_set("mum mom mommy mummy dad daddy grandma grandpa granny nana")
"""What relatives are called as if it were their name."""

FUNCTION_WORDS = word_set(
    """a an the this that these those i me my mine we us our you your he him his she her it its they
    them their who whom whose what which when where why how is are was were am be been being do
    does did done have has had having will would shall should can could may might must and or but
    not no nor if then than as of at by for from in into on onto to with without about after
    before between during since until through over under up down out off again there here all any
    both each few more most other some such only own same so too very just also ever never still
    yet please tell show give list find let's what's who's where's i'm i've don't didn't"""
)
"""Words that hold a sentence together; no name begins or ends with one."""
