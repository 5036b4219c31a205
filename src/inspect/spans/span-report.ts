import type { Item, Rendition } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import type { MarkedSpan, MarkedText } from './read-spans.ts'

/**
 * How far texts are shortened: as passages by words and by sentences, as a result of a tool by lines, mildly and as far as lines stay, and to one line;
 * and the beginning of the passage, in as many characters as its sentences take.
 */
export const spanLevels = ['words', 'sentences', 'beginning', 'lines', 'fewest lines', 'line'] as const
export type SpanLevel = (typeof spanLevels)[number]

/** Marked spans of one type. */
export interface SpanTypeReport {
  readonly type: string
  readonly spans: number
  /** Share of them that stands word for word, by level. */
  readonly stands: Readonly<Record<SpanLevel, number>>
}

export interface SpanReport {
  readonly name: string
  readonly texts: number
  /** Texts that stand together are read as one. */
  readonly passages: number
  readonly spans: number
  /** Share of the tokens of the passages that is left, by level. */
  readonly tokens: Readonly<Record<SpanLevel, number>>
  /** All of them first, then type by type, the most frequent first. */
  readonly types: readonly SpanTypeReport[]
}

/** A passage has at least so many characters; shorter texts stand together, as what a search finds does. */
const leastCharacters = 2_000
const handle = '482915037114'
const allTypes = 'all'

type Figures = Record<SpanLevel, number>

const nothing = (): Figures => ({
  'words': 0,
  'sentences': 0,
  'beginning': 0,
  'lines': 0,
  'fewest lines': 0,
  'line': 0,
})

/** What of marked spans stands where the texts that hold them are shortened. */
export function spanReport(name: string, texts: readonly MarkedText[], count: (text: string) => number): SpanReport {
  const passages = passagesOf(texts)
  const left = nothing()
  let whole = 0
  const types = new Map<string, { spans: number; readonly stands: Figures }>()
  for (const { text, spans } of passages) {
    const shown = shownAt(text, count)
    whole += count(text)
    for (const level of spanLevels) left[level] += count(shown[level])
    for (const { type, value } of spans)
      for (const counted of [allTypes, type]) {
        const sums = types.get(counted) ?? { spans: 0, stands: nothing() }
        types.set(counted, sums)
        sums.spans += 1
        for (const level of spanLevels) if (shown[level].includes(value)) sums.stands[level] += 1
      }
  }
  return {
    name,
    texts: texts.length,
    passages: passages.length,
    spans: types.get(allTypes)?.spans ?? 0,
    tokens: shares(left, whole),
    types: Array.from(types, ([type, { spans, stands }]) => ({ type, spans, stands: shares(stands, spans) })).toSorted(
      byFrequency,
    ),
  }
}

interface Passage {
  readonly text: string
  readonly spans: readonly MarkedSpan[]
}

function passagesOf(texts: readonly MarkedText[]): readonly Passage[] {
  const passages: Passage[] = []
  let parts: MarkedText[] = []
  let length = 0
  for (const [at, one] of texts.entries()) {
    parts.push(one)
    length += one.text.length + 1
    if (length < leastCharacters && at < texts.length - 1) continue
    passages.push({ text: parts.map(({ text }) => text).join('\n'), spans: parts.flatMap(({ spans }) => spans) })
    parts = []
    length = 0
  }
  return passages
}

/** The text at every level: its rung or, where it has none, the one above. */
function shownAt(text: string, count: (text: string) => number): Readonly<Record<SpanLevel, string>> {
  const prose = { keepRatio: 0.5, minFidelity: 0.9, unhandled: false }
  const passage: Item = { id: 'p', section: 'evidence', kind: 'evidence', text, provenance: { sourceId: 's' } }
  const result: Item = { id: 'r', section: 'history', kind: 'tool-result', role: 'tool', toolName: 'read', text }
  const byWords = ladderFor(passage, { count, handle, prose })
  const byLines = ladderFor(result, { count, handle })
  const words = textAt(byWords, 'trimmed') ?? text
  const sentences = textAt(byWords, 'summary') ?? words
  const lines = textAt(byLines, 'trimmed') ?? text
  const fewest = byLines.findLast(({ rung }) => rung === 'trimmed')?.text ?? lines
  return {
    words,
    sentences,
    'beginning': text.slice(0, sentences.length).toWellFormed(),
    lines,
    'fewest lines': fewest,
    'line': textAt(byLines, 'line') ?? fewest,
  }
}

function textAt(ladder: readonly Rendition[], wanted: Rendition['rung']): string | undefined {
  return ladder.find(({ rung }) => rung === wanted)?.text
}

function shares(parts: Figures, whole: number): Figures {
  const found = nothing()
  for (const level of spanLevels) found[level] = whole === 0 ? 1 : parts[level] / whole
  return found
}

function byFrequency(a: SpanTypeReport, b: SpanTypeReport): number {
  const rank = ({ type }: SpanTypeReport): number => (type === allTypes ? 0 : 1)
  return rank(a) - rank(b) || b.spans - a.spans || (a.type < b.type ? -1 : 1)
}
