import type { Item } from '../../core/index.ts'

/** Names of an item by which others refer to it; shorter ones stand everywhere. */
const leastName = 4

/**
 * The last turn in which the user or the model has named an item by its id, its origin or its call; undefined where nobody has. One pass
 * over what was said.
 */
export function referenceReader(items: readonly Item[]): (item: Item) => number | undefined {
  const saidAt = new Map<string, number>()
  for (const { kind, role, text, birthTurn } of items) {
    const speaks = kind === 'tool-call' || (kind === 'text' && (role === 'assistant' || role === 'user'))
    if (!speaks || birthTurn === undefined) continue
    for (const word of text.match(/[^\s"'`()<>[\]{},;]{4,200}/g) ?? []) {
      const name = word.replace(/[.:!?]+$/, '')
      if ((saidAt.get(name) ?? -1) < birthTurn) saidAt.set(name, birthTurn)
    }
  }
  return (item) => {
    const { birthTurn = 0 } = item
    const turns = namesOf(item).flatMap((name) => saidAt.get(name) ?? [])
    const last = Math.max(-1, ...turns)
    return last > birthTurn ? last : undefined
  }
}

function namesOf({ id, provenance, toolCallId }: Item): readonly string[] {
  const names = [id, provenance?.uri, provenance?.sourceId, provenance?.title, toolCallId]
  return names.flatMap((name) => (name !== undefined && name.length >= leastName ? [name] : []))
}
