import type { Item } from '../../core/index.ts'
import type { CallFacts, FactReader } from '../../ladders/index.ts'

export interface CallsOptions {
  readonly items: readonly Item[]
  readonly steps: readonly number[]
  readonly facts: FactReader
}

/** Tells of each item what the call of its step does to files; the calls are looked for when that is first asked. */
export function callsByStep({ items, steps, facts }: CallsOptions): (index: number) => CallFacts {
  let calls: ReadonlyMap<number, Item> | undefined
  return (index) => {
    calls ??= new Map(items.flatMap((item, at) => (item.kind === 'tool-call' ? [[steps[at] ?? 0, item] as const] : [])))
    return facts.ofCall(calls.get(steps[index] ?? 0)?.text ?? '')
  }
}
