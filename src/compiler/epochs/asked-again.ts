import type { Item } from '../../core/index.ts'

export interface AskedAgainOptions {
  readonly items: readonly Item[]
  readonly steps: readonly number[]
}

/**
 * Tells of a result whether the very same call was made again later and has its result: what failed before is then told by how it ended
 * last. Looked for when that is first asked.
 */
export function askedAgain({ items, steps }: AskedAgainOptions): (index: number) => boolean {
  let last: ReadonlyMap<number, number> | undefined
  return (index) => {
    last ??= lastSteps(items, steps)
    const step = steps[index] ?? 0
    return (last.get(step) ?? step) > step
  }
}

/** Of each step the last one with the same call, among those that have a result. */
function lastSteps(items: readonly Item[], steps: readonly number[]): ReadonlyMap<number, number> {
  const callOf = new Map<number, string>()
  const lastOf = new Map<string, number>()
  items.forEach(({ kind, toolName = '', text }, index) => {
    const step = steps[index] ?? 0
    if (kind === 'tool-call') callOf.set(step, `${toolName}\0${text}`)
    const call = callOf.get(step)
    if (kind === 'tool-result' && call !== undefined) lastOf.set(call, Math.max(step, lastOf.get(call) ?? 0))
  })
  return new Map([...callOf].map(([step, call]) => [step, lastOf.get(call) ?? step]))
}
