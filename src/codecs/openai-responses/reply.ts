import type { JsonNode, JsonObject, JsonTree, JsonValue, ModelReply } from '../../core/index.ts'
import { decodeValue, isJsonObject, member, present, rawText, scanJson, stringAt } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { failureOf, scanReply, upstreamBroken } from '../reply-body.ts'
import { itemType, toolCallOf } from './items.ts'
import { stringIn } from '../json-members.ts'
import { responsesUsage } from './usage.ts'

/** Decodes a response, or an error body, which gives a reply with `failure`. Its `message` is the list of its items. */
export function decodeReply(body: string): ModelReply {
  const tree = scanReply(body)
  const { root } = tree
  const error = present(tree, root, 'error')
  const output = member(tree, root, 'output')
  if (error !== undefined && output?.kind !== 'array')
    return { text: '', toolCalls: [], failure: failureOf(decodeValue(tree, error)) }
  if (output?.kind !== 'array') throw upstreamBroken('has no output')
  const usage = present(tree, root, 'usage')
  const outcome = outcomeOf({
    status: stringAt(tree, root, 'status') ?? null,
    error: error === undefined ? null : decodeValue(tree, error),
    incomplete_details: { reason: stringAt(tree, present(tree, root, 'incomplete_details'), 'reason') ?? null },
  })
  return {
    ...optional('id', stringAt(tree, root, 'id')),
    ...optional('model', stringAt(tree, root, 'model')),
    ...wordsOf(tree, output),
    ...outcome,
    ...optional('usage', responsesUsage(usage === undefined ? undefined : decodeValue(tree, usage))),
    message: rawText(tree, output),
  }
}

/** How a response ended, in one word; a failure in its own. */
export function outcomeOf(response: JsonValue | undefined): Pick<ModelReply, 'stopReason' | 'failure'> {
  if (!isJsonObject(response)) return {}
  const status = stringIn(response, 'status')
  if (status === 'failed' || status === 'cancelled') return { stopReason: status, failure: failureIn(response, status) }
  const { incomplete_details: details } = response
  const reason = status === 'incomplete' && isJsonObject(details) ? stringIn(details, 'reason') : undefined
  return optional('stopReason', reason ?? status)
}

function failureIn({ error }: JsonObject, status: string): NonNullable<ModelReply['failure']> {
  return isJsonObject(error) ? errorOf(error) : { type: status, message: `the response has ${status}` }
}

/** An error whose kind is told by its code. */
export function errorOf(error: JsonValue | undefined): { readonly type: string; readonly message: string } {
  const { type, message } = failureOf(error)
  const code = isJsonObject(error) ? stringIn(error, 'code') : undefined
  return { type: type === 'error' ? (code ?? type) : type, message }
}

/** What a list of items says, and calls for; a call that is answered beside it was the provider's own. */
export function wordsOf(tree: JsonTree, { children: items }: JsonNode): Pick<ModelReply, 'text' | 'toolCalls'> {
  const answers = items.filter((item) => stringAt(tree, item, 'type')?.endsWith('_call_output') === true)
  const answered = new Set(answers.map((item) => stringAt(tree, item, 'call_id')))
  const calls = items.flatMap((item) => (isCall(tree, item) ? (toolCallOf(decodeValue(tree, item)) ?? []) : []))
  return {
    text: items.map((item) => textOf(tree, item)).join(''),
    toolCalls: calls.filter(({ id }) => !answered.has(id)),
  }
}

function isCall(tree: JsonTree, item: JsonNode): boolean {
  return stringAt(tree, item, 'type')?.endsWith('_call') === true
}

/** The words of a message of the assistant's; nothing for what is no message. */
export function textOf(tree: JsonTree, item: JsonNode): string {
  if (itemType(tree, item) !== 'message') return ''
  const content = member(tree, item, 'content')
  if (content?.kind !== 'array') return stringAt(tree, item, 'content') ?? ''
  return content.children
    .map((part) => (spokenTypes.has(stringAt(tree, part, 'type')) ? (stringAt(tree, part, 'text') ?? '') : ''))
    .join('')
}

const spokenTypes: ReadonlySet<string | undefined> = new Set(['output_text', 'text', 'input_text'])

/** The raw items of a reply. */
export function itemsOf({ message }: Pick<ModelReply, 'message'>): {
  readonly tree: JsonTree
  readonly items: readonly JsonNode[]
} {
  const tree = scanJson(message ?? '[]')
  return { tree, items: tree.root.children }
}
