import { mayState, statesFailure } from './failure.ts'
import { longestProse, proseWords } from './prose-words.ts'
import type { ProseWord } from './prose-words.ts'
import { propositionsOf } from './propositions.ts'
import type { Proposition } from './propositions.ts'
import { isAcknowledgement } from './acknowledgement.ts'
import { holdersOf, leads } from './proposition-holders.ts'
import { mostNew } from './most-new.ts'
import { denials } from './word-classes.ts'

export interface DistilOptions {
  /** Share of the text's length that is to be kept, in [0, 1]. */
  readonly keepRatio: number
  /** Least share of what the text says that must be left; a longer text is made where it is not, or none. 0 where absent. */
  readonly minFidelity?: number
  /** Words, in lower case, that propositions are wanted for. */
  readonly focus?: ReadonlySet<string>
  /** Texts that the reader has besides: what they say is nothing new. */
  readonly known?: readonly string[]
  /** Whether a proposition stays whatever it is worth. */
  readonly keeps?: (proposition: string) => boolean
}

export interface Distilled {
  /** Propositions word for word and in order, under their headings. */
  readonly text: string
  /**
   * Share of what the text's propositions say, by their worth, that the chosen ones say: all of those that stand, of others what shares its
   * words with them and states no figure, name or denial that they lack.
   */
  readonly fidelity: number
  readonly kept: number
  readonly propositions: number
}

/**
 * A text as its propositions that say most that is new, within a share of its length. What states a failure stays. Undefined where so
 * little cannot say as much as is asked for, or nothing can be left out. Deterministic; n log n in the propositions.
 */
export function distil(text: string, options: DistilOptions): Distilled | undefined {
  if (text.length > longestProse) return undefined
  const propositions = propositionsOf(text)
  if (propositions.length < leastPropositions) return undefined
  const read = readAll(text, propositions, options)
  const { minFidelity = 0 } = options
  for (let ratio = options.keepRatio; ratio < mostKept; ratio += (1 - ratio) * 0.3) {
    const chosen = chosenWithin(read, { options, mostLength: ratio * text.length })
    const fidelity = coverage(read, chosen)
    if (fidelity < minFidelity) continue
    const kept = chosen.reduce((sum, one) => sum + one, 0)
    if (kept === propositions.length) return undefined
    return { text: written(text, read, chosen), fidelity, kept, propositions: propositions.length }
  }
  return undefined
}

const leastPropositions = 4
/** What would keep more is not worth the reader's doubt. */
const mostKept = 0.9

interface ReadProposition extends Proposition {
  /** What it is about: words that are no grammar, in lower case. */
  readonly terms: readonly string[]
  /** Those of them that no other words make up for: figures, names, denials. */
  readonly facts: readonly string[]
  readonly worth: number
  readonly stays: boolean
  /** What it cannot be understood without, by its index; -1 where that is nothing. */
  readonly under: number
}

function readAll(
  text: string,
  propositions: readonly Proposition[],
  options: DistilOptions,
): readonly ReadProposition[] {
  const words: ProseWord[][] = propositions.map(() => [])
  for (const word of proseWords(text)) words[word.proposition]?.push(word)
  const holders = holdersOf(text, propositions)
  const fails = mayState(text)
  return propositions.map((proposition, at) => {
    const own = words[at] ?? []
    const { terms, facts } = termsOf(own)
    return {
      ...proposition,
      terms,
      facts,
      worth: worthOf(proposition, { words: own, terms, isFirst: at === 0, focus: options.focus }),
      stays: options.keeps?.(proposition.text) === true || (fails && statesFailure(proposition.text)),
      under: holders[at] ?? -1,
    }
  })
}

function termsOf(words: readonly ProseWord[]): Pick<ReadProposition, 'terms' | 'facts'> {
  const terms = new Set<string>()
  const found = new Set<string>()
  for (const [at, { facts }] of words.entries()) {
    const { bare, counts, tells, isCapital, grammar } = facts
    const denies = denials.has(bare)
    if (grammar === undefined || denies) terms.add(bare)
    if (counts || tells || denies || (isCapital && at > 0 && grammar === undefined)) found.add(bare)
  }
  return { terms: [...terms], facts: [...found] }
}

