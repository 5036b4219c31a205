import type { Item, Sampling, ToolDefinition } from '../../core/index.ts'
import type { ModelInfo } from '../catalogue/model-info.ts'
import { tokenizerOf } from '../tokenizer-for.ts'
import { countedOnce } from './counted-once.ts'
import { framingOf } from './framing.ts'
import { requestOverhead } from './request-overhead.ts'
import type { MessageShape } from './request-shape.ts'

/** A conversation as it is before a compile, of whichever dialect. */
export interface ConversationShape {
  readonly messages: readonly Pick<MessageShape, 'role' | 'name'>[]
  /** In wire order. */
  readonly items: readonly Pick<Item, 'kind' | 'toolName' | 'toolCallId'>[]
  /** Tools that are items, too: what counts is whether there are any. */
  readonly tools: readonly unknown[]
  /** Tools of ours that are no items. */
  readonly addedTools?: readonly ToolDefinition[]
  readonly sampling?: Pick<Sampling, 'toolChoice'>
}

/**
 * What a request costs beside its items: the frames of its messages, of the calls in them, whose names are no part of an item's
 * text, and of the results; what its provider says because there are tools; and tools that are no items.
 */
export function conversationOverhead(conversation: ConversationShape, info: ModelInfo): number {
  const { messages, items, tools, addedTools = [], sampling } = conversation
  const toolChoice = isForced(sampling?.toolChoice) ? 'forced' : 'auto'
  const { tokens } = requestOverhead({ messages, tools: addedTools, toolChoice }, info)
  const toolPrompt = addedTools.length === 0 && tools.length > 0 ? info.toolPrompt[toolChoice] : 0
  return tokens + toolPrompt + callFrames(items, info) + resultFrames(messages, items, info)
}

function isForced(choice: Sampling['toolChoice']): boolean {
  return choice === 'required' || typeof choice === 'object'
}

function callFrames(items: ConversationShape['items'], info: ModelInfo): number {
  const { perToolCall } = framingOf(info)
  const names = countedOnce(tokenizerOf(info))
  let tokens = 0
  for (const { kind, toolName = '' } of items) {
    if (kind === 'tool-call') tokens += perToolCall + names.count(toolName)
  }
  return tokens
}

/** Results that share a message with others or with a user's words; one in a message of its own is framed with it. */
function resultFrames(
  messages: ConversationShape['messages'],
  items: ConversationShape['items'],
  info: ModelInfo,
): number {
  const framed = messages.filter(({ role }) => role === 'tool').length
  return Math.max(0, resultsIn(items) - framed) * framingOf(info).perToolResult
}

/** A result may be several items, one after the other. */
function resultsIn(items: ConversationShape['items']): number {
  let results = 0
  items.forEach(({ kind, toolCallId }, index) => {
    const before = items[index - 1]
    const goesOn = before?.kind === 'tool-result' && toolCallId !== undefined && before.toolCallId === toolCallId
    if (kind === 'tool-result' && !goesOn) results += 1
  })
  return results
}
