import type { AIMessage, UsageMetadata } from '@langchain/core/messages'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { AnsweredPart, ModelReply, ReplyPart } from '../neutral/index.ts'
import { callBlocks } from './call-blocks.ts'
import type { Block, Core, ReplyFrom } from './types.ts'

type Part = ReplyPart<ReplyFrom>

/** A reply in words of no framework. */
export function readReply(message: AIMessage): ModelReply<ReplyFrom> {
  const usage = message.usage_metadata as UsageMetadata | undefined
  const parts = partsOf(message)
  return {
    parts,
    stop: stopOf(message, parts),
    usage: usage && {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadTokens: usage.input_token_details?.cache_read,
      cacheWriteTokens: usage.input_token_details?.cache_creation,
    },
  }
}

function stopOf({ response_metadata: told }: AIMessage, parts: readonly Part[]): ModelReply<ReplyFrom>['stop'] {
  const reason: unknown = told['stop_reason'] ?? told['finish_reason'] ?? told['finishReason']
  if (typeof reason === 'string' && /length|max_tokens|refusal|content_filter|safety/i.test(reason)) return 'length'
  return parts.some(({ type }) => type === 'call') ? 'calls' : 'end'
}

function partsOf(message: AIMessage): readonly Part[] {
  const { content, tool_calls: calls = [], additional_kwargs, response_metadata } = message
  const blocks: readonly Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const said = blocks.flatMap((block): readonly Part[] => {
    if (callBlocks.has(block.type) || block['text'] === '') return []
    const isWords = typeof content === 'string'
    const own = isWords ? {} : { own: { block: block as unknown as JsonValue } }
    const from: ReplyFrom = isWords ? { message } : { message, block }
    if (block.type === 'text') return [{ type: 'text', text: String(block['text']), from, ...own }]
    const words = block['thinking'] ?? block['reasoning']
    return [
      typeof words === 'string' ? { type: 'reasoning', text: words, from, ...own } : { type: 'other', from, ...own },
    ]
  })
  const { tool_calls: _, ...kept } = additional_kwargs
  const own = { message: { additional_kwargs: kept, response_metadata } as unknown as JsonValue }
  const made = calls.map((call): Part => {
    const { id = '', name, args } = call
    return { type: 'call', id, name, input: args as JsonObject, from: { message, call }, own }
  })
  return [...said, ...made]
}

/** The message that the caller gets: the last one, with the words of all rounds and without calls of ours. */
export function writeReply(
  last: AIMessage,
  parts: readonly AnsweredPart<ReplyFrom>[],
  { messages: core }: Core,
): AIMessage {
  const isSame = parts.every(({ from, input }) => from.message === last && input === undefined)
  if (isSame && parts.length === partsOf(last).length) return last
  const calls = parts.flatMap(({ from: { call }, input }) =>
    call ? [input ? { ...call, args: { ...input } } : call] : [],
  )
  const said = parts.filter(({ from }) => from.call === undefined)
  const isWords = said.every(({ from }) => from.block === undefined)
  const content = isWords
    ? said.map(({ from }) => String(from.message.content)).join('')
    : said.map(({ from }) => from.block ?? { type: 'text', text: String(from.message.content) })
  const { tool_calls: _, ...kept } = last.additional_kwargs
  // A message that was streamed has the pieces of its calls as well, ours among them.
  const { tool_call_chunks: _pieces, ...fields } = last.lc_kwargs as Readonly<Record<string, unknown>>
  return new core.AIMessage({
    ...fields,
    content,
    tool_calls: calls,
    additional_kwargs: kept,
    response_metadata: last.response_metadata,
    usage_metadata: last.usage_metadata,
    id: last.id,
  } as never)
}
