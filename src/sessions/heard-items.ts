import type { Item, ProviderEditing } from '../core/index.ts'
import { perObject } from '../core/index.ts'

/**
 * The items of a turn, those marked that a provider ignores because it has compacted them: they cost nothing, and nothing of ours may stand in their
 * place, since the model would not see it.
 */
export function heardItems(items: readonly Item[], { ignoresBefore }: ProviderEditing = {}): readonly Item[] {
  const block = ignoresBefore === undefined ? -1 : items.findIndex(({ id }) => id === ignoresBefore)
  return block <= 0 ? items : items.map((item, index) => (index < block && isSaid(item) ? unheard(item) : item))
}

/** Instructions and tools stand before any conversation, and are heard. */
function isSaid({ section }: Item): boolean {
  return section === 'history' || section === 'query'
}

/** One object for each item, so that what is remembered of it is found again. */
const unheard = perObject((item: Item): Item => ({ ...item, pin: true, tokens: 0 }))
