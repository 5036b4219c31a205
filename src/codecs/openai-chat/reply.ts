import type { JsonNode, JsonTree, ModelReply, ToolCall } from '../../core/index.ts'
import { decodeValue, member, present, rawText, stringAt } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { failureOf, scanReply, upstreamBroken } from '../reply-body.ts'
import { openaiUsage } from './usage.ts'

/** Decodes the first choice of a completion, or an error body, which gives a reply with `failure`. */
export function decodeReply(body: string): ModelReply {
  const tree = scanReply(body)
  const { root } = tree
  const error = present(tree, root, 'error')
  if (error !== undefined) return { text: '', toolCalls: [], failure: failureOf(decodeValue(tree, error)) }
  const choice = member(tree, root, 'choices')?.children[0]
  const message = member(tree, choice, 'message')
  if (message?.kind !== 'object') throw upstreamBroken('has no choices[0].message')
  const usage = present(tree, root, 'usage')
  return {
    ...optional('id', stringAt(tree, root, 'id')),
    ...optional('model', stringAt(tree, root, 'model')),
    text: textOf(tree, message),
    toolCalls: (member(tree, message, 'tool_calls')?.children ?? []).flatMap((call) => toolCallOf(tree, call) ?? []),
    ...optional('stopReason', stringAt(tree, choice, 'finish_reason')),
    ...optional('usage', openaiUsage(usage === undefined ? undefined : decodeValue(tree, usage))),
    message: rawText(tree, message),
  }
}

/** The words of a message: its content string, or its text parts joined. */
export function textOf(tree: JsonTree, message: JsonNode): string {
  const content = member(tree, message, 'content')
  if (content?.kind !== 'array') return stringAt(tree, message, 'content') ?? ''
  return content.children
    .map((part) => (stringAt(tree, part, 'type') === 'text' ? (stringAt(tree, part, 'text') ?? '') : ''))
    .join('')
}

/** Some servers tell arguments as an object. */
function argumentsAt(tree: JsonTree, body: JsonNode | undefined): string {
  const told = present(tree, body, 'arguments')
  return told?.kind === 'object'
    ? rawText(tree, told)
    : (stringAt(tree, body, 'arguments') ?? stringAt(tree, body, 'input') ?? '')
}

export function toolCallOf(tree: JsonTree, call: JsonNode): ToolCall | undefined {
  const body = present(tree, call, 'function') ?? present(tree, call, 'custom')
  const id = stringAt(tree, call, 'id')
  const name = stringAt(tree, body, 'name')
  if (id === undefined || name === undefined) return undefined
  return { id, name, arguments: argumentsAt(tree, body) }
}
