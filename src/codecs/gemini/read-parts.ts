import type { Item } from '../../core/index.ts'
import { decodeValue, present, rawText, stringAt } from '../../core/index.ts'
import { claimCall, requireCall } from '../claim-call.ts'
import { optional } from '../optional.ts'
import { wordsOfResult } from '../words-of-block.ts'
import type { Field } from '../read-field.ts'
import { child, elements, requireArray, requireObject, requireString, requiredString } from '../read-field.ts'
import type { CallRecord, MessageContext } from '../request-reader.ts'
import type { ItemDetails, Speaker } from '../wire-item.ts'
import { mediaItem, textKind, wireItem } from '../wire-item.ts'
import { argumentsOf, callId, callIn } from './call-ids.ts'
import { geminiMedia } from './media.ts'
import type { PartKind } from './members.ts'
import { either, eitherChild, partKind } from './members.ts'
import { isFailed, resultWords } from './result-words.ts'

/** A part of a message, and what its message has told so far. */
export interface Part {
  readonly field: Field
  readonly id: string
  readonly speaker: Speaker
  readonly context: MessageContext
  /** Ids of the calls before, in the same message. */
  readonly taken: Set<string>
  /** Ids of the calls that parts before have answered. */
  readonly answered: Set<string>
}

/** What one part gives; a result with parts of its own gives several items. */
export interface PartReading {
  readonly items: readonly Item[]
  readonly call?: CallRecord
}

const readers: { readonly [Kind in PartKind]: (part: Part) => PartReading } = {
  text: ({ field, id, speaker }) => ({
    items: [wireItem(speaker, { id, kind: textKind(speaker.role), text: textOf(field), ...signed(field) })],
  }),
  thought: (part) => ({ items: [rawItem(part, 'reasoning')] }),
  call: readCall,
  result: readResult,
  inline: (part) => ({ items: [beside(part)] }),
  file: (part) => ({ items: [beside(part)] }),
  other: (part) => ({ items: [otherItem(part)] }),
}

export function readPart(part: Part): PartReading {
  return readers[partKind(part.field.tree, part.field.node)](part)
}

function textOf(field: Field): string {
  const text = child(field, 'text')
  return text === undefined ? '' : requireString(text)
}

/** A part with a signature goes back as it came, or with its whole message. */
function signed({ tree, node }: Field): Pick<ItemDetails, 'frozen'> {
  return either(tree, node, 'thoughtSignature') === undefined ? {} : { frozen: true }
}

export function rawItem({ field, id, speaker }: Pick<Part, 'field' | 'id' | 'speaker'>, kind: 'reasoning' | 'opaque') {
  return wireItem(speaker, { id, kind, text: rawText(field.tree, field.node), frozen: true })
}

/** What the provider's own code has put out is words elsewhere. */
function otherItem(part: Part): Item {
  const { tree, node } = part.field
  return { ...rawItem(part, 'opaque'), ...optional('words', wordsOfResult(decodeValue(tree, node))) }
}

function readMedia({ field, id, speaker }: Pick<Part, 'field' | 'id' | 'speaker'>): Item {
  return mediaItem(speaker, { id, media: geminiMedia(field), ...signed(field) })
}

/** What stands behind a result in its message is of that tool: results of older models hold no media. */
function beside(part: Part): Item {
  const item = readMedia(part)
  const call = part.context.calls.get([...part.answered].at(-1) ?? '')
  return call === undefined ? item : ofResult(item, { group: call.group, toolName: call.name, toolCallId: call.id })
}

function ofResult(item: Item, pair: Partial<ItemDetails>): Item {
  return { ...item, ...pair, role: 'tool', section: 'history', authority: 'tool', trust: 'untrusted' }
}

function readCall({ field, id, speaker, context, taken }: Part): PartReading {
  const { tree, node } = field
  const body = requireObject(eitherChild(field, 'functionCall') ?? field)
  const name = requiredString(body, 'name')
  const args = child(body, 'args')
  if (args !== undefined) requireObject(args)
  const call = callIn(tree, node) ?? { name }
  const toolCallId = callId(tree, call, (known) => taken.has(known) || context.unanswered.has(known))
  const record = claimCall(context, taken, { id: toolCallId, name, path: `${body.path}.id` })
  const locked = args === undefined ? { frozen: true } : signed(field)
  const pair = { group: record.group, toolName: name, toolCallId }
  const item = wireItem(speaker, { id, kind: 'tool-call', text: argumentsOf(tree, call), ...pair, ...locked })
  return { items: [item], call: record }
}

function readResult(part: Part): PartReading {
  const { field, id, speaker } = part
  const { tree } = field
  const body = requireObject(eitherChild(field, 'functionResponse') ?? field)
  const call = answeredCall(part, body)
  part.answered.add(call.id)
  const response = child(body, 'response')
  if (response !== undefined) requireObject(response)
  const words = response && resultWords(tree, response.node)
  const text =
    words === undefined ? rawText(tree, response?.node ?? body.node) : requireString({ ...body, node: words })
  const pair = {
    group: call.group,
    toolName: call.name,
    toolCallId: call.id,
    ...(isFailed(tree, response?.node) && { status: 'error' as const }),
  }
  const said = { id, kind: 'tool-result' as const, text: response === undefined ? '' : text }
  const result = wireItem(speaker, { ...said, ...pair, ...(response === undefined && { frozen: true }) })
  return { items: [result, ...resultMedia(body, part, pair)] }
}

/** Pictures and files that a result brings. */
function resultMedia(body: Field, { id, speaker }: Part, pair: Partial<ItemDetails>): readonly Item[] {
  const parts = child(body, 'parts')
  if (parts === undefined) return []
  return elements(requireArray(parts)).map((field, index): Item => {
    const item = readMedia({ field: requireObject(field), id: `${id}.p${index}`, speaker })
    return ofResult(item, pair)
  })
}

/** The call that a result answers: by its id, else the first of its name that waits. */
function answeredCall({ context, answered }: Part, body: Field): CallRecord {
  const id = present(body.tree, body.node, 'id') && stringAt(body.tree, body.node, 'id')
  const known = id === undefined || answered.has(id) ? undefined : context.calls.get(id)
  if (known !== undefined) return known
  const name = requiredString(body, 'name')
  for (const waiting of context.unanswered) {
    const call = answered.has(waiting) ? undefined : context.calls.get(waiting)
    if (call?.name === name) return call
  }
  return requireCall(new Map(), id ?? name, `${body.path}.${id === undefined ? 'name' : 'id'}`)
}
