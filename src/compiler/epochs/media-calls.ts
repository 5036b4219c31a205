import type { Item } from '../../core/index.ts'

/** The call that has brought a picture, a recording or a file. */
export interface MediaCall {
  readonly text: string
  readonly step: number
}

/**
 * Tells of media in a result which call has brought it: the last before it with its id, since agents use ids again. The calls are looked
 * for when that is first asked.
 */
export function mediaCalls(items: readonly Item[], steps: readonly number[]): (index: number) => MediaCall | undefined {
  let calls: ReadonlyMap<number, MediaCall> | undefined
  return (index) => {
    calls ??= callsOfMedia(items, steps)
    return calls.get(index)
  }
}

function callsOfMedia(items: readonly Item[], steps: readonly number[]): ReadonlyMap<number, MediaCall> {
  const last = new Map<string, MediaCall>()
  const found = new Map<number, MediaCall>()
  for (const [index, { kind, toolCallId, text }] of items.entries()) {
    if (toolCallId === undefined) continue
    if (kind === 'tool-call') last.set(toolCallId, { text, step: steps[index] ?? 0 })
    const call = kind === 'media' ? last.get(toolCallId) : undefined
    if (call !== undefined) found.set(index, call)
  }
  return found
}
