import type { Item } from '../../core/index.ts'
import {
  factReader,
  hasLinesInStrings,
  originalLines,
  readMarker,
  resultLines,
  selectFrom,
} from '../../ladders/index.ts'
import type { ReadMarker } from '../../ladders/index.ts'
import { readText } from './said-text.ts'

/** A reference in a shown text, and how a reader of the whole request takes it. */
export interface ReadReference {
  /** Lines that it stands for. */
  readonly lines: number
  /** Whether it leads to one place, and to the very lines that it stands for. */
  readonly isExact: boolean
}

/** What each numbered step returned and asked, by position in the conversation. */
export interface Steps {
  (step: number, call: boolean): string | undefined
  /** The same as references count its lines, where that differs: of a call, those of its long strings. */
  counted?(step: number, call: boolean): readonly string[]
}

/** Steps are told by position: an agent may use the id of a call again. */
export function stepsOf(items: Iterable<Pick<Item, 'kind' | 'text' | 'toolCallId'>>): Steps {
  const calls: string[] = []
  const asked: string[] = []
  const results: string[] = []
  const open: { readonly id: string | undefined; readonly at: number }[] = []
  for (const { kind, text, toolCallId: id } of items) {
    if (kind === 'tool-call') {
      open.push({ id, at: calls.push(readText(kind, text)) - 1 })
      asked[calls.length - 1] = text
    }
    if (kind !== 'tool-result') continue
    const found = open.findIndex((call) => call.id === id)
    const at = open.splice(Math.max(0, found), 1)[0]?.at ?? calls.push('') - 1
    results[at] = text
  }
  const steps = (step: number, call: boolean): string | undefined => (call ? calls : results)[step - 1]
  const counted = (step: number, call: boolean): readonly string[] =>
    call ? linesOfCall(asked[step - 1] ?? '') : linesOfResult(results[step - 1])
  return Object.assign(steps, { counted })
}

function linesOfCall(json: string): readonly string[] {
  return factReader().eachLineOf({ id: '', section: 'history', kind: 'tool-call', text: json }, json)
}

function linesOfResult(text: string | undefined): readonly string[] {
  return text === undefined ? [] : resultLines(text).lines
}

/** The references in a shown text, read beside the original that it stands for and the steps as they are shown. */
export function referencesIn(shown: string, original: string, steps: Steps): readonly ReadReference[] {
  const found: ReadReference[] = []
  const above: string[] = []
  for (const line of resultLines(shown).lines) {
    const marker = readMarker(line)
    const meant = marker && meantBy(marker, original, steps)
    if (meant !== undefined) {
      const { source, lines, text } = meant
      const read = readings(source, above, lines)
      found.push({ lines, isExact: read.length === 1 && read[0] === text })
    }
    if (marker === undefined) above.push(line)
    else above.length = 0
  }
  return found
}

interface Meant {
  /** The step that is named, line by line. */
  readonly source: readonly string[]
  readonly lines: number
  /** What the reference stands for; undefined where the original has no such lines. */
  readonly text: string | undefined
}

/** What a reference stands for. One without a handle names lines of the other step, which the original must have as well. */
function meantBy({ form, values }: ReadMarker, original: string, steps: Steps): Meant | undefined {
  const { step, first, last = first, lines, handle } = values
  if (step === undefined || !form.includes('repeats')) return undefined
  const isCall = form.includes('call')
  const said = steps(Number(step), isCall)
  const source = isCall ? (said?.split('\n') ?? []) : linesOfResult(said)
  if (handle !== undefined) return { source, lines: Number(lines), text: broughtBack(original, `${first}-${last}`) }
  const counted = steps.counted?.(Number(step), isCall) ?? source
  const named = counted.slice(Number(first) - 1, Number(last))
  const text = named.join('\n')
  return {
    source,
    lines: named.length,
    text: `\n${linesOfResult(original).join('\n')}\n`.includes(`\n${text}\n`) ? text : undefined,
  }
}

/** The lines of a result by which its handle answers. A range of lines in a string brings back the line feed behind them, too. */
function broughtBack(original: string, range: string): string | undefined {
  const found = selectFrom(originalLines({ text: original, kind: 'tool-result' }), range)
  return hasLinesInStrings(original) ? found?.replace(/\n$/, '') : found
}

/** The different texts that a reference may lead to: what goes on where most of the lines above it stand. */
function readings(source: readonly string[], above: readonly string[], count: number): readonly string[] {
  let ends = [...source.keys()].filter((at) => above.length > 0 && source[at] === above.at(-1))
  for (let back = 1; back < above.length && ends.length > 1; back++) {
    const closer = ends.filter((at) => source[at - back] === above.at(-1 - back))
    if (closer.length === 0) break
    ends = closer
  }
  return [...new Set(ends.map((at) => source.slice(at + 1, at + 1 + count).join('\n')))]
}