interface Weighing {
  readonly words: readonly ProseWord[]
  readonly terms: readonly string[]
  readonly isFirst: boolean
  readonly focus: ReadonlySet<string> | undefined
}

/** Decisions, demands, reasons and what is summed up. */
const decisive =
  /\b(?:must|never|always|do not|don't|cannot|only|decided|agreed|important|required?|because|conclusion|therefore|in short|root cause|deadline|remember|means|defined|called|known as|first|last|total)\b/i

/** From what kind of sentence it is, never from what it says: figures, names, decisions, what is asked for; pairs and items before prose. */
function worthOf({ text, kind }: Proposition, { words, terms, isFirst, focus }: Weighing): number {
  // What only leads up to others comes with them.
  if (leads({ text, kind }) || isAcknowledgement(text.replace(/^[^:\n]{1,60}:\s/, ''))) return 0
  const figures = words.some(({ facts }) => facts.counts) ? 0.25 : 0
  const names = Math.min(
    0.2,
    0.05 * words.filter(({ facts }, at) => at > 0 && facts.isCapital && facts.grammar === undefined).length,
  )
  const wanted =
    focus === undefined || terms.length === 0 ? 0 : terms.filter((term) => focus.has(term)).length / terms.length
  const form = kind === 'pair' ? 0.2 : kind === 'item' || kind === 'code' ? 0.1 : 0
  const content = terms.length / Math.max(1, words.length)
  return (
    0.1 +
    0.25 * content +
    figures +
    names +
    form +
    (isFirst ? 0.3 : 0) +
    (decisive.test(text) ? 0.2 : 0) +
    Math.min(0.6, 1.2 * wanted)
  )
}

interface Choosing {
  readonly options: DistilOptions
  readonly mostLength: number
}

function chosenWithin(read: readonly ReadProposition[], { options, mostLength }: Choosing): Uint8Array {
  const known = (options.known ?? []).flatMap((text) => termsOf(proseWords(text)).terms)
  return mostNew(read, { known, most: mostLength })
}

/** What of everything the chosen ones say. */
function coverage(read: readonly ReadProposition[], chosen: Uint8Array): number {
  const terms = new Set<string>()
  for (const [at, one] of read.entries())
    if (chosen[at] === 1) for (const term of [...one.terms, ...one.facts]) terms.add(term)
  let said = 0
  let all = 0
  for (const [at, one] of read.entries()) {
    const weight = one.worth * one.terms.length
    all += weight
    if (chosen[at] === 1) said += weight
    else if (one.facts.every((fact) => terms.has(fact)))
      said += (weight * one.terms.filter((term) => terms.has(term)).length) / Math.max(1, one.terms.length)
  }
  return all === 0 ? 1 : said / all
}

/** What stood next to each other stands as it stood; else a line of its own where it was on one, and the speaker where he is not clear. */
function written(text: string, read: readonly ReadProposition[], chosen: Uint8Array): string {
  const parts: string[] = []
  let last = -1
  for (const [at, one] of read.entries()) {
    if (chosen[at] !== 1) continue
    const before = read[last]
    if (before !== undefined && last === at - 1) parts.push(text.slice(before.end, one.start))
    else {
      const lead = text.slice(lineStart(text, one.start), one.start)
      const opensLine = /^[ \t\-*•+\d.)]*$/.test(lead.slice(-80))
      const speaker = one.speaker !== undefined && !isSpeakerClear(read, chosen, at) ? `${one.speaker}: ` : ''
      const isNewLine = opensLine || speaker !== '' || text.slice(before?.end ?? 0, one.start).includes('\n')
      parts.push(before === undefined ? '' : isNewLine ? '\n' : ' ', opensLine ? lead : speaker)
    }
    parts.push(one.text)
    last = at
  }
  return parts.join('').trimStart()
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Whether what was chosen of the same line is what goes before. */
function isSpeakerClear(read: readonly ReadProposition[], chosen: Uint8Array, at: number): boolean {
  for (let before = at - 1; before >= 0; before -= 1) {
    if (chosen[before] === 1) return true
    if (read[before]?.speaker === undefined) return false
  }
  return false
}
