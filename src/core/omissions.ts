import type { Item } from './item.ts'
import type { Manifest, ManifestDecision } from './manifest.ts'

/** Why an item has no place, as a list of what is left out says it; want of room has many names in receipts. */
export function whyOmitted(reason: ManifestDecision['reason']): string {
  return reason === 'section-budget' || reason === 'deferred' || reason === 'ledger' ? 'no room' : reason
}

const mostCharacters = 80

/**
 * What the handle of a list of omissions brings back: each item with its own handle, its name, why it is not shown and how it begins.
 * Undefined where nothing of the section is left out.
 */
export function omissionText(
  items: readonly Item[],
  { decisions }: Pick<Manifest, 'decisions'>,
  section: string,
): string | undefined {
  const byId = new Map(items.map((item) => [item.id, item]))
  const lines = decisions.flatMap(({ itemId, section: own, rung, reason, handle }) => {
    const item = byId.get(itemId)
    const isListed = own === section && rung === 'omitted' && reason !== 'duplicate'
    if (!isListed || item === undefined || handle === undefined) return []
    return [
      `[${handle}] ${nameOf(item)}, ${item.text.length} characters, ${whyOmitted(reason)}: ${beginning(item.text)}`,
    ]
  })
  if (lines.length === 0) return undefined
  return [`Not shown of ${section}: ${lines.length}. Each has its handle.`, ...lines].join('\n')
}

function nameOf({ id, provenance, toolName }: Item): string {
  return oneLine(provenance?.title ?? provenance?.uri ?? toolName ?? id)
}

function beginning(text: string): string {
  const start = oneLine(text.slice(0, 4 * mostCharacters))
  return start.length <= mostCharacters ? start : `${start.slice(0, mostCharacters).toWellFormed()}…`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
