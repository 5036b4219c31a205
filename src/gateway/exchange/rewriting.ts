import type { Conversation, WireExchange, Item } from '../../core/index.ts'
import { layeredRequest } from './exchange.ts'
import type { Exchange, LateRewrite } from './exchange.ts'

/**
 * Changes an item, or gives it back as it is. Must give the same for the same item, and leave its own results alone. What it has given is
 * remembered as long as the function: a layer that uses one function for all requests, or one for each session, is asked once for each item.
 */
export type Rewrite = (item: Item) => Item

/**
 * Makes what a rewrite needs for these items, such as words that stand for others, and stores it. Nothing is sent before it resolves. One function
 * for each session: it is given each item once, whether the item is in a request or comes in later, and none where all are known.
 */
export type PrepareRewrite = (items: readonly Item[]) => Promise<Rewrite>

/**
 * The exchange with every item changed: those of the conversation, and those that come in later. Reasoning that its provider has sealed
 * cannot be changed: where the rewrite would change it, it is left out; a rewrite that lets it through gives items that are `frozen` back as
 * they are. What the model has said and called beside it is changed. A change of what else is frozen ends the request.
 */
export function rewritten(exchange: Exchange, rewrite: Rewrite): Exchange {
  return { ...changedBy(exchange, rewrite), rewrites: [...exchange.rewrites, remembering(rewrite)] }
}

/** The same with a rewrite that is prepared. */
export async function rewrittenBy(exchange: Exchange, prepare: PrepareRewrite): Promise<Exchange> {
  const written = exchange.body === undefined ? [] : bodyRead(exchange, exchange.body).conversation.items
  const prepared = preparing(prepare)
  const rewrite = await prepared([...exchange.conversation.items, ...exchange.collected, ...written])
  const late: LateRewrite = async (item) => remembering(await prepared([item]))(item)
  return { ...changedBy(exchange, rewrite), rewrites: [...exchange.rewrites, late] }
}

/** An item that comes in late, as the layers want it. */
export async function admitted({ rewrites }: Pick<Exchange, 'rewrites'>, item: Item): Promise<Item> {
  let now = item
  for (const rewrite of rewrites) now = await rewrite(now)
  return now
}

/**
 * The client's own request again, whatever layers have made of it, save what must be rewritten: a layer's word that
 * nothing of what it was given is to be kept.
 */
export async function asItCame(exchange: Exchange): Promise<Exchange> {
  const { body: _, ...rest } = exchange
  const came: Exchange = { ...rest, ...wireOf(exchange.received.exchange), collected: [] }
  const first = await admittedItems(came)
  const open = unsealed(came, first)
  return open === undefined ? withItems(came, first) : withItems(open, await admittedItems(open))
}

function admittedItems(exchange: Exchange): Promise<readonly Item[]> {
  return Promise.all(exchange.conversation.items.map((item) => admitted(exchange, item)))
}

function changedBy(exchange: Exchange, given: Rewrite): Exchange {
  const rewrite = remembering(given)
  const { body, codec } = exchange
  const now = { ...changedConversation(exchange, rewrite), collected: exchange.collected.map(rewrite) }
  if (body === undefined) return now
  const { body: _, ...unwritten } = exchange
  const written = changedConversation({ ...unwritten, ...wireOf(bodyRead(exchange, body)) }, rewrite)
  return { ...now, body: codec.encode(written, {}) }
}

function bodyRead({ codec, wire: { path, headers } }: Exchange, body: string): WireExchange {
  return codec.decode({ path, headers, body })
}

function wireOf({ wire, conversation }: WireExchange): WireExchange {
  return { wire, conversation }
}

function changedConversation(exchange: Exchange, rewrite: Rewrite): Exchange {
  const items = exchange.conversation.items.map(rewrite)
  const open = unsealed(exchange, items)
  return open === undefined ? withItems(exchange, items) : withItems(open, open.conversation.items.map(rewrite))
}

/** The same exchange where no item changes. */
function withItems(exchange: Exchange, items: readonly Item[]): Exchange {
  const conversation = replaced(
    exchange.conversation,
    items.map((item, index) => (item === exchange.conversation.items[index] ? item : thawed(item))),
  )
  return conversation === exchange.conversation ? exchange : { ...exchange, conversation }
}

function replaced(conversation: Conversation, items: readonly Item[]): Conversation {
  return items.every((item, index) => item === conversation.items[index]) ? conversation : { ...conversation, items }
}

/** What a model has said or called beside sealed reasoning goes back as the model wrote it: a rewrite may bring that about. */
function thawed(item: Item): Item {
  if (item.frozen !== true || (item.kind !== 'text' && item.kind !== 'tool-call')) return item
  const { frozen: _, ...open } = item
  return open
}

/** The exchange without the seals of what these items change; undefined where they change nothing that is sealed. */
function unsealed(exchange: Exchange, items: readonly Item[]): Exchange | undefined {
  const { codec } = exchange
  const changed = exchange.conversation.items.filter((item, index) => item.frozen === true && item !== items[index])
  if (changed.length === 0 || !codec.leaveReasoning) return undefined
  // As the layers before have left it: their changes are in the body then.
  const layered = layeredRequest(exchange)
  const { model } = layered.conversation
  const raws = new Set(changed.map(({ id }) => codec.rawItem(layered, id)))
  const reader = { model, standsIn: false, changes: (raw: string) => raws.has(raw) }
  const { body, left } = codec.leaveReasoning(layered.wire.body, reader)
  if (left === 0) return undefined
  exchange.trace.show({ 'x-prehend-lost': `reasoning ${left}` })
  const { path, headers } = layered.wire
  return { ...exchange, ...wireOf(codec.decode({ path, headers, body }, layered)) }
}

/** What rewrites have given, by item. */
const given = new WeakMap<Rewrite, Rewrite>()

function remembering(rewrite: Rewrite): Rewrite {
  const known = given.get(rewrite)
  if (known) return known
  const results = new WeakMap<Item, Item>()
  const remembered: Rewrite = (item) => {
    const before = results.get(item)
    if (before) return before
    const now = sameOr(item, rewrite(item))
    results.set(item, now)
    return now
  }
  given.set(rewrite, remembered)
  // Who asks it again is given the same.
  given.set(remembered, remembered)
  return remembered
}

/** The item itself where a copy of it says the same. */
function sameOr(item: Item, now: Item): Item {
  if (now === item) return item
  const names = Object.keys({ ...item, ...now }) as (keyof Item)[]
  return names.every((name) => now[name] === item[name]) ? item : now
}

/** The items for which rewrites were prepared. */
const preparedFor = new WeakMap<PrepareRewrite, WeakSet<Item>>()

/** Asks for items that it was not asked for before. */
function preparing(prepare: PrepareRewrite): PrepareRewrite {
  const known = preparedFor.get(prepare) ?? new WeakSet<Item>()
  preparedFor.set(prepare, known)
  return async (items) => {
    const rewrite = await prepare(items.filter((item) => !known.has(item)))
    for (const item of items) known.add(item)
    return rewrite
  }
}
