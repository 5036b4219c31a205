import type { JsonObject } from '../../../core/index.ts'
import type { Chunk, Completion } from '../dialect.ts'
import type { AnswerPart } from '../script.ts'
import { slicesOf, wordsOf } from '../pieces.ts'
import { objectOf } from '../read-json.ts'
import { sseEvent } from '../sse.ts'
import { choicesOf } from './choices.ts'
import { argumentsText, envelope, finishReason, inputText, isTextTool, openaiUsage, refusalText } from './reply.ts'
import { showsReasoning } from './reasoning.ts'

/** The chunks of a streamed completion, `[DONE]` included. */
export function openaiChunks(completion: Completion): readonly Chunk[] {
  const { call, parts, stop } = completion
  const withUsage = objectOf(call.body['stream_options'])['include_usage'] === true
  const frame = { ...envelope(completion, 'chat.completion.chunk'), ...(withUsage ? { usage: null } : {}) }
  const indexes = Array.from({ length: choicesOf(call) }, (_, index) => index)
  const choice = (delta: JsonObject, tokens = 0, finish: string | null = null): readonly Chunk[] =>
    indexes.map((index) => ({
      data: sseEvent({ ...frame, choices: [{ index, delta, logprobs: null, finish_reason: finish }] }),
      tokens,
    }))
  const isOpenai = call.model.provider === 'openai'
  const begun = isOpenai && parts.every(({ type }) => type !== 'text') ? null : ''
  return [
    ...choice({ role: 'assistant', content: begun, ...(isOpenai && { refusal: null }) }),
    ...saidDeltas(completion, (text) => (showsReasoning(call) ? { reasoning_content: text } : undefined)).flatMap(
      ({ delta, tokens }) => choice(delta, tokens),
    ),
    ...(stop === 'refusal' ? choice(isOpenai ? { refusal: refusalText } : { content: refusalText }) : []),
    ...choice({}, 0, finishReason(completion)),
    ...(withUsage ? [{ data: sseEvent({ ...frame, choices: [], usage: openaiUsage(completion) }), tokens: 0 }] : []),
    { data: 'data: [DONE]\n\n', tokens: 0 },
  ]
}

export interface Delta {
  readonly delta: JsonObject
  readonly tokens: number
}

/** What an answer says, piece by piece; thoughts as they are told, where they are. */
export function saidDeltas(
  { parts, call }: Completion,
  thought: (text: string) => JsonObject | undefined,
): readonly Delta[] {
  const count = (text: string): number => call.count(call.model.id, text)
  const calls = parts.filter((part) => part.type === 'tool-call')
  return parts.flatMap((part): readonly Delta[] => {
    if (part.type === 'tool-call')
      return callDeltas(part, { index: calls.indexOf(part), isText: isTextTool(call.body, part.name), count })
    if (part.type === 'text')
      return words(part, count).map(({ text, tokens }) => ({ delta: { content: text }, tokens }))
    return words(part, count).flatMap(({ text, tokens }) => {
      const delta = thought(text)
      return delta === undefined ? [] : [{ delta, tokens }]
    })
  })
}

function words({ text }: { readonly text: string }, count: (text: string) => number) {
  return wordsOf(text).map((word) => ({ text: word, tokens: count(word) }))
}

interface CallTold {
  readonly index: number
  /** Whether its tool takes a text. */
  readonly isText: boolean
  count(text: string): number
}

function callDeltas(
  part: AnswerPart & { readonly type: 'tool-call' },
  { index, isText, count }: CallTold,
): readonly Delta[] {
  const { id = '', name } = part
  const head = isText
    ? { type: 'custom', custom: { name, input: '' } }
    : { type: 'function', function: { name, arguments: '' } }
  return [
    { delta: { tool_calls: [{ index, id, ...head }] }, tokens: count(name) },
    ...slicesOf(isText ? inputText(part) : argumentsText(part), 16).map((slice) => {
      const said = isText ? { custom: { input: slice } } : { function: { arguments: slice } }
      return { delta: { tool_calls: [{ index, ...said }] }, tokens: count(slice) }
    }),
  ]
}
