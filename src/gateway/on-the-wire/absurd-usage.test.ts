import { afterEach, describe, expect, it } from 'vitest'
import { gatewayMetrics } from '../telemetry/metrics.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import type { Answering, SocketGateway } from './socket-gateway.fixture.ts'
import { rawRequest } from './raw-request.fixture.ts'

afterEach(closeSocketGateways)

interface Spoken {
  readonly path: string
  readonly ask: object
  answer(tokens: number): object
}

const message = { role: 'assistant', content: 'hi' }
const says = [{ role: 'user', content: 'x' }]
const dialects: Record<string, Spoken> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    ask: { model: 'gpt-5.1', messages: says },
    answer: (tokens) => ({
      id: 'c',
      model: 'gpt-5.1',
      choices: [{ index: 0, finish_reason: 'stop', message }],
      usage: { prompt_tokens: tokens, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } },
    }),
  },
  'openai-responses': {
    path: '/v1/responses',
    ask: { model: 'gpt-5.1', input: 'x', store: false },
    answer: (tokens) => ({
      id: 'r',
      status: 'completed',
      model: 'gpt-5.1',
      output: [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }],
      usage: { input_tokens: tokens, output_tokens: 5 },
    }),
  },
  'anthropic-messages': {
    path: '/v1/messages',
    ask: { model: 'claude-sonnet-4-6', max_tokens: 9, messages: says },
    answer: (tokens) => ({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-6',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'hi' }],
      usage: { input_tokens: tokens, output_tokens: 5, cache_read_input_tokens: 1e308 },
    }),
  },
  'gemini': {
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    ask: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
    answer: (tokens) => ({
      candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 5, totalTokenCount: tokens },
    }),
  },
}

const metricsOf = ({ url }: SocketGateway) => fetch(`${url}/metrics`)

async function asked({ path, ask, answer }: Spoken, figures: readonly number[], mode: 'on' | 'off') {
  const left = [...figures]
  const replying: Answering = (request, response) => {
    request.resume()
    request.on('end', () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(left.shift() ?? 10)))
    })
  }
  const gateway = await socketGateway({
    providers: ['openai', 'anthropic', 'google'],
    config: { mode },
    answer: replying,
  })
  for (const _ of figures) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await rawRequest(gateway.url, { method: 'POST', path, headers, body: JSON.stringify(ask) })
    expect(status).toBe(200)
  }
  return gateway
}

describe.each(Object.entries(dialects))('usage that no request can have had: %s', (name, spoken) => {
  it.each(['on', 'off'] as const)('costs nothing, and the metrics stay readable: %s', async (mode) => {
    for (const absurd of [1e308, 1e15, 90_000_000]) {
      const gateway = await asked(spoken, [absurd, absurd, absurd], mode)
      const metrics = await metricsOf(gateway)
      expect([absurd, metrics.status]).toEqual([absurd, 200])
      expect(await metrics.text()).not.toMatch(
        /^prehend_(?:cost_usd_total\{kind="spent"|tokens_total\{kind="input").* [1-9]/m,
      )
      const { totals } = (await (await fetch(`${gateway.url}/v1/stats`)).json()) as { totals: { usd: number | null } }
      expect(totals.usd ?? 0).toBeLessThan(0.01)
    }
  })

  it('and what came after it is counted', async () => {
    if (name === 'anthropic-messages') return
    const gateway = await asked(spoken, [1e308, 100], 'on')
    expect(await (await metricsOf(gateway)).text()).toMatch(/^prehend_tokens_total\{kind="input".* 100$/m)
  })
})

it('sums below nothing do not stop the metrics, and are set off against what follows', async () => {
  const { registry, dollars } = gatewayMetrics()
  const labels = { kind: 'spent', family: 'google' }
  const spent = async () => /^prehend_cost_usd_total\{.*\} (.*)$/m.exec(await registry.metrics())?.[1]
  dollars.inc(labels, -0.5)
  expect(await spent()).toBeUndefined()
  dollars.inc(labels, Number.NaN)
  dollars.inc(labels, Number.POSITIVE_INFINITY)
  dollars.inc(labels, 2)
  expect(await spent()).toBe('1.5')
  expect(await spent()).toBe('1.5')
})
