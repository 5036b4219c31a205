import { isWordGap } from '../core/index.ts'
import { propositionsOf } from './propositions.ts'
import { wordFacts } from './word-facts.ts'
import type { WordFacts } from './word-facts.ts'

/** A run of characters without white space in a text. */
export interface ProseWord {
  readonly text: string
  readonly facts: WordFacts
  /** White space before it. */
  readonly gap: string
  /** Of its proposition, from 0. */
  readonly proposition: number
  /** Whether it lies in code, a heading, a table, a list's mark or a pair, which stay as they are. */
  readonly isFixed: boolean
}

/** The words of a text in their order; together with their gaps they are the text, but for white space at its end. Linear. */
export function proseWords(text: string): readonly ProseWord[] {
  const words: ProseWord[] = []
  let from = 0
  for (const [at, { start, end, kind }] of propositionsOf(text).entries()) {
    const lead = text.slice(from, start)
    from = end
    const isFixed = kind === 'code' || kind === 'heading' || kind === 'pair' || isData(text.slice(start, end))
    // What lies between propositions is white space and marks of lists.
    push(words, lead, { proposition: at, isFixed: true })
    const label = kind === 'item' ? (labelForm.exec(text.slice(start, start + 80))?.[0].length ?? 0) : 0
    push(words, text.slice(start, start + label), { proposition: at, isFixed: true })
    push(words, text.slice(start + label, end), { proposition: at, isFixed })
  }
  return words
}

/** In characters. What is longer is no passage, and reading it word by word would take seconds. */
export const longestProse = 400_000

/** Who speaks. */
const labelForm = /^\p{Lu}[\p{L}\p{N}_.'-]{0,30}(?:[ \t][\p{L}\p{N}_.'()-]{1,30}){0,3}:(?=[ \t])/u

interface Pushing {
  readonly proposition: number
  readonly isFixed: boolean
}

function push(words: ProseWord[], text: string, { proposition, isFixed }: Pushing): void {
  let at = 0
  while (at < text.length) {
    const from = at
    while (at < text.length && isWordGap(text.charCodeAt(at))) at += 1
    const gap = at - from === 1 && text.charCodeAt(from) === 32 ? ' ' : text.slice(from, at)
    const first = at
    while (at < text.length && !isWordGap(text.charCodeAt(at))) at += 1
    const word = text.slice(first, at)
    words.push({ text: word, facts: wordFacts(word), gap, proposition, isFixed: isFixed || word === '' })
  }
}

/** Columns, markup and statements of a program are no sentences, whatever they end with. */
function isData(text: string): boolean {
  const head = text.slice(0, 400)
  return /\t|\S {3,}\S|^[[{<|>]|[{}]\s*$|^\s*\S{1,60}\([^)]{0,120}\)\s*;?\s*$/.test(head)
}
