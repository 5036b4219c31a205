import { stringsIn } from './measures/said-text.ts'
import type { Needle, Trace, TraceMessage } from './trace.ts'

/** A row of a needle file, without the id of its trace. */
export interface FoundNeedle {
  readonly step: number
  readonly needle: string
  /** The last sources, at most twenty. */
  readonly src: readonly number[]
  readonly n_src: number
}

const maxSources = 20
const word = /[\p{L}\d_][\p{L}\d_./-]*[\p{L}\d_]/gu
const shortest = 8
/** Amounts with their currency or unit, percentages, and dates. */
const figure =
  /[€$£¥] ?\d[\d.,]*\d|\d[\d.,]*\d ?(?:[€$£¥%]|EUR\b|USD\b|GBP\b)|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\. ?\p{Lu}\p{L}{2,12} \d{4}\b|\b\d{1,2} \p{Lu}\p{L}{2,12} \d{4}\b|\b\d{1,3}(?:[.,]\d{3})*[.,]\d{2,3}\b/gu
const quotation = /"([^"\n]{6,200})"|“([^”\n]{6,200})”|「([^」\n]{4,200})」/g
/** Where sentences end, in scripts with blanks between words and in those without. */
const sentenceEnd = /(?<=[.!?;])\s+|(?<=[。!?])|\n+/u
const shortestFigure = 5
const longestPhrase = 300

/**
 * Needles of a session: what a step's tool calls used that stood before in tool output and nowhere else, neither in what people wrote
 * nor in what the agent did: identifiers and paths, amounts and dates, names with blanks, and sentences.
 */
export function findNeedles(messages: readonly TraceMessage[]): readonly FoundNeedle[] {
  const observed = messages.map((message) => textOf(message, true))
  const spoken = messages.map((message) => textOf(message, false))
  // What was once said stays said; this spares most of the search.
  const said = new Set<string>()
  return messages.flatMap((message, step) => {
    if (message.role !== 'assistant') return []
    return usedTexts(message).flatMap((needle): readonly FoundNeedle[] => {
      if (said.has(needle)) return []
      const src = indicesWith(observed, step, needle)
      if (indicesWith(spoken, step, needle).length > 0) said.add(needle)
      if (src.length === 0 || said.has(needle)) return []
      return [{ step, needle, src: src.slice(-maxSources), n_src: src.length }]
    })
  })
}

/** Which of the first texts hold the needle. */
function indicesWith(texts: readonly string[], before: number, needle: string): readonly number[] {
  const found: number[] = []
  for (let index = 0; index < before; index += 1) if (texts[index]?.includes(needle) === true) found.push(index)
  return found
}

/** The trace with the needles that its own messages tell of, where no file did; sessions must have grown by appending. */
export function withFoundNeedles(trace: Trace): Trace {
  const all = trace.requests.at(-1)?.messages ?? []
  if (trace.needles !== undefined) return trace
  const byLength = new Map(trace.requests.map(({ messages }, index) => [messages.length, index]))
  const needles = new Map<number, Needle[]>()
  for (const { step, needle, src } of findNeedles(all)) {
    const index = byLength.get(step)
    const isBefore = index !== undefined && trace.requests[index]?.messages.at(-1) === all[step - 1]
    if (!isBefore) continue
    const sources = src.map((source) => all[source]?.id ?? '')
    needles.set(index, [...(needles.get(index) ?? []), { text: needle, sources }])
  }
  return { ...trace, needles }
}

/** Identifiers and paths in the arguments of a message's tool calls. */
export function usedStrings(message: TraceMessage): readonly string[] {
  return [...new Set(namesOf(givenText(message)))].toSorted()
}

function givenText({ items }: TraceMessage): string {
  return items
    .filter(({ kind }) => kind === 'tool-call')
    .map(({ text }) => stringsIn(text))
    .join('\n')
}

function namesOf(text: string): readonly string[] {
  return (text.match(word) ?? []).filter((one) => one.length >= shortest && isName(one))
}

/** Beside names, the figures, phrases and sentences. */
function usedTexts(message: TraceMessage): readonly string[] {
  const text = givenText(message)
  const figures = (text.match(figure) ?? []).filter((one) => one.length >= shortestFigure)
  const quoted = Array.from(text.matchAll(quotation), ([, one, two, three]) => one ?? two ?? three ?? '')
  const sentences = text.split(sentenceEnd).map((one) => one.trim())
  const phrases = [...quoted, ...sentences].filter((one) => one.length <= longestPhrase && isPhrase(one))
  return [...new Set([...namesOf(text), ...figures, ...phrases])].toSorted()
}

/** Several words, in whatever script, and no piece of a program. */
function isPhrase(text: string): boolean {
  if (/[{}<>=|`]|\(\)/.test(text)) return false
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]{6}/u.test(text)) return true
  const words = text.split(/\s+/).filter((one) => /^["'“(]?\p{L}[\p{L}’'-]+[.,;:!?)"'”]*$/u.test(one))
  return words.length >= 2 && /\p{L}{3}/u.test(text)
}

/** An identifier or a path: joined from parts, not a plain word or a number. */
function isName(text: string): boolean {
  return /\p{L}/u.test(text) && (/[._/-]/.test(text) || /\p{Ll}\p{Lu}/u.test(text))
}

function textOf(message: TraceMessage, observed: boolean): string {
  return message.items
    .filter((item) => (item.kind === 'tool-result') === observed)
    .map((item) => (item.kind === 'tool-call' ? stringsIn(item.text) : item.text))
    .join('\n')
}
