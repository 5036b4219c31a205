import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { WireExchange, JsonObject, Pack } from '../../core/index.ts'
import { requestOverhead, shippedCatalogue } from '../../tokens/index.ts'
import { cacheModelFor } from '../cache/cache-model.ts'
import { renderAnthropic } from '../simulator/anthropic/render.ts'
import { signThinking } from '../simulator/anthropic/signature.ts'
import { anthropicShape } from '../simulator/anthropic/tokens.ts'
import { manualClock } from '../simulator/clock.ts'
import { simulatedModel } from '../simulator/model.ts'
import { simulatedProvider } from '../simulator/simulated-provider.ts'
import type { PlannedBreakpoint } from './plan-breakpoints.ts'
import { planBreakpoints } from './plan-breakpoints.ts'

const model = 'claude-opus-5'
const info = shippedCatalogue.info(model)
const codec = codecFor('anthropic-messages')
const count = (text: string): number => Math.ceil(text.length / 4)

interface Turn {
  /** Tool calls that the model makes at once. */
  readonly calls: number
  readonly thinks: boolean
  /** All but the newest results are thinned before this request. */
  readonly epoch: boolean
}

/** The bodies of an agent's requests, each with one more turn than the last. */
function bodiesOf(turns: readonly Turn[]): readonly JsonObject[] {
  const tools = ['look', 'find'].map((name) => ({
    name,
    description: 'd '.repeat(300),
    input_schema: { type: 'object' },
  }))
  const system = [{ type: 'text', text: 'rules '.repeat(500) }]
  const messages: JsonObject[] = [{ role: 'user', content: 'Repair the build. '.repeat(20) }]
  return turns.map(({ calls, thinks }, turn) => {
    const body = { model, max_tokens: 100, tools, system, messages: [...messages] }
    const ids = Array.from({ length: calls }, (_, call) => `toolu_${turn}_${call}`)
    const thought = { type: 'thinking', thinking: '', signature: signThinking('', 40) }
    messages.push({
      role: 'assistant',
      content: [
        ...(thinks ? [thought] : []),
        { type: 'text', text: `Step ${turn}` },
        ...ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: { at: id } })),
      ],
    })
    messages.push({
      role: 'user',
      content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `${id} ${'line '.repeat(60)}` })),
    })
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

function resultsOf(exchange: WireExchange): readonly string[] {
  return exchange.conversation.items.filter((item) => item.kind === 'tool-result').map((item) => item.id)
}

interface SentTurn {
  readonly read: number
  readonly best: number
  readonly tokens: number
  readonly markers: number
}

/** Sends a session; beside each request, what an unlimited number of markers would have read. */
async function send(turns: readonly Turn[], remembers: boolean): Promise<readonly SentTurn[]> {
  const clock = manualClock()
  const provider = simulatedProvider({ clock, script: () => 'Done.', count: (_, text) => count(text) })
  const oracle = cacheModelFor(info.cache)!
  let thinned: ReadonlySet<string> = new Set()
  let previous: readonly PlannedBreakpoint[] | undefined
  const sent: SentTurn[] = []
  for (const [index, json] of bodiesOf(turns).entries()) {
    await clock.advance(20_000)
    const exchange = codec.decode({ body: JSON.stringify(json) })
    if (turns[index]!.epoch) thinned = new Set(resultsOf(exchange).slice(0, -3))
    const pack = packOf(exchange, thinned)
    const breakpoints = planBreakpoints({ exchange, pack, info, ...(remembers && previous ? { previous } : {}) })
    previous = breakpoints
    const body = codec.encode(exchange, { pack: { ...pack, breakpoints } })
    const response = await provider.fetch('http://a/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
      body,
    })
    const { usage, error } = (await response.json()) as { usage: Record<string, number>; error?: object }
    expect(error).toBeUndefined()
    const best = oracle.request({ key: '', nowMs: clock.now(), blocks: everyBlockMarked(JSON.parse(body)) })
    const markers = body.split('"cache_control"').length - 1
    sent.push({
      read: usage['cache_read_input_tokens']!,
      best: best.cacheReadTokens!,
      tokens: best.inputTokens,
      markers,
    })
  }
  return sent
}

function everyBlockMarked(body: JsonObject) {
  const call = {
    body,
    headers: {},
    model: simulatedModel(model, shippedCatalogue)!,
    count: (_: string, text: string) => count(text),
    overhead: requestOverhead(anthropicShape(body), info),
    mediaTokens: () => 0,
    countOnly: false,
  }
  return renderAnthropic(call).blocks.map((block) => ({ ...block, breakpointTtlMs: 300_000 }))
}

const share = (sent: readonly SentTurn[], key: 'read' | 'best'): number =>
  sent.reduce((sum, turn) => sum + turn[key], 0) / sent.reduce((sum, turn) => sum + turn.tokens, 0)

describe('breakpoints against an unlimited number of them', { timeout: 60_000 }, () => {
  const long: readonly Turn[] = Array.from({ length: 60 }, (_, turn) => ({
    calls: turn % 10 === 9 ? 24 : 1 + (turn % 3),
    thinks: turn % 3 === 0,
    epoch: false,
  }))

  it('a session of 60 turns, some with 24 parallel calls, reads all that can be read', async () => {
    const sent = await send(long, true)
    expect(sent.map(({ read }) => read)).toEqual(sent.map(({ best }) => best))
    expect(share(sent, 'read')).toBeGreaterThan(0.9)
    expect(Math.max(...sent.map(({ markers }) => markers))).toBe(4)
  })

  it('the same without knowing where the last request was marked', async () => {
    const sent = await send(long, false)
    expect(sent.map(({ read }) => read)).toEqual(sent.map(({ best }) => best))
  })

  it('loses nothing that could be kept when epochs thin the middle', async () => {
    const sent = await send(
      long.map((turn, index) => ({ ...turn, epoch: index % 15 === 14 })),
      true,
    )
    expect(sent.map(({ read }) => read)).toEqual(sent.map(({ best }) => best))
    expect(sent[29]!.read).toBeLessThan(sent[28]!.read)
    expect(sent[29]!.read).toBeGreaterThan(2 * sent[14]!.read)
  })

  it('holds for any session', async () => {
    const turn = fc.record({ calls: fc.integer({ min: 1, max: 30 }), thinks: fc.boolean(), epoch: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 8 }), async (turns) => {
        const sent = await send(turns, true)
        expect(sent.map(({ read }) => read)).toEqual(sent.map(({ best }) => best))
      }),
      { numRuns: 20 },
    )
  })
})
