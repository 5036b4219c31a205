import type { AnswerLimits, SimulatedCall, StopKind } from './dialect.ts'
import type { AnswerPart, Fault } from './script.ts'
import { wordsOf } from './pieces.ts'

export interface CompletedAnswer {
  readonly parts: readonly AnswerPart[]
  readonly stop: StopKind
  readonly stopSequence?: string
  readonly outputTokens: number
  readonly thinkingTokens: number
}

interface CompleteInput {
  readonly call: SimulatedCall
  readonly parts: readonly AnswerPart[]
  readonly limits: AnswerLimits
  readonly fault?: Fault | undefined
}

/** An answer as far as the request lets it go. */
export function completeAnswer({ call, parts, limits, fault }: CompleteInput): CompletedAnswer {
  if (fault?.kind === 'refusal') return measured(call, [], 'refusal')
  const whole = fault?.kind === 'truncated-tool-json' ? withTruncatedCall(parts) : parts
  const stopped = untilStopSequence(whole, limits.stopSequences)
  const fitting = untilLimit(call, stopped.parts, limits.maxTokens)
  if (fitting.cut) return { ...measured(call, fitting.parts, limits.whenReached), outputTokens: limits.maxTokens }
  if (fault?.kind === 'truncated-tool-json') return measured(call, fitting.parts, 'length')
  if (stopped.stopSequence !== undefined)
    return { ...measured(call, fitting.parts, 'stop-sequence'), stopSequence: stopped.stopSequence }
  return measured(call, fitting.parts, fitting.parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'end')
}

function measured(call: SimulatedCall, parts: readonly AnswerPart[], stop: StopKind): CompletedAnswer {
  const tokensOf = (chosen: readonly AnswerPart[]): number =>
    chosen.reduce((sum, part) => sum + call.count(call.model.id, writtenText(part)), 0)
  return {
    parts,
    stop,
    outputTokens: tokensOf(parts),
    thinkingTokens: tokensOf(parts.filter(({ type }) => type === 'thinking')),
  }
}

function writtenText(part: AnswerPart): string {
  return part.type === 'tool-call' ? `${part.name} ${argumentsText(part)}` : part.text
}

function argumentsText(part: AnswerPart & { readonly type: 'tool-call' }): string {
  return typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
}

function untilStopSequence(parts: readonly AnswerPart[], sequences: readonly string[]) {
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text') continue
    const found = sequences
      .map((sequence) => ({ sequence, at: part.text.indexOf(sequence) }))
      .filter(({ at, sequence }) => at >= 0 && sequence !== '')
      .toSorted((a, b) => a.at - b.at)[0]
    if (found !== undefined)
      return {
        parts: [...parts.slice(0, index), { ...part, text: part.text.slice(0, found.at) }],
        stopSequence: found.sequence,
      }
  }
  return { parts, stopSequence: undefined }
}

function untilLimit(call: SimulatedCall, parts: readonly AnswerPart[], maxTokens: number) {
  const kept: AnswerPart[] = []
  let room = maxTokens
  for (const part of parts) {
    const tokens = call.count(call.model.id, writtenText(part))
    if (tokens > room) {
      const text = fittingText(call, part.type === 'tool-call' ? argumentsText(part) : part.text, room)
      if (text !== '') kept.push(part.type === 'tool-call' ? { ...part, arguments: text } : { ...part, text })
      return { parts: kept, cut: true }
    }
    room -= tokens
    kept.push(part)
  }
  return { parts: kept, cut: false }
}

/** The leading words that fit. */
function fittingText(call: SimulatedCall, text: string, maxTokens: number): string {
  const kept: string[] = []
  let room = maxTokens
  for (const word of wordsOf(text)) {
    room -= call.count(call.model.id, word)
    if (room < 0) break
    kept.push(word)
  }
  return kept.join('')
}

function withTruncatedCall(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  const last = parts.findLastIndex(({ type }) => type === 'tool-call')
  return parts.slice(0, last < 0 ? parts.length : last + 1).map((part, index) => {
    if (index !== last || part.type !== 'tool-call') return part
    const text = argumentsText(part)
    return { ...part, arguments: text.slice(0, Math.ceil(text.length * 0.6)) }
  })
}
