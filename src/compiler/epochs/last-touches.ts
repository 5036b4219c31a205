import { callsByStep } from './calls-by-step.ts'
import type { CallsOptions } from './calls-by-step.ts'

/**
 * The step of the last call that names a file which a result shows; the result's own step where none does. An agent that comes back to a file may
 * still use what it has read there.
 */
export function lastTouches(options: CallsOptions): (index: number) => number {
  const { items, steps, facts } = options
  const callOf = callsByStep(options)
  let known: ReadonlyMap<string, number> | undefined
  return (index) => {
    const own = steps[index] ?? 0
    if (items[index]?.kind !== 'tool-result') return own
    const { shows } = callOf(index)
    if (shows.length === 0) return own
    known ??= lastNamed(options)
    const touched = shows.map((path) => known?.get(fileName(path)) ?? own)
    return Math.max(own, ...touched)
  }

  function lastNamed({ items: all }: CallsOptions): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    for (const [index, item] of all.entries()) {
      if (item.kind !== 'tool-call') continue
      for (const name of facts.namesIn(item.text)) found.set(fileName(name), steps[index] ?? 0)
    }
    return found
  }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
