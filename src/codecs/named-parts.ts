import type { Item, JsonNode, JsonTree, Message } from '../core/index.ts'
import { fingerprint, frozen, rawText } from '../core/index.ts'
import type { TakenNames } from './item-names.ts'
import { baseName, claimName } from './item-names.ts'
import { nodeAt } from './item-place.ts'
import { optional } from './optional.ts'
import type { Field } from './read-field.ts'
import type { CallRecord, MessageReading, PartReading, RequestReader, ToolFacts } from './request-reader.ts'

/** A reading whose items have their names; kept to be used again by the next request. */
export interface PartRecord extends PartReading {
  /** Of the items, in their order. */
  readonly places: readonly string[]
  /** The names that were asked for. */
  readonly bases: readonly string[]
}

export interface ToolRecord extends PartRecord, ToolFacts {}

export interface MessageRecord extends PartRecord {
  readonly node: JsonNode
  readonly isQuery: boolean
  readonly message: Message
  readonly calls: readonly CallRecord[]
  readonly tools?: readonly ToolFacts[]
}

interface Naming {
  readonly reader: RequestReader
  readonly tree: JsonTree
  readonly taken: TakenNames
}

/** Gives items their names in the place of their places. They are frozen, so that nobody has to look whether they have changed. */
export function named(reading: PartReading, { reader, tree, taken }: Naming): PartRecord {
  const places = reading.items.map((item) => item.id)
  const bases = reading.items.map((item) => baseName(item, item.id, () => rawAt(tree, reader, item.id)))
  const items = reading.items.map((item, index): Item => {
    const id = claimName(taken, bases[index] ?? item.id)
    return frozen({ ...item, id, provenance: { sourceId: `${reader.dialect}:${id}` } })
  })
  const idAt = (place: string): string => items[places.indexOf(place)]?.id ?? place
  const markers = reading.markers.map((marker) => ({ ...marker, itemId: idAt(marker.itemId) }))
  return { items, markers, places, bases }
}

export function messageRecord(
  reading: MessageReading,
  { reader, field, taken, isQuery }: Omit<Naming, 'tree'> & { readonly field: Field; readonly isQuery: boolean },
): MessageRecord {
  const part = named(reading, { reader, tree: field.tree, taken })
  const itemIds = part.items.map((item) => item.id)
  const empty = itemIds.length > 0 ? undefined : `empty:${fingerprint(rawText(field.tree, field.node))}`
  const id = `@${itemIds[0] ?? claimName(taken, empty ?? '')}`
  return {
    ...part,
    ...(empty === undefined ? {} : { bases: [empty] }),
    node: field.node,
    isQuery,
    message: { id, role: reading.role, itemIds, ...optional('name', reading.name) },
    calls: reading.calls,
    ...optional('tools', reading.tools),
  }
}

/** What was read before is named as it was; the names that follow have to know. */
export function claimAgain(taken: TakenNames, { bases }: PartRecord): void {
  for (const base of bases) claimName(taken, base)
}

function rawAt(tree: JsonTree, { shape }: RequestReader, place: string): string {
  const node = nodeAt(tree, shape, place)
  return node === undefined ? '' : tree.text.slice(node.start, node.end)
}
