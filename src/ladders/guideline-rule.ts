import type { Guideline } from '../core/index.ts'

/** What guidelines have kept of a text. */
export interface GuidelineRule {
  keepsWord(word: string): boolean
  keepsProposition(proposition: string): boolean
}

/** Kinds of facts by the words that people use for them. */
const kinds: readonly (readonly [named: RegExp, fact: RegExp])[] = [
  [/\b(?:figures?|numbers?|amounts?|prices?|dates?|times?|quantit(?:y|ies)|limits?)\b/i, /\p{N}/u],
  [/\b(?:names?|people|persons?|places?|companies)\b/i, /\S\s+["'(]?\p{Lu}\p{L}/u],
  [/\bquestions?\b/i, /\?/],
  [
    /\b(?:decisions?|agreements?|commitments?)\b/i,
    /\b(?:decided|decision|agreed|agreement|will|promised|committed)\b/i,
  ],
  [/\b(?:reasons?|causes?)\b/i, /\b(?:because|since|therefore|due to|caused|reason)\b/i],
]

const longestQuote = 120

/** What the texts of guidelines ask to be kept; undefined where they name nothing that a rule can find. */
export function guidelineRule(guidelines: readonly Guideline[]): GuidelineRule | undefined {
  const terms = guidelines.flatMap(({ text }) => quotedIn(text)).map((term) => term.toLowerCase())
  const facts = kinds.flatMap(([named, fact]) => (guidelines.some(({ text }) => named.test(text)) ? [fact] : []))
  if (terms.length === 0 && facts.length === 0) return undefined
  const words = new Set(terms.flatMap((term) => term.split(/\s+/)))
  return {
    keepsWord: (word) => words.has(word.toLowerCase().replace(/[^\p{L}\p{N}]{1,4}$/u, '')),
    keepsProposition(proposition) {
      const plain = proposition.toLowerCase()
      return terms.some((term) => plain.includes(term)) || facts.some((fact) => fact.test(proposition))
    },
  }
}

function quotedIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/"([^"]{2,200})"/g), ([, quote = '']) => quote.slice(0, longestQuote))
}
