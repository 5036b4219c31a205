import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { ModelReply, ReplyPart, ReplyUsage } from '../neutral/index.ts'
import type { Content, GenerateResult, Usage } from './types.ts'

type Finished = Pick<GenerateResult, 'content' | 'finishReason' | 'usage'>

/** What a model has answered in words of no framework. */
export function readResult({ content, finishReason, usage }: Finished): ModelReply<Content> {
  return { parts: content.map(readContent), stop: stopOf(finishReason.unified), usage: readUsage(usage) }
}

const stops: Readonly<Record<string, ModelReply<Content>['stop']>> = {
  'stop': 'end',
  'tool-calls': 'calls',
  'length': 'length',
}

function stopOf(reason: string): ModelReply<Content>['stop'] {
  return stops[reason] ?? 'other'
}

function readContent(content: Content): ReplyPart<Content> {
  const { providerMetadata } = content
  const own = providerMetadata && { own: { providerOptions: providerMetadata } as JsonValue }
  switch (content.type) {
    case 'text':
    case 'reasoning':
      return { type: content.type, text: content.text, from: content, ...own }
    case 'tool-call': {
      const { toolCallId: id, toolName: name, input } = content
      if (content.providerExecuted === true) return { type: 'other', from: content }
      return { type: 'call', id, name, input: parsed(input), from: content, ...own }
    }
    default:
      return { type: 'other', from: content }
  }
}

/** A call's input that is no object comes to the caller as it is: nothing of ours can stand in it. */
function parsed(input: string): JsonObject {
  try {
    const value = JSON.parse(input) as JsonValue
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function readUsage({ inputTokens, outputTokens }: Usage): ReplyUsage {
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cacheReadTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite,
  }
}
