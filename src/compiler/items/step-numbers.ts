import type { Item } from '../../core/index.ts'

/**
 * The number of the tool call that each item belongs to, counted from 1 (the step that markers name). A result is that of the oldest
 * call with its id that has none yet: agents use ids again.
 */
export function stepNumbers(items: readonly Item[]): readonly number[] {
  const open = new Map<string, number[]>()
  let step = 0
  return items.map(({ kind, toolCallId: id }) => {
    if (kind !== 'tool-call' && kind !== 'tool-result') return step
    const answered = kind === 'tool-result' && id !== undefined ? open.get(id)?.shift() : undefined
    if (answered !== undefined) return answered
    step++
    if (kind === 'tool-call' && id !== undefined) open.set(id, [...(open.get(id) ?? []), step])
    return step
  })
}
