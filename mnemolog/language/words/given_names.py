"""Given names of people, by which a bare name in a prompt is told from a place or a brand.

Those given to at least one in ten thousand people of the United States (census
of 1990, a public work), without those that more often name something else, and
common names and short forms of other languages. A name that is missing costs
little: its place in the sentence speaks for it as well, and names that a memory
knows are given with the prompt.
"""

from __future__ import annotations

from mnemolog.language.words.word_lists import word_set

GIVEN_NAMES = word_set(
    """
aaltje aaron abbas abbie abby abdul abdullah abe abel abena abigail abimbola abraham ada adaeze
adam addie addy ade adebayo adela adele adeline adil adina aditi aditya adolfo adrian adriana
adrienne afonso agata agnes agneta agnieszka agus agustin aharon ahmad ahmed aida aiko ailbhe
aileen aimee aine aino ainsley aisha aisling aj akash akib akira akosua akram akshay al alain alan
alana alasdair alba albert alberta alberto aldo alec alejandra alejandro aleksander aleksandr
aleksandra aleksei ales alessandra alessandro alessia alex alexa alexander alexandra alexandros
alexei alexis alfie alfonso alfred alfredo ali alia alice alicia alina aline alisa alisha alison
alissa alistair allan allen allie allison allyson alma alok alonzo alphonso alta althea alton alva
alvaro alvin alyce alyona alyssa ama amadi amal amalia amanda amara amelia amelie amie amina
aminata amir amira amit amos amrita amy ana anahit anais anand ananya anastasia anastasios anatoly
anders andras andre andrea andreea andrei andres andrew andrzej andy angela angeles angelia
angelica angelina angeline angelo angie angus anh anil anita anja anjali anka ankit ann anna
annabelle anne anneli annette annie annika anouk anselmo anthony antoine antoinette anton
antonella antonia antonio anu anwar anya aoi aoife aparna apinya araceli aram arantxa archie
ariana arianna ariel arjun arkady arlene arline arlo armand armando armen arnaud arne arnold aroha
arpi artem arthit arthur arturo arun arwen aryan asa asad asaf asha ashlee ashley ashok ashwin
asma astrid asuka aubree aubrey audra audrey augusta augustine aurelia aurelie aurelien ava avery
avi avis aviv avner axel axelle ayaka ayelet ayesha aylin ayo ayodele ayse ayu azadeh aziz
babajide babak bahar balazs baptiste barbara barbra barry bart bartek bas bashir bayu bea beata
beatrice beatrix beatriz beck becky behnam behrouz belen belinda bella ben benita benito benjamin
benji bennie benny benoit bernadette bernadine bernard bernardo bernice bernie bert berta bertha
bertie bess bessie beth bethany betsy bette bettie betty bettye beulah beverly bianca bilal bill
billie billy binh birgit birgitta bjorn blaine blair blake blanca blanche bo boaz bob bobbi bobbie
bobby bogdan bohdan bola bonita bonnie bora boris borja brad bradley brady bram brandi brandon
brandy branko bree brenda brendan brent bret brett brian briana brianna bridget bridgette brigitte
britta brittany brittney brooke brooklyn bruce bruna bruno bryan bryant bryce bryon budi bukola
burak byron caden caio caitlin caleb callie callum calvin cameron camila camille candace candice
cara carey carl carla carlene carlo carlos carly carmela carmella carmen carol carole carolina
caroline carolyn carrie carroll cary casey cassandra cassie catalina catarina cate cathal
catherine cathleen cathy catriona cecelia cecil cecile cecilia cedric cees celeste celia celine
cem cesar chandra chantal chao charlene charles charlie charlotte charmaine chase chasity chelsea
chema cheri cherie cheryl chester chiamaka chiara chidi chihiro chika chinedu chinwe chioma chloe
chong chris christa christi christie christina christine christophe christopher christos christy
chrystal chuck chul chun cian ciara ciaran cillian cindy citra clair claire clara clare clarence
clarice clarissa clark claude claudette claudia claudine claudio clayton clem clement clementine
cleo cliff clifford clifton clint clodagh clyde cody cole colette colin colleen colm connie conor
conrad constance consuelo cora corey corina corine corinne cormac cornelia cornelius corrine cory
cosmin courtney coy craig cressida cristian cristiano cristina cristobal csaba curt curtis cynthia
cyril daan dae dafna dagmar daichi daisuke daisy dale dalia dalit damian damien damon dan dana
dane dani daniel daniela daniele danielle danny dante daphne dara darcy daria darin dario darius
dariush darla darlene darnell darrel darrell darren darrin darryl daryl dave davi david davide
davis davit davor dawn dayo deana deanna deanne deb debbie debora deborah debra declan dee deena
deepa deepak deidre deirdre dejan delbert delia della delores deloris delphine demetrius dena
denis denise deniz dennis denny derek derick dermot derrick desiree desmond dev devi devin devon
dewayne dewi dex dexter dian diana diane dianna dianne diarmuid didier diego dieter dimitra
dimitris dina dinesh diogo dion dirk divya dmitri dmitry dollie dolly dolores dom dominic dominick
dominik dominique don dona donal donald donatella dong donna donnell donnie donovan dora doreen
dorian doris dorota dorothea dorothy dorthy doug douglas dov doyle dragan dragos drew duane duarte
duc dustin dusty dwayne dwight dylan eamon earlene earline earnest earnestine easton ebba ebele
ebony ed eddie eddy edgar edie edith edmond edmund edna eduardo edward edwin edwina efe effie
efrain efrat ehsan eileen eilidh eimear eino eitan ekaterina eko elad elaine elbert eldon eleanor
elena eleni eleonora eli eliana elias elif elijah elin elinor elio elisa elisabeth elise elisha
eliza elizabeth elke ella ellen ellie elliot elliott ellis elma elmer elnora elodie eloise elsa
elsie elton elva elvia elvin elvira elwood emanuel emanuele emeka emer emery emi emiko emil emile
emilia emilie emilio emily emine emma emmanuel emmanuelle emmett emre enrico enrique enzo eoin
eren eri eric erica erick ericka erik erika erin erkki erma ernest ernestine ernesto ernie ernst
ervin erwin esi esme esmeralda esperanza esra essie esteban estela estella estelle ester esther
ethan ethel etienne etta euan eugene eugenia eula eun eunice eunji eva evan evangeline eve evelyn
everett evgeny ewa ewan eyal ezekiel ezra fabian fabien fabio fabiola fabrice fabrizio facundo
fahad faisal fang fannie farah farhan farid farida faris fatih fatima fatma fay faye federica
federico felicia felicity felipe felix femi femke feng ferenc fereshteh fergus fermin fernanda
fernando filipa filippo finlay finn fiona fionn fionnuala fitz flavia flavio flora florian florin
flossie floyd folake forrest fran frances francesca francesco francine francis francisca francisco
franck franco francois francoise frank frankie franklin frauke fred freda freddie freddy frederick
fredrick freya frida frieda friedrich fritz fumiko funmi fyodor gabby gabe gabor gabriel gabriela
gabriele gabrielle gael gaelle gaia gail galina gareth garland garrett garry gary gaspar gaurav
gavin gayle geert gemma gena gene genevieve gennady geoffrey george georgette georgie georgina
georgios geraint gerald geraldine gerard gerardo gerd gergely gerrit gerry gertrude gheorghe
ghislaine gia giacomo giada giang gianluca gianni giannis gideon gigi gijs gilad gilbert gilberto
gilles gina ginevra gio giorgi giorgia giorgio giovanna giovanni gisela gita giulia giuliano
giulio giuseppe gladys glen glenda glenn glenna gloria goldie golnaz gonzalo gopal goran gordon
gosia gosta gracie graciela grady graham grainne grant grayson greg gregg gregorio gregory greta
gretchen grigory grzegorz guadalupe guang gudrun guido guilherme guillaume guillermo gunnar
gunther gus gustav gustavo gwen gwendolyn gwyneth habib hadar hadi hailey hakan hakon hal hala
haley halina hamid hamish hamza hana hanan haneul hanh hani hank hanna hannah hanne hannelore hans
hao harald harish harlan harley harold harper harriet harriett harrison harry harsh hartmut haruka
haruki haruto harv harvey hasan hassan hattie hayden hayk heather hector hedda heidi heike heiko
heinrich heinz heitor helder helen helena helene helga helio helmut hemi hendrik henk henning
henrietta henrik henrique henry henryk herbert heriberto herman hernan herve hiba hideo hien hieu
hikari hila hilary hilda hilde hillary hilmar hina hinata hiram hiro hiroki hiroko hiroshi hitomi
hoa holger hollis holly horace horst hossein howard hrvoje hua hubert hudson hugh hugo hui
humberto huong hussein hyejin hyun iago iain ian iara ibrahim ida ido idris ife ifeoma iggy
ignacio igor ijeoma ikenna iker ila ilan ilaria ilene ilse ilya iman imelda imogen imogene imran
ina inbal indah indira ineke ines inez inga inge ingeborg inger ingo ingrid ingvar inigo inna
ioana ioanna ionut ira irakli irene irina iris irma irvin irving isaac isabel isabella isabelle
isadora isaiah ishaan isla ismael isobel issac istvan itai itamar iva ivan ivana ivo iwona izzy
jaap jace jacek jack jackie jaclyn jacob jacopo jacqueline jacquelyn jacques jaden jae jaehyun
jaime jake jakub jamal james jami jamie jamil jamila jan jana jane janelle janet janette janice
janie janine janis janna janos janusz jared jarek jarrod jarvis jas jasmine jason jasper javier
jax jay jaya jayden jayne jayson jean jeanette jeanie jeanine jeanne jeannette jeannie jeannine
jeff jeffery jeffrey jeffry jelani jelena jemima jemma jenifer jenn jenna jennie jennifer jenny
jens jerald jeremiah jeremie jeremy jeri jermaine jeroen jerome jerri jerry jerzy jesper jess
jesse jessica jessie jewell jez jia jian jie jihoon jill jillian jim jimena jimin jimmie jimmy jin
jing jiri jisoo jiwon jiwoo jo joachim joan joana joann joanna joanne joao joaquin jocelyn jochen
jodi jodie jody joe joel joesph joey johann johanna john johnathan johnie johnnie johnny jojo joko
jolene jon jonas jonathan jonathon joni joon joost jordi jorg jorge jorgen joris jose josef josefa
josefina joseph josephine josh joshua josie joyce juan juana juanita juanjo jude judith judy jules
julia julian juliana julianne julie julien juliette julio julius jun junior junko jurgen jussi
justin justine jutta kacper kahu kai kaisa kaitlyn kaito kalle kamal kamau kamil kanya kaori kara
karan karen kari karim karin karina karl karla karsten karthik kartika kasey kasia kat katalin
katarzyna kate katelyn katerina katharine katherine kathie kathleen kathrine kathryn kathy katie
katja katrin katrina katy kaveh kavita kay kayden kaye kayla kazuki kazuo kees keiji keiko keira
keisha keith kelley kelli kellie kelly kelsey kelvin kemal ken kendall kendra kendrick kenji
kenneth kenny kent kenta keren keri kerri kerry kevin kezia khadija khaled khalid khanh kianoush
kiera kieran kiki kim kimberley kimberly kira kiran kirby kiri kirill kirk kirsten kirsty kiyoshi
kjell klaus knut koen kofi koji kojo konrad konstantin konstantinos kostas kris krishna krista
kristen kristi kristie kristijan kristin kristina kristine kristopher kristy krystal krzysztof
ksenia kuba kumiko kunal kurt kwabena kwaku kwame kwasi kyle kylie kyoko kyung lacey lachlan lacy
ladonna laetitia laila lakeisha lakisha lakshmi laleh lamar lamia lan lana lance landon lara
larisa larissa larry lars lasse laszlo latasha latisha latonya latoya laura laurel lauren laurence
laurent laurentiu laurie lavern laverne lavonne lawanda lawrence layla lea leah leandro leann
leanne lech lee lei leia leif leigh leila leili lela leland lena lenka lenora lenore leo leola
leon leona leonard leonardo leonid leonie leonor leroy lesley leslie lessie lester letha leticia
lev levan levi lewis leyla liam liang libby lidia lieke lijuan lila lilah lilia lilian liliana
lilith lillian lillie lilly lily lin lina linda lindsay lindsey ling linh linnea lionel lior liora
lisa liz liza lizzie lloyd logan loic lois lola lonnie lora loraine lorcan loren lorena lorene
lorenzo loretta lori lorie lorna lorraine lorrie lothar lotta lotte lottie lou louie louis louisa
louise lowell loyd luan luana luann lubos luc luca lucas lucia luciana luciano lucie lucile
lucille lucinda lucy ludmila ludovic ludovica ludwig luella luigi luis luisa luiz luiza luka lukas
lukasz luke lula lulu lupe lutz luz lydia lyle lynda lynette lynn lynne lynnette lyudmila maaike
maarten mabel mable macarena maciej maddie maddy madeline madelyn madge madhav mads mae maelle
maeve magda magdalena maggie magnus mags mahesh mahmoud mahsa mai mairead maisie maite maja
makayla makena maki makoto maksim malcolm malee malgorzata malik malin malinda mallory mamie
manaia mandla mandy manfred manish manny manoj manolo manon manuel manuela maor mara marc marcel
marcela marcella marcello marcelo marci marcia marcie marcio marco marcos marcus marcy mareike
marek margaret margarita margaux margery margie margo margot margret marguerite mari maria mariam
mariama marian mariana marianne maribel maricela marie marieke marietta mariko marilyn marina
mario marion marisa marisol marissa marit maritza marius mariusz marjorie mark marko markus marla
marlene marloes marlon marnie marsha marshall marta martha martin martina marty marva marvin mary
maryam maryann maryanne marylou maryum masako masato mason massimo mateo mateus mateusz matheus
mathew mathias mathieu mathilde mathis matias matilda mats matt matteo matthew matthias mattia
mattie matty maude maureen maurice mauricio maurizio mauro mavis max maxim maxime maximilian
maximiliano maxine maxwell maya maynard mayra mayumi mckenzie meagan meena meera megan meghan
megumi mehdi mehmet mehrdad mei meike meiling meir mel melanie melba melinda melisa melissa melva
melvin menachem mere meredith merle merve mette mhairi mia micah michael michal micheal michel
michela michele michelle michiko mick mickey midori miguel mihaela mihai miho mikael mike mikhail
miki mikko miklos mila milagros milan mildred milena millard millie milos milton mina minako mindy
minerva ming minh minho minji minjun minseo miranda mireille miri miriam mirjana mirko misaki
misha misty mitchell mitzi miyuki moana mohamed mohammad mohammed mohan moira moises mollie molly
momoko mona monica monika monique monte monty morag morgan morgane moritz morris morten moshe
moussa muhammad muireann mukesh murat muriel murilo murray mustafa mwangi myra myrna myron myrtle
naama nabil nacho nadav nadezhda nadia nadine nadir najib nala nana nancy nandini nanette nannie
naoki naoko naomi narek nasrin nasser nastya nat natalia natalie natalya natasha nate nathalie
nathan nathaniel natsuki naveen navid ndidi neal ned negar neha neil nelda nell nellie nenad nerea
nettie nev neva nevena nga ngoc ngozi nguyen nhung nia niamh niccolo nicholas nichole nick
nickolas nico nicola nicolas nicole nicoletta nicolo niels nigel nikau nikhil nikita nikki nikola
nikolai nikos niloufar nils nima nimrod nina ning nino niran nisha nita nitin njeri nkechi nneka
noa noah noam noel noemi noemie nola nolan nona noor nora norbert noreen noriko norma norman
norris nour nuala nuno nuria nurit nyoman obi octavia octavio odell ofelia ofer oisin oksana ola
olaf olav ole oleg olesya olga oli oliver olivia olivier ollie olly olof olu olumide oluwaseun
omar omer omid omri ondrej onur oonagh ophelia ora oren orhan orit orla ornella osama osamu oscar
oskar oskari otavio otis ottilie otto ousmane owen ozan pablo paco padma padraic padraig paige
paloma pam pamela panagiotis paola paolo parisa parvati parviz pascal pascale pat patrica patrice
patricia patrick patsy patti patty paul paula paulette pauline paulo pavel pawel paxton pearlie
pedro peggy pekka penelope peng penny pepe percival percy pernille perry pete peter petr petra
petter peyton phil philip philipp philippa philippe phillip phoebe phuong phyllis piero pierre
piet pieter pietro pilar pinar ping piotr pip pippa polly pooja pradeep prakash pranav prasad
praveen preston priscilla priya priyanka przemek putri pyotr qian qiang qing quang quentin quincy
quinn quinton quoc rabia rachael rachel rachelle radek radu rae raf rafael rafaela rafal rafe
raffaele rahul rainer raj raja rajesh rakesh ralph raluca ram ramesh rami ramiro ramon ramona rana
randal randall randi randolph randy rangi rania raphael raquel rashid rasmus ratna raul ravi ray
raymond reba rebecca rebekah reece reed reem reese reggie regina reginald regis reinhard reka
rekha remi remy ren rena renata renate renato renaud rene renee reuben reva rex reynaldo reza
rhiannon rhoda rhonda rhys ricardo riccardo richard rick rickey ricki rickie ricky rie rigoberto
riko riley rina rishi rita ritu rivka rizky rob robbie robert roberta roberto robin robyn rocco
rochelle rocio rocky rod roderick rodger rodney rodolfo rodrigo rogelio roger rohan rohit roisin
roland rolando rolf romain roman romeo ron ronald ronan ronda ronen rong ronnie rory rosa rosalie
rosalind rosalinda rosalyn rosanne rosario roscoe rose roseann rosella rosemarie rosetta rosie
roslyn ross rotem rowan roxanne roxie roy roya royce ruairi ruben ruby rudi rudolph rudy rue rufus
rui rukhsana runa rupert ruprecht ruslan russel russell rusty ruth ruthie ryan ryo ryota ryszard
saad sabah sabine sabrina sachiko sachin sadia sadie saeed sahar saleh salim sallie sally salma
salman salvatore sam saman samantha samir samira sammie sammy samuel sana sandeep sander sandor
sandra sandrine sandro sandy sanjay sanjeev sanne saoirse saori sapir sara sarah sari sarita sasha
satoshi saul saundra saurabh sawyer sayaka scot scott scotty seamus sean seb sebastian sebastien
segolene segun sekou selena selim selin selma sem seojun seoyeon serena sergei sergey sergio
serkan seth seung sevan severine shadi shahram shai shalini shan shana shane shankar shanna
shannon shari sharon sharron shaun shauna shawn shawna shay sheena sheila shelby sheldon shelia
shelley shelly sheree sheri sherman sherri sherrie sherry sheryl shigeru shin shinji shiori shira
shirin shirley shlomo shmuel sho shona shoshana shota shreya shruti shu shun sian siddharth sidney
sidonie siegfried sienna signe sigrid sile silke silvia silvio simon simona simone sinan sinead
siobhan sipho siriporn sita siti siyabonga sjoerd skye slava slavko slawek sloane sneha snezana
socorro sofia sofya sohrab soledad solene solomon somchai somsak sonal sondra sonia sonja sonya
soojin sophia sophie soraya soren sota soyeon spencer spiros stacey staci stacie stacy stan
stanislav stanislaw stanley stavros stefan stefania stefanie stefano steffen stella stephan
stephane stephanie stephen sterling steve steven stewart stina struan stu stuart subhash suda
sudha sue sujin suki sung sunil sunita supaporn suresh surya susan susana susanna susanne susie
suzanne suzette svea sven sverre svetlana swantje swati sybil sylvain sylvester sylvia sylvie
szymon tabatha tabitha tadeusz tadhg taehyung tahir takahiro takashi takeshi tal tam tama tamar
tamara tamas tameka tami tamika tammi tammie tammy tamsin tane tania tanisha tanja tanya tao tapio
tara taras tariq tariro taro tarquin tarun tash tasha tate tatiana tatiane tatsuya tatum tatyana
taylor ted teddy telma temitope tendai terence teresa tereza teri terrance terrell terrence terri
terrie terry tess tessa tetsuya teun thabo thaddeus thais thandi thanh thao thea thelma themba
theo theodore theresa therese thi thiago thibault thierry thijs thomas thorsten thu thuy tia tiago
tien tiffany tigran tijmen tilda tilly tilman tim timmy timothy timur tina ting tobi tobias toby
todd tolga tom tomas tomasz tomer tommaso tommie tommy tomoko toni tonia tony tonya torbjorn
torsten toshio tove tracey traci tracie tracy trang travis trent trevor tricia trina trinh trish
trisha tristan trixie trudy trung trygve tsubasa tuan tunde tung tuula tyler tyra tyrone tyson
tzipi uche udo ulf uli ulla ulrich ulrike uma umberto umut uri uriel ursula usman ute uwe vaclav
vadim vahe val valarie valentin valentina valentino valeria valerie valery vance vanessa varun
vasco vasilis vasily vaughn velma vera vern verna vernon veronica veronique vesna vicente vicki
vickie vicky victor victoria vidya viet viggo vijay vikas vikram viktor viktoria vilma vinay vince
vincent vincenzo vinh vinod virgie virgil virginie vishal vitaly vitor vitoria vittoria vittorio
viv vivek vivian vlad vladimir vojtech volker volodymyr vyacheslav wade wahyu waleed wallace
walter wanda wanjiru warren wayan wayne wei wen wendell wendi wendy werner wes wesley whitney
wiktor wilbert wiley wilfred wilfredo wilhelm willa willard willem william willie willis wilma wim
winifred winnie winston wiremu wojciech wolfgang wouter wyatt xander xanthe xavi xavier xia xiang
xiao xiaoming ximena xin xiu xue yaakov yael yair yan yana yann yannick yannis yanti yaroslav
yasemin yash yasmin yasmine yasser yaw yegor yehuda yejin yelena yeon yesenia yevgeny yewande
yilmaz ying yitzhak yoav yoko yolanda yong yoni yoona yosef yoshi yoshiko yossi youssef yuan yue
yui yuka yuki yukiko yuko yulia yumi yun yuna yuri yusuf yusuke yuta yuto yves yvette yvonne zac
zach zachary zack zahra zaid zainab zanele zara zaza zbigniew zdenek zeinab zeke zelma zeynep
zhanna zhen zhi ziad zihan ziv zoe zoey zofia zola zoltan zoran zoya zsofia zurab zuri zuzanna
"""
)
