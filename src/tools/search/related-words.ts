import { termsOf } from '../../knowledge/index.ts'

/**
 * Words that people and descriptions of tools use for one thing, a group a line. General words of the trades that tools serve: none was taken from a
 * catalogue.
 */
const groups = `
create make new add generate build compose produce
delete remove erase drop clear purge
get fetch retrieve obtain read load show view display
list enumerate browse catalog
search find query lookup seek discover locate explore
update edit modify change revise alter adjust set
send deliver post submit dispatch transmit
start begin launch run execute open
stop end cancel abort terminate halt close quit
copy duplicate clone replicate
move transfer relocate rename migrate
compare difference diff contrast versus
convert transform translate change
translate language translation interpret multilingual
summarize summary abstract condense digest brief tldr
analyze analysis examine inspect assess evaluate insight review
check verify validate confirm test
explain describe clarify definition meaning define
recommend suggest advise recommendation suggestion propose idea
count number quantity amount total how-many
compute calculate calculator math arithmetic equation formula sum
plan schedule itinerary organize agenda
remind reminder alarm notify notification alert
download save export store keep
upload import attach
install setup configure configuration
merge combine join concatenate append
split divide separate extract
sort order rank arrange
filter select choose pick
monitor track watch follow observe trace
fix repair debug troubleshoot error bug issue problem
improve optimize enhance refine boost
write draft author essay article blog content
save write store file
today latest recent current now
trending trend popular hot ranking rank top
attraction sight place poi nearby around interesting
file document folder directory path
folder directory
pdf document paper file
text word string
spreadsheet excel sheet workbook table csv xlsx xls
slide presentation powerpoint deck pptx ppt
word document docx doc
file path md txt markdown csv json pdf log
audio sound music wav mp3
image picture photo png jpg jpeg svg gif
video mp4 mov
code script py js ts python javascript typescript
image picture photo photograph illustration drawing artwork visual
video clip movie youtube footage
film movie cinema actor
series show episode tv television streaming
music song track album artist playlist lyric tune
audio sound voice speech podcast recording
chart graph diagram plot visualize visualization
website webpage site url page link web
web internet online browser
domain hostname dns url
code program script programming software developer
repository repo git github commit branch
database sql table query
server host machine
email mail inbox message
message chat text sms conversation
meeting appointment calendar event schedule
event concert show ticket festival
contact person people lead
job career employment hiring vacancy position resume recruiter work
resume cv
company business firm enterprise startup organization
customer client consumer buyer
marketing advertisement campaign promotion ad brand
sell sale seller trade
buy purchase shop shopping order store product
product item goods merchandise
price cost fee rate expense cheap
discount coupon deal promo offer saving bargain cheap
gift present
payment pay invoice bill transaction charge
bank account finance money financial loan credit
stock share equity ticker market investment invest portfolio trading
crypto cryptocurrency bitcoin ethereum token coin blockchain
currency exchange forex dollar euro
tax income salary
insurance policy coverage
house home property real-estate apartment rent realtor mortgage
hotel accommodation lodging stay room airbnb
flight airline airport plane fly
travel trip tour vacation holiday journey destination visit tourist
train rail bus transit transport
car vehicle automobile auto drive taxi ride
parking park lot
map location place address coordinate geocode latitude longitude nearby
route direction navigate distance road
restaurant dining eat food cuisine dinner lunch
recipe cook cooking meal dish ingredient
diet nutrition calorie meal food
drink beverage cocktail coffee
weather forecast temperature rain climate humidity wind
time clock hour timezone date
day today week month
news headline article journalism press report
book novel library author reading literature
paper research scholar academic publication study citation literature arxiv
science scientific research
learn learning study course education lesson tutorial tutor teach school student class
school university college
child kid children baby toddler parent
question quiz exam test
health medical doctor disease symptom medicine patient hospital treatment
drug medication medicine
exercise fitness workout gym
sport team match league player score
game play gaming puzzle
animal pet dog cat
plant garden flower
fashion clothing clothes outfit wear dress style shoe
beauty makeup cosmetic skin
art design artist creative
color palette
font typography
law legal lawyer court attorney patent
government politics congress legislation
religion bible quran verse
astrology horoscope tarot zodiac fortune
dream personality mbti psychology
dictionary word vocabulary synonym definition grammar
random roll dice
password secret credential key authentication login
user account profile member
security vulnerability threat attack malware
network ip connection
phone mobile smartphone cell call
device hardware gadget
light lamp brightness
space astronomy planet nasa satellite
earthquake disaster earth
energy electricity power
carbon emission environment climate
star rating review feedback
comment reply discussion thread forum
social twitter facebook instagram reddit tweet
hashtag trend trending popular
keyword seo ranking
qr barcode
shorten short shortener
template form survey questionnaire
task todo project ticket issue
memory remember recall note knowledge
note memo notebook
workflow automate automation
container docker pod kubernetes
log trace event
cloud aws azure deployment deploy
terminal shell command bash console
process pid task
statistics metric average mean analytics data
dataset data
json xml yaml
image-resolution resize crop
protein gene dna molecule biology chemistry
triangle circle area geometry shape
prime factor
`

/** Terms that mean about the same as a term, without the term itself. */
export const relatedTerms: ReadonlyMap<string, readonly string[]> = relatedIn(groups)

function relatedIn(text: string): ReadonlyMap<string, readonly string[]> {
  const related = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    const terms = [...new Set(termsOf(line))]
    for (const term of terms) {
      const known = related.get(term) ?? new Set()
      related.set(term, known)
      for (const other of terms) if (other !== term) known.add(other)
    }
  }
  return new Map(Array.from(related, ([term, others]) => [term, [...others]]))
}
