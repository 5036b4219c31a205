import type { CallsOptions } from './calls-by-step.ts'

/**
 * Tells of a call whether it has replaced texts of a file: its result is there, and states no failure. Looked for when that is first asked.
 */
export function madeEdits({ items, steps, facts }: CallsOptions): (index: number) => boolean {
  let made: ReadonlySet<number> | undefined
  return (index) => {
    const item = items[index]
    if (item?.kind !== 'tool-call' || facts.ofCall(item.text).replaces.size === 0) return false
    made ??= stepsWithout(({ status, text }) => status === 'error' || facts.ofText(text).states.includes(1))
    return made.has(steps[index] ?? 0)
  }

  /** The steps that have a result, none of which has failed. */
  function stepsWithout(failed: (item: CallsOptions['items'][number]) => boolean): ReadonlySet<number> {
    const found = new Set<number>()
    const bad = new Set<number>()
    items.forEach((item, index) => {
      if (item.kind !== 'tool-result') return
      const step = steps[index] ?? 0
      found.add(step)
      if (failed(item)) bad.add(step)
    })
    for (const step of bad) found.delete(step)
    return found
  }
}
