import { readMarker } from '../../ladders/index.ts'
import type { TraceMessage } from '../trace.ts'
import { readText } from './said-text.ts'

/** A reference in a shown text, and how a reader who has the recorded conversation takes it. */
export interface ReadReference {
  /** Lines that it stands for. */
  readonly lines: number
  /** Whether it leads to one place, and to the very lines that it stands for. */
  readonly isExact: boolean
}

/** What each numbered step returned and asked, by position in the conversation. */
export type Steps = (step: number, call: boolean) => string | undefined

/** Steps are told by position: an agent may use the id of a call again. */
export function stepsOf(messages: readonly TraceMessage[]): Steps {
  const calls: string[] = []
  const results: string[] = []
  const open: { readonly id: string | undefined; readonly at: number }[] = []
  for (const { items } of messages) {
    for (const { kind, text, toolCallId: id } of items) {
      if (kind === 'tool-call') open.push({ id, at: calls.push(readText(kind, text)) - 1 })
      if (kind !== 'tool-result') continue
      const found = open.findIndex((call) => call.id === id)
      const at = open.splice(Math.max(0, found), 1)[0]?.at ?? calls.push('') - 1
      results[at] = text
    }
  }
  return (step, call) => (call ? calls : results)[step - 1]
}

/** Lines right above a reference by which its place is looked for. */
const mostAnchors = 4

/** The references in a shown text, read beside the original that it stands for. */
export function referencesIn(shown: string, original: string, steps: Steps): readonly ReadReference[] {
  const found: ReadReference[] = []
  const whole = original.split('\n')
  const above: string[] = []
  let at = 0
  for (const line of shown.split('\n')) {
    const marker = readMarker(line)
    const { step, lines: count, from, first, last = first } = marker?.values ?? {}
    if (first !== undefined) {
      at = Number(last)
      above.length = 0
    } else if (step !== undefined && count !== undefined && marker?.form.startsWith('repeat') === true) {
      const meant = whole.slice(at, at + Number(count))
      const source = steps(Number(step), marker.form.includes('call'))?.split('\n') ?? []
      const read = readings(source, { above, from, count: Number(count) })
      found.push({ lines: Number(count), isExact: read.length === 1 && read[0] === meant.join('\n') })
      at += Number(count)
      above.length = 0
    } else {
      above.push(line)
      at += 1
    }
  }
  return found
}

interface Looked {
  readonly above: readonly string[]
  readonly from: string | undefined
  readonly count: number
}

/** The different texts that a reference may lead to. */
function readings(source: readonly string[], { above, from, count }: Looked): readonly string[] {
  const anchors = above.slice(-mostAnchors)
  const starts = [...source.keys()].filter((index) =>
    from === undefined
      ? anchors.length > 0 &&
        index >= anchors.length &&
        anchors.every((line, offset) => source[index - anchors.length + offset] === line)
      : source[index]?.trim().startsWith(from),
  )
  return [...new Set(starts.map((start) => source.slice(start, start + count).join('\n')))]
}
