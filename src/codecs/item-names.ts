import type { Item } from '../core/index.ts'

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

/** The name that an item would have if no other item had it: what it answers or calls, or what it says. */
export function baseName(item: Item, place: string, rawText: () => string): string {
  if (item.kind === 'tool-schema') return `tool:${item.toolName ?? fingerprint(item.text)}`
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

/** Longer texts (images, files) are told by their length and this many of their characters. */
const mostRead = 65_536

/** Tells texts apart; nothing hangs on it but the stability of a name. */
export function fingerprint(text: string): string {
  const step = text.length > mostRead ? text.length / mostRead : 1
  let a = 0x811c9dc5
  let b = 0x9e3779b9 ^ text.length
  for (let at = 0; at < text.length; at += step) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995)
    b ^= b >>> 15
  }
  return (a >>> 0).toString(36).padStart(7, '0') + (b >>> 0).toString(36).padStart(7, '0')
}
