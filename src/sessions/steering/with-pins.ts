import type { Conversation, Item } from '../../core/index.ts'
import { perObject } from '../../core/index.ts'
import { briefingIn } from '../compaction/briefing-item.ts'

/** The conversation with the items that a person has pinned: they stand whole from now on. */
export function withPins<Of extends Pick<Conversation, 'items'>>(conversation: Of, pins: readonly string[]): Of {
  if (pins.length === 0) return conversation
  const wanted = new Set(pins)
  const items = conversation.items.map((item) => (wanted.has(item.id) ? pinned(item) : item))
  return { ...conversation, items }
}

/** Those of the pinned ids that a conversation holds, in its order. */
export function pinsIn({ items }: Pick<Conversation, 'items'>, pins: readonly string[] = []): readonly string[] {
  if (pins.length === 0) return pins
  const wanted = new Set(pins)
  return items.flatMap(({ id }) => (wanted.has(id) ? [id] : []))
}

/** One object for each item, so that later requests read it once. Text of a user that looks like a briefing of ours must not become one. */
const pinned = perObject((item: Item): Item => {
  const made = { ...item, pin: true } as const
  return briefingIn(made) === undefined ? made : item
})
