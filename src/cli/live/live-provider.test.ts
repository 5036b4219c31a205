import { describe, expect, it } from 'vitest'
import { thrifty } from '../../compiler/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { fetchUpstream, simulatedProvider } from '../../providers/index.ts'
import type { Script } from '../../providers/index.ts'
import { shippedCatalogue } from '../../tokens/index.ts'
import { openaiChatAgent } from './dialects/openai-chat.ts'
import { SpendingCapReached, liveProvider } from './live-provider.ts'
import type { LiveProvider } from './live-provider.ts'
import { policyDoor } from './policy-door.ts'
import { openSpending } from './spending.ts'

const model = 'gpt-5.1'
const { signal } = new AbortController()

function providerOf(script: Script, spending = openSpending(1, 0)): LiveProvider {
  const { fetch } = simulatedProvider({ script, strict: false })
  const headers = { authorization: 'Bearer key' }
  return liveProvider({
    route: {
      upstream: fetchUpstream({ name: 's', origin: 'http://simulated', fetch, headers }),
      dialect: 'openai-chat',
      passCredentials: false,
    },
    dialect: openaiChatAgent,
    model,
    info: shippedCatalogue.info(model),
    maxOutputTokens: 1000,
    spending,
    count: (text) => Math.ceil(text.length / 4),
    pauseMs: 1,
  })
}

const asked = (...messages: readonly JsonObject[]): JsonObject => ({
  model,
  messages: [{ role: 'user', content: 'Go.' }, ...messages],
})

describe('a provider', () => {
  it('is asked again after what is likely to pass, and a refused try costs nothing', async () => {
    const fault = (status: number) => ({ fault: { kind: 'error', status } as const })
    const spending = openSpending(1, 0)
    const { reply, usd = 0 } = await providerOf([fault(429), fault(503), 'done'], spending).ask(asked(), signal)
    expect(openaiChatAgent.heard(reply)).toMatchObject({ entry: { content: 'done' }, calls: [] })
    expect(usd).toBeGreaterThan(0)
    expect(spending.committedUsd()).toBeCloseTo(usd, 12)
  })

  it('that refuses is not asked again, and its words are told', async () => {
    const script = [{ fault: { kind: 'error', status: 401, message: 'no such key' } as const }, 'done']
    const refused = providerOf(script).ask(asked(), signal)
    await expect(refused).rejects.toMatchObject({
      code: 'upstream-refused',
      message: expect.stringContaining('no such key'),
    })
  })

  it('is not asked where the cap has no room, and a call that broke off counts as the worst', async () => {
    await expect(providerOf(['done'], openSpending(0.000_01, 0)).ask(asked(), signal)).rejects.toThrow(
      SpendingCapReached,
    )
    const spending = openSpending(1, 0)
    const died = { fault: { kind: 'connection-death' } as const }
    await providerOf([died, 'done'], spending).ask(asked(), signal)
    expect(spending.committedUsd()).toBeGreaterThan(0.005)
  })
})

it('a policy answers rehydrate itself, and counts it', async () => {
  const listing = (step: number): string =>
    Array.from({ length: 120 }, (_, line) => `step ${step} has plain words of listing number ${line}`).join('\n')
  const results = Array.from({ length: 12 }, (_, step): readonly JsonObject[] => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: `c${step}`, type: 'function', function: { name: 'ls', arguments: `{"path":"d${step}"}` } }],
    },
    { role: 'tool', tool_call_id: `c${step}`, content: listing(step) },
  ]).flat()
  const tools = [
    {
      type: 'function',
      function: { name: 'ls', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
    },
  ]
  const provider = providerOf((request, turn) => {
    const [, handle] = /rehydrate\(\\+"(\d{12})/.exec(request.body) ?? []
    return turn === 0 && handle !== undefined
      ? { toolCalls: [{ name: 'rehydrate', arguments: { handle } }] }
      : `after ${turn}`
  })
  const policy = { ...thrifty, id: 'small', contextTokens: 14_000 }
  const turn = await policyDoor(policy, provider, shippedCatalogue)({ ...asked(...results), tools }, signal)
  expect(openaiChatAgent.heard(turn.reply)).toMatchObject({ entry: { content: 'after 1' }, calls: [] })
  expect([turn.rehydrations, turn.rounds.length]).toEqual([1, 2])
})
