import { expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { WireExchange, JsonObject, Pack } from '../../core/index.ts'
import { requestOverhead, shippedCatalogue } from '../../tokens/index.ts'
import { cacheModel } from '../cache/cache-model.ts'
import { renderOpenai } from '../simulator/openai/render.ts'
import { openaiShape } from '../simulator/openai/shape.ts'
import { simulatedModel } from '../simulator/model.ts'
import { manualClock } from '../simulator/clock.ts'
import { simulatedProvider } from '../simulator/simulated-provider.ts'
import { planBreakpoints } from './plan-breakpoints.ts'

const model = 'gpt-5.6-sol'
const info = shippedCatalogue.info(model)
const codec = codecFor('openai-chat')
const count = (text: string): number => Math.ceil(text.length / 4)

/** The bodies of an agent's requests, with up to three calls at once. */
function bodies(turns: number): readonly JsonObject[] {
  const tools = [
    { type: 'function', function: { name: 'look', description: 'd '.repeat(300), parameters: { type: 'object' } } },
  ]
  const messages: JsonObject[] = [
    { role: 'system', content: 'rules '.repeat(800) },
    { role: 'user', content: 'Repair the build.' },
  ]
  return Array.from({ length: turns }, (_, turn) => {
    const body = { model, tools, messages: [...messages] }
    const ids = Array.from({ length: 1 + (turn % 3) }, (__, call) => `call_${turn}_${call}`)
    const calls = ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: `{"at":"${id}"}` } }))
    messages.push({ role: 'assistant', content: null, tool_calls: calls })
    messages.push(...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `${id} ${'line '.repeat(120)}` })))
    return body
  })
}

function packOf(exchange: WireExchange, thinned: ReadonlySet<string>): Pack {
  const entries = exchange.conversation.items.map((item) => {
    const changed = thinned.has(item.id)
    const text = changed ? `[${item.toolCallId}]` : item.text
    return { itemId: item.id, section: item.section, rung: 'full' as const, text, tokens: count(text) }
  })
  return { layout: 'messages', entries, messages: [], breakpoints: [], tokens: 0, hash: '' }
}

/** The request with a marker after every message that can carry one. */
function everyMessageMarked(body: JsonObject) {
  const roles = (body['messages'] as unknown as readonly { readonly role: string }[]).map(({ role }) => role)
  let message = 0
  const call = {
    body,
    headers: {},
    model: simulatedModel(model, shippedCatalogue)!,
    count: (_: string, text: string) => count(text),
    overhead: requestOverhead(openaiShape(body), info),
    mediaTokens: () => 0,
    countOnly: false,
  }
  return renderOpenai(call).blocks.map((block) => {
    if (block.messageEnd !== true) return block
    return roles[message++] === 'assistant' ? block : { ...block, breakpointTtlMs: 1_800_000 }
  })
}

it(
  'GPT-5.6: within 80 messages, epochs included, all is read that an unlimited number of breakpoints would',
  { timeout: 30_000 },
  async () => {
    const clock = manualClock()
    const provider = simulatedProvider({ clock, script: () => 'Done.', count: (_, text) => count(text) })
    const oracle = cacheModel('openai-breakpoints', { writeSlots: Infinity, readCandidates: Infinity })
    let thinned: ReadonlySet<string> = new Set()
    const read: number[] = []
    const best: number[] = []
    for (const [turn, json] of bodies(26).entries()) {
      await clock.advance(20_000)
      const exchange = codec.decode({ body: JSON.stringify(json) })
      const results = exchange.conversation.items.filter((item) => item.kind === 'tool-result').map((item) => item.id)
      if (turn % 12 === 11) thinned = new Set(results.slice(0, -3))
      const pack = packOf(exchange, thinned)
      const body = codec.encode(exchange, { pack: { ...pack, breakpoints: planBreakpoints({ exchange, pack, info }) } })
      const headers = { authorization: 'Bearer k' }
      const response = await provider.fetch('http://a/v1/chat/completions', { method: 'POST', headers, body })
      const { usage } = (await response.json()) as { usage: { prompt_tokens_details: { cached_tokens: number } } }
      read.push(usage.prompt_tokens_details.cached_tokens)
      const blocks = everyMessageMarked(JSON.parse(body) as JsonObject)
      best.push(oracle.request({ key: '', nowMs: clock.now(), mode: 'explicit', blocks }).cacheReadTokens!)
    }
    expect(read).toEqual(best)
    expect(read[23]).toBeGreaterThan(read[11]!)
    expect(read[22]).toBeGreaterThan(read[23]!)
  },
)
