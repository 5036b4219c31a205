import type { Item } from '../core/index.ts'
import type { NeedlePlace } from './retention.ts'
import type { Needle, TraceMessage } from './trace.ts'

/** Lines before and after the one asked for that come back with it. */
const windowLines = 40

export interface Rehydration {
  readonly place: NeedlePlace
  readonly needle: Needle
  /** Of the rehydrations of the session. */
  readonly ordinal: number
  readonly handle: string | undefined
}

/** The call that asks for a line by what stands in it, and the result that brings it with its surroundings. */
export function rehydration({ place, needle, ordinal, handle }: Rehydration): readonly TraceMessage[] {
  const id = `rehydrate-${ordinal}`
  const first = Math.max(0, place.line - windowLines)
  const window = place.lines.slice(first, place.line + windowLines + 1).join('\n')
  const asked = JSON.stringify({ handle: handle ?? place.message.id, pattern: needle.text })
  const base = { section: 'history', toolName: 'rehydrate', toolCallId: id, group: id } as const
  const call: Item = { ...base, id: `${id}.call`, kind: 'tool-call', role: 'assistant', text: asked }
  const result: Item = { ...base, id: `${id}.result`, kind: 'tool-result', role: 'tool', text: window, status: 'ok' }
  return [
    { id: `${id}.call`, role: 'assistant', items: [call] },
    { id: `${id}.result`, role: 'tool', items: [result] },
  ]
}
