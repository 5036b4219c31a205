import { proseWords } from './prose-words.ts'
import type { ProseWord } from './prose-words.ts'
import { denials } from './word-classes.ts'

/** Two texts that say the same, by their places in a list, the lower first. */
export interface NearPair {
  readonly a: number
  readonly b: number
  /** In [0, 1]; 1 where they are equal but for white space, case and punctuation. */
  readonly similarity: number
}

export interface NearOptions {
  /** Above which two texts say the same. */
  readonly similarity: number
  /** What somebody who knows more says of two texts, in [0, 1]; the built-in measure is asked besides. */
  given?(a: number, b: number): number | undefined
  /** Whether two are compared at all. */
  compares(a: number, b: number): boolean
}

/**
 * Texts of which two say the same: equal ones, then those with the same words of content that share nearly all runs of three words or whose words and
 * pairs of words are alike, then those that a model says are. Never two that differ in a figure, a name, a denial or one of a pair of opposites. Only texts that share one of
 * a few runs are compared word by word, so that it stays linear in the texts; what somebody has given is taken pair by pair.
 */
export function nearDuplicates(texts: readonly string[], options: NearOptions): readonly NearPair[] {
  const traits = texts.map(traitsOf)
  const found: NearPair[] = []
  const seen = new Set<number>()
  const look = (a: number, b: number): void => {
    const [first, second] = [traits[a], traits[b]]
    const key = a * texts.length + b
    if (a >= b || first === undefined || second === undefined || seen.has(key)) return
    seen.add(key)
    if (!options.compares(a, b) || first.guard !== second.guard) return
    const similarity = Math.max(similarityOf(first, second), options.given?.(a, b) ?? 0)
    if (similarity > options.similarity) found.push({ a, b, similarity })
  }
  for (const members of byMark(traits).values())
    for (let at = 1; at < members.length; at += 1)
      for (let before = Math.max(0, at - mostRivals); before < at; before += 1)
        look(members[before] ?? 0, members[at] ?? 0)
  if (options.given !== undefined)
    for (let b = 1; b < texts.length; b += 1)
      for (let a = 0; a < b; a += 1) if (options.given(a, b) !== undefined) look(a, b)
  return found.toSorted((x, y) => x.a - y.a || x.b - y.b)
}

/** Of many texts that share a run, each is compared with so many before it. */
const mostRivals = 16
/** Runs by which a text is found. */
const marks = 12

interface Traits {
  readonly plain: string
  /** Hashes of all runs of three words, each once, rising. */
  readonly runs: Int32Array
  /** How often each word and each pair of words stands in it. */
  readonly counts: ReadonlyMap<number, number>
  readonly norm: number
  /** Words that are no grammar, without endings, each once and in the order of the alphabet. */
  readonly content: string
  /** What must be the same in both. */
  readonly guard: string
}

function byMark(traits: readonly Traits[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const [at, { runs }] of traits.entries())
    for (const mark of runs.subarray(0, marks)) {
      const known = found.get(mark)
      if (known === undefined) found.set(mark, [at])
      else known.push(at)
    }
  return found
}

function traitsOf(text: string): Traits {
  const words = proseWords(text).filter(({ facts }) => facts.bare !== '')
  const hashes = words.map(({ facts }) => hashOf(facts.bare))
  const counts = new Map<number, number>()
  const runs = new Set<number>()
  for (let at = 0; at < hashes.length; at += 1) {
    const [one = 0, two = 0, three = 0] = [hashes[at], hashes[at + 1], hashes[at + 2]]
    add(counts, one)
    if (at + 1 < hashes.length) add(counts, joined(one, two))
    if (at + 2 < hashes.length || at === 0) runs.add(joined(joined(one, two), three))
  }
  let norm = 0
  for (const count of counts.values()) norm += count * count
  const plain = words.map(({ facts }) => facts.bare).join(' ')
  return {
    plain,
    runs: Int32Array.from(runs).toSorted(),
    counts,
    norm: Math.sqrt(norm),
    content: contentOf(words),
    guard: guardOf(words),
  }
}

function add(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function contentOf(words: readonly ProseWord[]): string {
  const stems = words.flatMap(({ facts: { bare, grammar } }) =>
    grammar === undefined ? [bare.length > 5 ? bare.replace(/(?:ings?|ed|es|s|ly|e)$/, '') : bare] : [],
  )
  return [...new Set(stems)].toSorted().join(' ')
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash | 0
}

function joined(a: number, b: number): number {
  return (Math.imul(a, 31) + Math.imul(b ^ (b >>> 15), 0x85ebca6b)) | 0
}

function similarityOf(a: Traits, b: Traits): number {
  if (a.plain === b.plain) return 1
  // Words alone cannot tell another word for the same from a word for something else.
  if (a.content !== b.content) return 0
  const shared = sharedOf(a.runs, b.runs)
  const jaccard = shared / Math.max(1, a.runs.length + b.runs.length - shared)
  return Math.min(0.999, Math.max(jaccard, cosine(a, b)))
}

function sharedOf(a: Int32Array, b: Int32Array): number {
  let shared = 0
  for (let left = 0, right = 0; left < a.length && right < b.length;) {
    const difference = (a[left] ?? 0) - (b[right] ?? 0)
    if (difference === 0) shared += 1
    if (difference <= 0) left += 1
    if (difference >= 0) right += 1
  }
  return shared
}

function cosine(a: Traits, b: Traits): number {
  let product = 0
  for (const [key, count] of a.counts) product += count * (b.counts.get(key) ?? 0)
  return a.norm === 0 || b.norm === 0 ? 0 : product / (a.norm * b.norm)
}

/** Words of which another means the contrary, so that one of them in place of the other changes what is said. */
const opposites: ReadonlySet<string> = new Set(
  `enable enabled disable disabled allow allowed deny forbid increase increased decrease decreased rise rises rose fall falls fell before after
   above below more less fewer most least first last start starts stop stops open opened close closed on off up down in out left right north south east
   west accept accepted reject rejected pass passed fail failed success failure true false add added remove removed include exclude buy bought sell sold
   win won lose lost early late old new min max minimum maximum always sometimes must should may can could will would required optional all some any
   every each none only also public private internal external read write send receive import export source target input output am pm monday tuesday
   wednesday thursday friday saturday sunday one two three four five six seven eight nine ten`.split(/\s+/),
)

/** Figures, names, identifiers, denials and opposites, each as often as it stands there, in their order. */
function guardOf(words: readonly ProseWord[]): string {
  const found: string[] = []
  for (const [at, { facts }] of words.entries()) {
    const { bare, counts, tells, isCapital, grammar } = facts
    const opens = at === 0 || words[at - 1]?.facts.endsSentence === true
    const isName = isCapital && !opens && grammar === undefined
    if (counts || tells || isName || denials.has(bare) || opposites.has(bare)) found.push(bare)
  }
  return found.join(' ')
}
