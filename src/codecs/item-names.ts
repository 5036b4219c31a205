import type { Item } from '../core/index.ts'
import { fingerprint } from '../core/index.ts'

/** Names that are taken, with how often each was asked for. Those of a request before are shared and never change. */
export interface TakenNames {
  readonly own: Map<string, number>
  readonly before: readonly ReadonlyMap<string, number>[]
}

/** More maps than these are slower to look through than to join. */
const mostMaps = 16

export function takenNames(earlier?: TakenNames): TakenNames {
  if (earlier === undefined) return { own: new Map(), before: [] }
  const maps = earlier.own.size === 0 ? earlier.before : [...earlier.before, earlier.own]
  return { own: new Map(), before: maps.length < mostMaps ? maps : [new Map(maps.flatMap((map) => [...map]))] }
}

function uses(taken: TakenNames, name: string): number {
  const own = taken.own.get(name)
  if (own !== undefined) return own
  for (let index = taken.before.length - 1; index >= 0; index -= 1) {
    const count = taken.before[index]?.get(name)
    if (count !== undefined) return count
  }
  return 0
}

/** The tool that an item of this name defines, as far as the name says it: an item that comes back has its occurrence behind it. */
export function toolDefinedBy(itemId: string): string | undefined {
  return /^(?:added-)?tool:(.+?)(?:#\d+)?$/s.exec(itemId)?.[1]
}

/** The name that an item would have if no other item had it: what it answers or calls, or what it says. */
export function baseName(item: Item, place: string, rawText: () => string): string {
  if (item.kind === 'tool-schema') {
    // A message may list a tool that the body lists too.
    return `${place.startsWith('t') ? 'tool' : 'added-tool'}:${item.toolName ?? fingerprint(item.text)}`
  }
  if (item.toolCallId !== undefined && item.group !== undefined) {
    return `${item.kind === 'tool-call' ? 'call' : 'result'}:${item.group}`
  }
  const speaks = item.kind === 'text' || item.kind === 'instruction'
  const kind = place.startsWith('s') ? 'prompt' : speaks ? (item.role ?? 'text') : item.kind
  return `${kind}:${fingerprint(item.text === '' ? rawText() : item.text)}`
}

/** The name itself, or, for what comes back, the name with its occurrence. */
export function claimName(taken: TakenNames, base: string): string {
  let count = uses(taken, base) + 1
  let name = base
  if (count > 1) {
    name = `${base}#${count}`
    while (uses(taken, name) > 0) name = `${base}#${(count += 1)}`
    taken.own.set(name, 1)
  }
  taken.own.set(base, count)
  return name
}
