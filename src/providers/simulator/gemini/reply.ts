import { parseObject } from '../../../core/index.ts'
import type { JsonObject } from '../../../core/index.ts'
import type { Chunk, Completion, StopKind } from '../dialect.ts'
import { wordsOf } from '../pieces.ts'
import { objectOf } from '../read-json.ts'
import type { AnswerPart } from '../script.ts'
import { configOf, either } from './body.ts'
import { signatureOf } from './signature.ts'

/** A part of the answer, and the pieces in which it is streamed. */
interface SaidPart {
  readonly part: JsonObject
  readonly pieces: readonly { readonly part: JsonObject; readonly tokens: number }[]
}

const finishReasons: { readonly [Kind in StopKind]: string } = {
  'end': 'STOP',
  'length': 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'stop-sequence': 'STOP',
  'refusal': 'SAFETY',
  'context-window': 'MAX_TOKENS',
}

export function geminiResponse(completion: Completion): JsonObject {
  return response(completion, { parts: geminiParts(completion), isLast: true })
}

/** The parts of the answer, as they come back. */
export function geminiParts(completion: Completion): readonly JsonObject[] {
  const said = saidParts(completion).map(({ part }) => part)
  const signature = lastSignature(completion)
  const last = said.at(-1)
  if (signature === undefined || last === undefined) return said
  return [...said.slice(0, -1), { ...last, thoughtSignature: signature }]
}

/** Each chunk says what is new; what an answer without calls is signed with comes last, with no words. */
export function geminiChunks(completion: Completion): readonly (Omit<Chunk, 'data'> & { readonly json: string })[] {
  const chunk = (said: Saying, tokens: number) => ({ json: JSON.stringify(response(completion, said)), tokens })
  const pieces = saidParts(completion).flatMap((part) => part.pieces)
  const signature = lastSignature(completion)
  const end = { text: '', ...(signature !== undefined && { thoughtSignature: signature }) }
  return [
    ...pieces.map(({ part, tokens }) => chunk({ parts: [part], isLast: false }, tokens)),
    chunk({ parts: [end], isLast: true }, 0),
  ]
}

interface Saying {
  readonly parts: readonly JsonObject[]
  readonly isLast: boolean
}

function response(completion: Completion, { parts, isLast }: Saying): JsonObject {
  const { id, call, stop } = completion
  const common = { usageMetadata: usageOf(completion, isLast), modelVersion: call.model.id, responseId: id }
  if (stop === 'refusal') return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...common }
  const content = parts.length === 0 ? {} : { content: { parts, role: 'model' } }
  return {
    candidates: [{ ...content, ...(isLast && ended(completion)), index: 0 }],
    ...common,
  }
}

function ended(completion: Completion): JsonObject {
  const finishMessage = { finishMessage: 'Model generated function call(s).' }
  return { finishReason: finishReason(completion), ...(completion.stop === 'tool-calls' && finishMessage) }
}

function finishReason({ stop, parts }: Completion): string {
  const isBroken = stop === 'length' && parts.some((part) => part.type === 'tool-call' && !hasArguments(part))
  return isBroken ? 'MALFORMED_FUNCTION_CALL' : finishReasons[stop]
}

/** What is read of the cache is part of the prompt; thoughts are no part of what is said. */
function usageOf({ usage, thinkingTokens }: Completion, isLast: boolean): JsonObject {
  const { inputTokens, outputTokens, cacheReadTokens = 0 } = usage
  const said = outputTokens - thinkingTokens
  return {
    promptTokenCount: inputTokens,
    ...(isLast && said > 0 && { candidatesTokenCount: said }),
    totalTokenCount: isLast ? inputTokens + outputTokens : inputTokens,
    ...(cacheReadTokens > 0 && {
      cachedContentTokenCount: cacheReadTokens,
      cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cacheReadTokens }],
    }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputTokens }],
    ...(isLast && thinkingTokens > 0 && { thoughtsTokenCount: thinkingTokens }),
  }
}

/** Thoughts are told to those who ask for them; the first call is signed, in models that sign. */
function saidParts(completion: Completion): readonly SaidPart[] {
  const { call, parts, id, stop } = completion
  if (stop === 'refusal') return []
  const count = (text: string): number => call.count(call.model.id, text)
  const tellsThoughts = either(objectOf(either(configOf(call.body), 'thinkingConfig')), 'includeThoughts') === true
  const firstCall = parts.findIndex(({ type }) => type === 'tool-call')
  return parts.flatMap((part, index): readonly SaidPart[] => {
    if (part.type === 'tool-call') {
      const signature = index === firstCall && signs(completion) ? signatureOf(id) : undefined
      return hasArguments(part) ? [callPart(completion, part, signature)] : []
    }
    if (part.type === 'thinking' && !tellsThoughts) return []
    const thought = part.type === 'thinking' ? { thought: true } : {}
    const pieces = wordsOf(part.text).map((text) => ({ part: { text, ...thought }, tokens: count(text) }))
    return [{ part: { text: part.text, ...thought }, pieces }]
  })
}

type ToolCallPart = AnswerPart & { readonly type: 'tool-call' }

function callPart({ call }: Completion, part: ToolCallPart, signature: string | undefined): SaidPart {
  const { name, id = '' } = part
  const args = argumentsOf(part) ?? {}
  const isNamed = call.model.provider === 'google' && call.model.gemini.signs
  const said = {
    functionCall: { ...(isNamed && { id }), name, args },
    ...(signature !== undefined && { thoughtSignature: signature }),
  }
  const tokens = call.count(call.model.id, `${name} ${JSON.stringify(args)}`)
  return { part: said, pieces: [{ part: said, tokens }] }
}

function hasArguments(part: ToolCallPart): boolean {
  return argumentsOf(part) !== undefined
}

function argumentsOf({ arguments: given }: ToolCallPart): JsonObject | undefined {
  return typeof given === 'string' ? parseObject(given) : objectOf(given)
}

function signs({ call: { model } }: Completion): boolean {
  return model.provider === 'google' && model.gemini.signs
}

/** Of an answer that calls nothing. */
function lastSignature(completion: Completion): string | undefined {
  const { parts, stop, id } = completion
  const callsNothing = parts.every(({ type }) => type !== 'tool-call')
  return signs(completion) && callsNothing && stop !== 'refusal' ? signatureOf(id) : undefined
}
