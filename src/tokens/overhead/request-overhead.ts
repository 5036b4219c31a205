import type { Tokenizer } from '../../core/index.ts'
import { modelInfo } from '../catalogue/catalogue.ts'
import type { ModelInfo } from '../catalogue/model-info.ts'
import { tokenizerOf } from '../tokenizer-for.ts'
import { type Framing, framingOf } from './framing.ts'
import type { MessageShape, RequestOverhead, RequestShape, ToolShape } from './request-shape.ts'
import { toolText } from './tool-text.ts'

/**
 * Tokens that a request costs beyond its texts, as its provider renders it: the frame of each message, each tool
 * definition, and what is added once. A pure function of the request's shape.
 */
export function requestOverhead(shape: RequestShape, info: ModelInfo = modelInfo(shape.model)): RequestOverhead {
  const framing = framingOf(info)
  const tokenizer = tokenizerOf(info)
  const perMessage = shape.messages.map((message) => messageFrame(message, framing, tokenizer))
  const perTool = (shape.tools ?? []).map((tool) => toolTokens(tool, framing, tokenizer))
  const fixed = framing.perRequest + (perTool.length === 0 ? 0 : info.toolPrompt[shape.toolChoice ?? 'auto'])
  return { tokens: fixed + sum(perMessage) + sum(perTool), perMessage, perTool, fixed }
}

function messageFrame(message: MessageShape, framing: Framing, tokenizer: Tokenizer): number {
  const role = framing.perMessage === 0 ? 0 : tokenizer.count(message.role)
  const name = message.name === undefined ? 0 : framing.perName + tokenizer.count(message.name)
  const calls = (message.toolCalls ?? 0) * framing.perToolCall
  const result = message.role === 'tool' || message.role === 'function' ? framing.perToolResult : 0
  return framing.perMessage + role + name + calls + result
}

function toolTokens(tool: ToolShape, framing: Framing, tokenizer: Tokenizer): number {
  return framing.perTool + tokenizer.count(toolText(tool, framing.toolForm))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
