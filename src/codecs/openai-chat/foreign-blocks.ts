import type { Item } from '../../core/index.ts'
import { decodeValue, isTrue, member, rawText, stringAt } from '../../core/index.ts'
import { claimCall } from '../claim-call.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { child, elements } from '../read-field.ts'
import type { CallRecord, MessageContext } from '../request-reader.ts'
import type { ItemDetails, Speaker } from '../wire-item.ts'
import { wireItem } from '../wire-item.ts'
import { wordsOfResult } from '../words-of-block.ts'

/** A block of Anthropic's in a body of this dialect, as servers that stand before Claude take it. Here its bytes stay as they came. */
export interface ForeignBlock {
  readonly field: Field
  readonly id: string
  readonly type: string
  readonly speaker: Speaker
  readonly context: MessageContext
  /** Ids of the calls that the message makes in `tool_calls`. */
  readonly called: ReadonlySet<string>
  /** Of a message that is a tool's result as a whole. */
  readonly pair: Partial<ItemDetails>
}

export interface ForeignReading {
  readonly items: readonly Item[]
  readonly call?: CallRecord
}

/** A call or a result that another dialect can be told; of everything else, its words. */
export function readForeign(block: ForeignBlock, taken: Set<string>): ForeignReading {
  if (block.type === 'tool_use') return readCall(block, taken) ?? { items: [opaque(block)] }
  return { items: (block.type === 'tool_result' ? readResult(block) : undefined) ?? [opaque(block)] }
}

/** Whether a message holds results alone, so that no user wrote it. */
export function isOfResults(content: Field): boolean {
  const { tree, node } = content
  if (node.kind !== 'array' || node.children.length === 0) return false
  return node.children.every((part) => stringAt(tree, part, 'type') === 'tool_result')
}

function opaque({ field, id, speaker, pair }: ForeignBlock): Item {
  const item = wireItem(speaker, { ...pair, id, kind: 'opaque', text: rawText(field.tree, field.node), frozen: true })
  return { ...item, ...optional('words', wordsOfResult(decodeValue(field.tree, field.node))) }
}

/** Undefined where the call stands a second time, as in `tool_calls`, or nobody could answer it. */
function readCall(
  { field, id, speaker, context, called }: ForeignBlock,
  taken: Set<string>,
): ForeignReading | undefined {
  const { tree, node } = field
  const [callId, name] = [stringAt(tree, node, 'id') ?? '', stringAt(tree, node, 'name') ?? '']
  if (speaker.role !== 'assistant' || callId === '' || name === '') return undefined
  if (called.has(callId) || taken.has(callId) || context.unanswered.has(callId)) return undefined
  const call = claimCall(context, taken, { id: callId, name, path: `${field.path}.id` })
  const input = child(field, 'input')
  const text = input?.node.kind === 'object' ? rawText(tree, input.node) : '{}'
  const pair = { group: call.group, toolName: name, toolCallId: callId }
  return { items: [wireItem(speaker, { id, kind: 'tool-call', text, ...pair, frozen: true })], call }
}

/** One item for each part that it has. Undefined where it answers no call. */
function readResult({ field, id, speaker, context }: ForeignBlock): readonly Item[] | undefined {
  const call = context.calls.get(stringAt(field.tree, field.node, 'tool_use_id') ?? '')
  if (call === undefined) return undefined
  const status = isTrue(field.tree, member(field.tree, field.node, 'is_error')) ? { status: 'error' as const } : {}
  const pair = { group: call.group, toolName: call.name, toolCallId: call.id, ...status }
  const said = (part: Field, partId: string, words: string | undefined): Item => {
    const text = rawText(part.tree, part.node)
    const item = wireItem({ ...speaker, role: 'tool' }, { ...pair, id: partId, kind: 'opaque', text, frozen: true })
    return { ...item, ...optional('words', words) }
  }
  const content = child(field, 'content')
  const parts = content?.node.kind === 'array' ? elements(content) : []
  if (parts.length > 0) return parts.map((part, at) => said(part, `${id}.p${at}`, wordsOf(part)))
  return [said(field, id, content?.node.kind === 'string' ? (stringAt(field.tree, field.node, 'content') ?? '') : '')]
}

function wordsOf({ tree, node }: Field): string | undefined {
  return stringAt(tree, node, 'text') ?? wordsOfResult(decodeValue(tree, node))
}
