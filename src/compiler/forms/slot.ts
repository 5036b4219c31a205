import type { Item, KnownSection, Role } from '../../core/index.ts'
import { isKnownSection } from '../../core/index.ts'

/** A place in the request. */
export type Slot = KnownSection | 'durable' | 'others'

/** The order of the request: what changes least first. */
export const wireOrder: readonly Slot[] = [
  'tools',
  'policy',
  'role',
  'durable',
  'history',
  'task',
  'evidence',
  'situation',
  'memory',
  'others',
  'query',
]

/** Pinned memory is the same in every pack of a session and stands where the cache holds it. */
export function slotOf({ section, pin }: Item): Slot {
  if (section === 'memory' && pin === true) return 'durable'
  return isKnownSection(section) ? section : 'others'
}

/** Results of tools stand in the conversation as data that the user brings; a plain message cannot carry a call's id. */
export function wireRole({ role, kind }: Item): Role {
  if (role === 'tool' || kind === 'tool-result') return 'user'
  if (role !== undefined) return role
  return kind === 'tool-call' || kind === 'reasoning' ? 'assistant' : 'user'
}
