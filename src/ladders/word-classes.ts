/** Words of English that carry no fact of their own, by how much a reader misses them: 0 not at all, 1 a little, 2 now and then. */
const classes: readonly string[] = [
  `a an the uh um er ah oh hmm mm yeah okay ok well like basically actually literally really very quite rather just simply somewhat
   indeed also too so then anyway moreover furthermore additionally essentially particularly especially generally typically usually
   perhaps please kindly hi hello hey thanks thank there here certainly obviously clearly naturally thus hence therefore however`,
  `is are was were be been being am do does did has have had having this that these those it its
   mine yours ours theirs who whom whose which what as such same own other another some any each every
   will would shall`,
  `they them their he him his she her we us our you your i me my of in on at by to from for with about into onto over under through across among between within along around during toward towards
   upon via per and or but while whereas although though because since where when how why than one ones both either many much more most
   several various lot lots kind sort thing things way ways able around back out up down off again now`,
]

const weights = [0.02, 0.12, 0.26] as const

/** How much a word without a fact of its own is worth; undefined where it is none. In lower case, without punctuation. */
export const functionWords: ReadonlyMap<string, number> = new Map(
  classes.flatMap((words, at) => words.split(/\s+/).map((word): [string, number] => [word, weights[at] ?? 0])),
)

/** Words that turn what is said around, bound it, oblige to it or put it on a condition; of the languages that are met most. */
const turning = `not no never none nobody nothing nowhere nor neither without cannot cant wont dont doesnt didnt isnt arent wasnt werent shouldnt
  wouldnt couldnt mustnt hasnt havent hadnt aint unless except only until before after if else otherwise instead least must should may might
  can could required forbidden prohibited allowed denied false true hardly barely rarely seldom nearly almost exactly approximately about
  less fewer above below minus plus failed fails failure failing error errors wrong denied refused cancelled canceled unable lack lacks
  exclude excludes excluding excluded always all any another first second third last half double twice once zero two three four five six
  seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million billion dozen percent
  nicht kein keine keinen keiner nie niemals ohne weder nur falls wenn muss darf pas jamais sans aucun aucune rien ni si seulement nunca
  ningun ninguna sin solo tampoco nada non mai senza nessun nessuno nao nem sem niet geen nooit zonder inte ikke aldrig nie nije bez nem ne нет не без
  никогда ни değil yok`

/** In lower case, without punctuation and apostrophes. */
export const turningWords: ReadonlySet<string> = new Set(turning.split(/\s+/))

/** Those of them that deny, for telling two texts apart. */
export const denials: ReadonlySet<string> = new Set(
  `not no never none nobody nothing nowhere nor neither without cannot cant wont dont doesnt didnt isnt arent wasnt werent shouldnt wouldnt
   couldnt mustnt hasnt havent hadnt aint unless except hardly barely rarely lack lacks false unable failed fails refused denied forbidden
   nicht kein keine keinen keiner nie niemals ohne pas jamais sans aucun aucune rien nunca ningun ninguna sin nessun nessuno senza mai nao
   nem sem niet geen nooit zonder inte ikke aldrig не нет без никогда`.split(/\s+/),
)

/** Those of them that oblige, forbid, or put something on a condition; with denials they say what must not be misread. */
export const demands: ReadonlySet<string> = new Set([
  ...denials,
  ...`must should shall required require requires forbidden prohibited allowed permitted only if else otherwise least provided
   muss nur falls wenn darf si solo`.split(/\s+/),
])
