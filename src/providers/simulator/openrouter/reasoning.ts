import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { anthropicContent } from '../anthropic/reply.ts'
import type { Completion } from '../dialect.ts'
import { joined } from '../openai/reply.ts'
import type { Delta } from '../openai/stream.ts'
import { objectOf, textOf } from '../read-json.ts'
import { routedOf, servingOf } from './serving.ts'

/** What was thought, as text and in the details by which it goes back; hidden from those who ask not to be told. */
export function reasoningOf(completion: Completion): JsonObject {
  const details = detailsOf(completion)
  if (details.length === 0) return { reasoning: null }
  const shown = details.map(({ text }) => textOf(text) ?? '').join('')
  return { reasoning: shown === '' ? null : shown, reasoning_details: details }
}

/** A piece of a thought that is shown while it is had; undefined for one that is sealed. */
export function reasoningPiece(completion: Completion, text: string): JsonObject | undefined {
  const [detail] = detailsOf(completion)
  if (textOf(detail?.['text']) === undefined) return undefined
  const { signature: _, ...piece } = detail as Record<string, JsonValue>
  return { reasoning: text, reasoning_details: [{ ...piece, text }] }
}

/** The same pieces, with what seals the thoughts before what is said. */
export function reasoningEnds(completion: Completion, deltas: readonly Delta[]): readonly Delta[] {
  const seals = detailsOf(completion).flatMap((detail) => {
    const { text, ...seal } = detail
    return 'signature' in detail || text === undefined ? [seal] : []
  })
  if (seals.length === 0) return deltas
  const said = deltas.findIndex(({ delta }) => delta['reasoning'] === undefined)
  const at = said < 0 ? deltas.length : said
  return [...deltas.slice(0, at), { delta: { reasoning_details: seals }, tokens: 0 }, ...deltas.slice(at)]
}

function detailsOf(completion: Completion): readonly JsonObject[] {
  const { call, parts } = completion
  if (objectOf(call.body['reasoning'])['exclude'] === true) return []
  const { vendor, served } = routedOf(call)
  if (served.provider === 'anthropic') return claudeDetails(completion)
  const text = joined(parts, 'thinking')
  if (text === '') return []
  if (served.provider === 'openai') {
    const data = Buffer.from(text).toString('base64')
    return [{ type: 'reasoning.encrypted', data, id: `rs_${completion.id}`, format: 'openai-responses-v1', index: 0 }]
  }
  return [{ type: 'reasoning.text', text, format: vendor === 'google' ? 'google-gemini-v1' : 'unknown', index: 0 }]
}

function claudeDetails(completion: Completion): readonly JsonObject[] {
  const format = 'anthropic-claude-v1'
  return anthropicContent({ ...completion, call: servingOf(completion.call).call }).flatMap(
    (block, index): readonly JsonObject[] => {
      const { type, thinking = '', signature = '', data = '' } = block
      if (type === 'redacted_thinking') return [{ type: 'reasoning.encrypted', data, format, index }]
      return type === 'thinking' ? [{ type: 'reasoning.text', text: thinking, signature, format, index }] : []
    },
  )
}
