import type { Entailment } from '../../core/index.ts'
import { textMemo } from '../../core/index.ts'
import { termsOf } from '../../knowledge/index.ts'
import { propositionsOf } from '../../ladders/index.ts'
import { allNames } from './all-names.ts'

/** Of the words of a statement more must stand in what it is to follow from. */
const leastShared = 0.8

const numberForm = /[-+]?\d+(?:[.,:]\d+)*%?/g
const negationForm = /\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|kein\w*|nicht|nie|niemand)\b|n['’]t\b/i
/** Words that say which way something goes, by their stems, and words that turn another round. */
const directionForm =
  /^(?:increas|decreas|reduc|rais|lower|higher|more|less|fewer|improv|worsen|enhanc|impair|promot|prevent|inhibit|suppress|activ|damag|gain|los|start|stop|enabl|disabl|allow|forbid|before|after)|^(?:un|in|im|non|dis|de|anti|down|up)[a-z]{4}/

interface Said {
  readonly terms: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly denies: boolean
}

interface Premise {
  /** Its statements and lines, with single spaces, in lower case. */
  readonly exact: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  readonly said: readonly Said[]
  /** Where each word is said. */
  readonly places: ReadonlyMap<string, readonly number[]>
}

/**
 * Whether a statement stands in a text, word for word, or in a sentence, or in two that follow each other, that share more than four fifths of
 * its words, with all of its figures, its names and the words that say which way something goes, and deny as it does. No model: what
 * follows in other words is not seen, and what is rearranged to say something else passes.
 */
export const lexicalEntailment: Entailment = {
  id: 'lexical-1',
  entails(premise, statement) {
    const wanted = flat(statement)
    if (wanted === '') return 1
    const given = premises.get(premise)
    if (given.exact.has(wanted)) return 1
    const said = saidIn(statement)
    if (said.terms.size === 0 || allNames(statement).some((name) => isName(name) && !given.names.has(name))) return 0
    return placesToLook(said, given).some((at) => isGround(given.said[at], said)) ? 0.75 : 0
  },
}

const premises = textMemo(premiseOf, 500_000)

function premiseOf(text: string): Premise {
  const sentences = propositionsOf(text).map((one) => one.text)
  const said = sentences.map(saidIn)
  // What one sentence says of another stands in the next; what denies only half of it is no ground for either.
  const pairs = said.flatMap((one, at) => {
    const next = said[at + 1]
    return next === undefined || next.denies !== one.denies ? [] : [both(one, next)]
  })
  const all = [...said, ...pairs]
  return {
    exact: new Set([...sentences, ...text.split('\n')].map(flat)),
    names: new Set(allNames(text)),
    said: all,
    places: placesOf(all),
  }
}

function placesOf(said: readonly Said[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, { terms }] of said.entries())
    for (const term of terms) {
      const known = places.get(term)
      if (known) known.push(at)
      else places.set(term, [at])
    }
  return places
}

/** So few words may be missing that one of the rarest must be there. */
function placesToLook({ terms }: Said, { places }: Premise): readonly number[] {
  const lists = [...terms].map((term) => places.get(term) ?? [])
  const rarest = lists.toSorted((one, other) => one.length - other.length)
  return rarest.slice(0, Math.floor((1 - leastShared) * terms.size) + 1).flat()
}

function isGround(sentence: Said | undefined, statement: Said): boolean {
  return sentence !== undefined && follows(statement, sentence)
}

function both(one: Said, other: Said): Said {
  const { denies } = one
  return {
    terms: new Set([...one.terms, ...other.terms]),
    numbers: new Set([...one.numbers, ...other.numbers]),
    denies,
  }
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** Figures are compared by themselves. */
function isName(name: string): boolean {
  return !/^\d/.test(name)
}

function saidIn(text: string): Said {
  const numbers = new Set(Array.from(text.matchAll(numberForm), ([number]) => number))
  const terms = new Set(termsOf(text.replaceAll(numberForm, ' ')))
  return { terms, numbers, denies: negationForm.test(text) }
}

function follows(statement: Said, sentence: Said): boolean {
  if (statement.denies !== sentence.denies) return false
  for (const number of statement.numbers) if (!sentence.numbers.has(number)) return false
  let shared = 0
  for (const term of statement.terms) {
    if (sentence.terms.has(term)) shared += 1
    else if (directionForm.test(term)) return false
  }
  return shared > leastShared * statement.terms.size
}
