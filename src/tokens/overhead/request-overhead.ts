import type { Tokenizer } from '../../core/index.ts'
import type { ModelInfo } from '../catalogue/model-info.ts'
import { tokenizerOf } from '../tokenizer-for.ts'
import { countedOnce } from './counted-once.ts'
import { type Framing, framingOf } from './framing.ts'
import type { MessageShape, RequestOverhead, RequestShape } from './request-shape.ts'
import { toolTokens } from './tool-tokens.ts'

/**
 * Tokens that a request costs beyond its texts, as its provider renders it: the frame of each message, each tool
 * definition, and what is added once. A pure function of the request's shape.
 */
export function requestOverhead(shape: RequestShape, info: ModelInfo): RequestOverhead {
  const framing = framingOf(info)
  const tokenizer = tokenizerOf(info)
  // Roles and names are few, messages many.
  const words = countedOnce(tokenizer)
  const perMessage = shape.messages.map((message) => messageFrame(message, framing, words))
  const perTool = (shape.tools ?? []).map((tool) => toolTokens(tool, framing, tokenizer))
  const fixed = framing.perRequest + (perTool.length === 0 ? 0 : info.toolPrompt[shape.toolChoice ?? 'auto'])
  return { tokens: fixed + sum(perMessage) + sum(perTool), perMessage, perTool, fixed }
}

function messageFrame(message: MessageShape, framing: Framing, tokenizer: Pick<Tokenizer, 'count'>): number {
  const role = framing.perMessage === 0 ? 0 : tokenizer.count(message.role)
  const name = message.name === undefined ? 0 : framing.perName + tokenizer.count(message.name)
  const calls = (message.toolCalls ?? 0) * framing.perToolCall
  const results = isResult(message.role) ? 1 : (message.toolResults ?? 0)
  return framing.perMessage + role + name + calls + results * framing.perToolResult
}

function isResult(role: string): boolean {
  return role === 'tool' || role === 'function'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
