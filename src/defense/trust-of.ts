import type { CappedField, Item, Trust } from '../core/index.ts'

/** `own` are the model's words and calls: they are never judged and never changed. */
export type Standing = Trust | 'own'

const untrustedSections: ReadonlySet<string> = new Set(['evidence', 'memory', 'situation'])
const trustedSections: ReadonlySet<string> = new Set(['policy', 'role', 'task', 'tools'])

/** How far an item is trusted: by what it says of itself, else by who speaks, else by where it stands. Pinned memory is as untrusted as other. */
export function trustOf({ trust, role, kind, section }: Item): Standing {
  if (kind === 'tool-call' || kind === 'reasoning' || role === 'assistant') return 'own'
  if (trust !== undefined) return trust
  if (kind === 'tool-result' || role === 'tool' || kind === 'evidence' || kind === 'memory') return 'untrusted'
  if (role === 'system' || role === 'developer' || trustedSections.has(section)) return 'trusted'
  if (role === 'user' || section === 'query' || section === 'history') return 'semi-trusted'
  return 'untrusted'
}

/** Which cap an item falls under. */
export function cappedFieldOf(item: Item): CappedField | undefined {
  const trust = trustOf(item)
  if (trust === 'own') return undefined
  if (trust === 'trusted') return 'instructions'
  if (item.kind === 'tool-result') return 'result'
  if (trust === 'semi-trusted') return 'user'
  return untrustedSections.has(item.section) && item.section !== 'evidence' ? 'memory' : 'evidence'
}
