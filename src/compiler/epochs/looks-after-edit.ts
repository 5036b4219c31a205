import { callsByStep } from './calls-by-step.ts'
import type { CallsOptions } from './calls-by-step.ts'

/** Whoever looks at a file so soon after changing it wants to see what it is like now. */
const soon = 4

/** Tells of a result whether it shows a file that was edited or written a few steps before. Looked for when that is first asked. */
export function looksAfterEdit(options: CallsOptions): (index: number) => boolean {
  const { steps } = options
  const callOf = callsByStep(options)
  let changed: ReadonlyMap<string, readonly number[]> | undefined
  return (index) => {
    const { shows } = callOf(index)
    const step = steps[index] ?? 0
    if (shows.length === 0) return false
    changed ??= changesOf(options)
    return shows.some((path) => changed?.get(path)?.some((at) => at < step && step - at <= soon))
  }
}

/** The steps at which each file was edited or written. */
function changesOf({ items, steps, facts }: CallsOptions): ReadonlyMap<string, readonly number[]> {
  const changed = new Map<string, number[]>()
  items.forEach(({ kind, text }, index) => {
    if (kind !== 'tool-call') return
    const { edits, writes } = facts.ofCall(text)
    for (const path of new Set([...edits, ...writes]))
      changed.set(path, [...(changed.get(path) ?? []), steps[index] ?? 0])
  })
  return changed
}
