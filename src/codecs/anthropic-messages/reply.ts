import type { JsonNode, JsonTree, JsonValue, ModelReply, ToolCall } from '../../core/index.ts'
import { decodeValue, isJsonObject, member, present, rawText, stringAt } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { failureOf, parseData, scanReply, upstreamBroken } from '../reply-body.ts'
import { splice, withMembers } from '../splice.ts'
import type { Edit } from '../splice.ts'
import { anthropicUsage } from './usage.ts'

/** Decodes a message, or an error body, which gives a reply with `failure`. */
export function decodeReply(body: string): ModelReply {
  const tree = scanReply(body)
  const { root } = tree
  const error = present(tree, root, 'error')
  if (error !== undefined) return { text: '', toolCalls: [], failure: failureOf(decodeValue(tree, error)) }
  const content = member(tree, root, 'content')
  if (content?.kind !== 'array') throw upstreamBroken('has no content')
  const usage = present(tree, root, 'usage')
  return {
    ...optional('id', stringAt(tree, root, 'id')),
    ...optional('model', stringAt(tree, root, 'model')),
    text: textOf(tree, content),
    toolCalls: content.children.flatMap((block) => toolCallOf(tree, block) ?? []),
    ...optional('stopReason', stringAt(tree, root, 'stop_reason')),
    ...optional('usage', anthropicUsage(usage === undefined ? undefined : decodeValue(tree, usage))),
    message: assistantMessage(sendableBlocks(tree, content)),
  }
}

/** The blocks as the provider takes them back: the input of a call must be an object. */
function sendableBlocks(tree: JsonTree, content: JsonNode): string {
  const edits = content.children.flatMap((block): readonly Edit[] => {
    const input = member(tree, block, 'input')
    if (stringAt(tree, block, 'type') !== 'tool_use' || input?.kind === 'object') return []
    const object = input === undefined ? '{}' : sendableInput(rawText(tree, input))
    return [{ start: block.start, end: block.end, text: withMembers(rawText(tree, block), [['input', object]]) }]
  })
  return splice(tree.text, edits, content.start, content.end)
}

/** Input that is no object goes back in one, as the provider advises, so that the model sees what it wrote. */
export function sendableInput(json: string): string {
  return isJsonObject(parseData(json)) ? json : JSON.stringify({ INVALID_JSON: json })
}

/** The message that carries these blocks (a raw JSON array) back to the provider. */
export function assistantMessage(content: string): string {
  return `{"role":"assistant","content":${content}}`
}

export function textOf(tree: JsonTree, content: JsonNode): string {
  return content.children
    .map((block) => (stringAt(tree, block, 'type') === 'text' ? (stringAt(tree, block, 'text') ?? '') : ''))
    .join('')
}

/** A block that the client has to answer; calls that the provider answers itself are none. */
function toolCallOf(tree: JsonTree, block: JsonNode): ToolCall | undefined {
  if (stringAt(tree, block, 'type') !== 'tool_use') return undefined
  const id = stringAt(tree, block, 'id')
  const name = stringAt(tree, block, 'name')
  if (id === undefined || name === undefined) return undefined
  const input = present(tree, block, 'input')
  return { id, name, arguments: input === undefined ? '{}' : rawText(tree, input) }
}

/** Later figures replace earlier ones; null says nothing. */
export function mergeUsage(before: JsonValue | undefined, after: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(after)) return before
  const told = Object.entries(after).filter(([, value]) => value !== null)
  return { ...(isJsonObject(before) ? before : {}), ...Object.fromEntries(told) }
}
