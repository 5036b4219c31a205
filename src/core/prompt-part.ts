import type { Item } from './item.ts'

/** The parts of a prompt in the order in which providers read and cache them. */
export type PromptPart = 'tools' | 'system' | 'messages'

/** The part in which an item stands. */
export function promptPartOf({ kind, role }: Pick<Item, 'kind' | 'role'>): PromptPart {
  if (kind === 'tool-schema') return 'tools'
  return isInstruction(role) ? 'system' : 'messages'
}

/** Whether who speaks so instructs the model. */
export function isInstruction(role: unknown): boolean {
  return role === 'system' || role === 'developer'
}
