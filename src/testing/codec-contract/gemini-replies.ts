import type { SseEvent } from '../../codecs/index.ts'
import type { PlainReply, WrittenReply } from './plain-reply.ts'

const stops = { end: 'STOP', calls: 'STOP', length: 'MAX_TOKENS' } as const

/** A reply as Gemini writes it: thoughts first, calls whole and the first of them signed, figures in every chunk. */
export function geminiReply(reply: PlainReply, cut: (words: string) => readonly string[]): WrittenReply {
  const words = reply.texts.join('')
  const usageMetadata = {
    promptTokenCount: reply.input + reply.cached,
    candidatesTokenCount: reply.output,
    totalTokenCount: reply.input + reply.cached + reply.output,
    cachedContentTokenCount: reply.cached,
  }
  const calls = reply.calls.map(({ id, name, arguments: args }, index) => {
    const signature = index === 0 ? ',"thoughtSignature":"c2ln+/=="' : ''
    return `{"functionCall":{"name":"${name}","id":"${id}","args":${args}}${signature}}`
  })
  const thought = (text: string): string => JSON.stringify({ text, thought: true })
  const said = (text: string): string => JSON.stringify({ text })
  const parts = [
    ...(reply.reasoning === '' ? [] : [thought(reply.reasoning)]),
    ...(words === '' ? [] : [said(words)]),
    ...calls,
  ]
  const frame = (list: readonly string[], finish: object, usage: object): string => {
    const tail = JSON.stringify({ ...finish, index: 0 }).slice(1)
    const rest = JSON.stringify({ usageMetadata: usage, modelVersion: 'gemini', responseId: reply.id }).slice(1)
    return `{"candidates":[{"content":{"parts":[${list.join(',')}],"role":"model"},${tail}],${rest}`
  }
  const finish = { finishReason: stops[reply.stop] }
  const early = { promptTokenCount: usageMetadata.promptTokenCount, totalTokenCount: usageMetadata.promptTokenCount }
  const pieces = [
    ...(reply.reasoning === '' ? [] : cut(reply.reasoning).map(thought)),
    ...(words === '' ? [] : cut(words).map(said)),
    ...calls,
  ]
  const chunk = (piece: string): SseEvent => ({ data: frame([piece], {}, early) })
  return {
    body: frame(parts, finish, usageMetadata),
    events: [...pieces.map(chunk), { data: frame(['{"text":""}'], finish, usageMetadata) }],
  }
}
