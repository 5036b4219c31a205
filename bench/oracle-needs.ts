import { ownLines, retention, usesOf } from '../src/inspect/index.ts'
import type { Trace } from '../src/inspect/index.ts'

/** By id of an item: its lines that a step still needs, and the last request whose answer does. */
export type Needs = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Every line that the measures of a replay ask for, at the newest place that held it: of strings that only tools or only the agent's own calls
 * had shown, and what edits quote.
 */
export function needsOf(trace: Trace): Needs {
  const messages = new Map(
    trace.requests.flatMap((request) => request.messages).map((message) => [message.id, message]),
  )
  const shown = retention(messages)
  const own = ownLines(messages)
  const uses = usesOf(trace)
  const needs = new Map<string, Map<string, number>>()
  const note = (request: number, place: ReturnType<typeof shown.placeOf>): void => {
    const line = place?.lines[place.line]
    if (place === undefined || line === undefined) return
    const item = place.message.items.find(({ text }) => text.includes(line)) ?? place.message.items.at(-1)
    if (item === undefined) return
    const known = needs.get(item.id) ?? new Map<string, number>()
    known.set(line, Math.max(request, known.get(line) ?? 0))
    needs.set(item.id, known)
  }
  for (const index of trace.requests.keys()) {
    for (const needle of trace.needles?.get(index) ?? []) note(index, shown.placeOf(needle))
    for (const { text, sources } of uses.ownStrings.get(index) ?? []) note(index, own.placeOf(text, sources))
    for (const edit of uses.edits.get(index) ?? [])
      for (const { text, sources } of edit.lines) note(index, own.placeOf(text, sources))
  }
  return needs
}
