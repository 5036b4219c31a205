import { rehydrateToolName } from '../core/index.ts'
import type { Item } from '../core/index.ts'
import type { NeedlePlace } from './retention.ts'
import type { TraceMessage } from './trace.ts'

/** Lines before and after the one asked for that come back with it. */
const windowLines = 40

export interface Rehydration {
  readonly place: NeedlePlace
  /** Of the rehydrations of the session. */
  readonly ordinal: number
  readonly handle: string | undefined
}

/** The call that asks for some lines of an original, and the result that brings them. */
export function rehydration({ place, ordinal, handle }: Rehydration): readonly TraceMessage[] {
  const id = `rehydrate-${ordinal}`
  const first = Math.max(0, place.line - windowLines)
  const shown = place.lines.slice(first, place.line + windowLines + 1)
  const lines = `${first + 1}-${first + shown.length}`
  const asked = JSON.stringify({ handle: handle ?? place.message.id, lines })
  const base = { section: 'history', toolName: rehydrateToolName, toolCallId: id, group: id } as const
  const call: Item = { ...base, id: `${id}.call`, kind: 'tool-call', role: 'assistant', text: asked }
  const result: Item = { ...base, id: `${id}.result`, kind: 'tool-result', role: 'tool', text: shown.join('\n') }
  return [
    { id: `${id}.call`, role: 'assistant', items: [call] },
    { id: `${id}.result`, role: 'tool', items: [result] },
  ]
}
