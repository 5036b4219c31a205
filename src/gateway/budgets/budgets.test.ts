import { afterEach, describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import { manualClock, simulatedProvider } from '../../providers/index.ts'
import { dearestPrices } from '../../tokens/index.ts'
import { inProcessHot, memoryStore } from '../../stores/index.ts'
import type { Hot, SpendingSum } from '../../stores/index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { lookedAgain, lookingAgain, says } from '../on-the-wire/hidden-exchanges.fixture.ts'
import {
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from '../on-the-wire/test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from '../on-the-wire/test-gateway.fixture.ts'
import { askingAnthropic, askingOpenai } from '../seams/ask.fixture.ts'

afterEach(closeTestGateways)

const hello = { model: 'gpt-4.1', max_tokens: 100, messages: [{ role: 'user', content: 'Hello there.' }] }

function withBudgets(budgets: GatewayConfigInput['budgets'], more: TestGatewayOptions = {}): Promise<TestGateway> {
  return testGateway({ ...more, config: { ...more.config, budgets } })
}

async function sums(gateway: TestGateway, tenant = 'default'): Promise<readonly SpendingSum[]> {
  const { sums: all } = await gateway.store.read('spending').standing(tenant, { since: '2026-01-01', ids: [] })
  return all
}

async function spent(gateway: TestGateway, unit: SpendingSum['unit'], scope = 'tenant'): Promise<number> {
  const all = (await sums(gateway)).filter((sum) => sum.unit === unit && sum.scope === scope)
  return all.reduce((total, { amount }) => total + amount, 0)
}

/** What receipts say that requests cost, in billionths of a dollar. */
async function receipted(gateway: TestGateway): Promise<number> {
  const receipts = await gateway.store.read('receipts').list('default', { limit: 100 })
  return receipts.reduce((total, { result }) => total + Math.round((result?.cost?.usd ?? 0) * 1e9), 0)
}

interface Said {
  readonly error: { readonly message: string; readonly type: string }
}

describe('budgets', () => {
  it('ask no server anything where nothing is limited', async () => {
    const hot = inProcessHot()
    const asked: string[] = []
    const watched = new Proxy(hot, {
      get: (target, name: keyof Hot) => {
        if (['reserve', 'settle', 'announce', 'ledger', 'confirm'].includes(name)) asked.push(name)
        return target[name]
      },
    })
    const gateway = await testGateway({ host: { hot: watched } })
    const before = asked.length
    const response = await post(gateway, openaiFixture, hello)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-budget-left')).toBeNull()
    await gateway.close()
    expect(asked.slice(before)).toEqual([])
    expect(await sums(gateway)).toEqual([])
  })

  it('count what a request came to, as its receipt does, and not what was reserved', async () => {
    const gateway = await withBudgets({ usdPerDay: 1, tokensPerMonth: 1_000_000, requestsPerDay: 10 })
    for (const stream of [false, true]) {
      const response = await post(gateway, openaiFixture, {
        ...hello,
        ...(stream && { stream, stream_options: { include_usage: true } }),
      })
      expect(response.status).toBe(200)
      expect(Number(response.headers.get('x-prehend-budget-left'))).toBeGreaterThan(0.9)
      await response.text()
    }
    await expect.poll(() => spent(gateway, 'requests')).toBe(2)
    const nano = await spent(gateway, 'nanoUsd')
    expect(nano).toBeGreaterThan(0)
    expect(Math.abs(nano - (await receipted(gateway)))).toBeLessThanOrEqual(2)
    const receipts = await gateway.store.read('receipts').list('default', { limit: 10 })
    const usages = receipts.map(({ result }) => (result?.usage?.inputTokens ?? 0) + (result?.usage?.outputTokens ?? 0))
    expect(await spent(gateway, 'tokens')).toBe(usages.reduce((sum, tokens) => sum + tokens, 0))
    const facts = receipts[0]?.result?.layers?.find(({ name }) => name === 'budget')?.facts
    expect(facts).toMatchObject({ calls: 1, reservedUsd: expect.any(Number) as number })
    expect(Number(facts?.['reservedUsd'])).toBeGreaterThan(Number(facts?.['spentUsd']))
    expect(Number(facts?.['spentUsd'])).toBeCloseTo(receipts[0]?.result?.cost?.usd ?? 0, 8)
  })

  it.each([
    ['OpenAI', openaiFixture, 'rate_limit_error'],
    ['Anthropic', anthropicFixture, 'rate_limit_error'],
  ] as const)(
    'refuse in the words of %s what alone may cost more than the limit, and say that no wait helps',
    async (_, of, type) => {
      const gateway = await withBudgets({ usdPerDay: 0.002 })
      const model = of === openaiFixture ? 'gpt-4.1' : 'claude-sonnet-4-6'
      const large = await post(gateway, of, { ...hello, model, max_tokens: 100_000 })
      const said = (await large.json()) as Said
      expect([large.status, said.error.type]).toEqual([429, type])
      expect(said.error.message).toMatch(
        /^This request alone may cost \$\d\.\d+, more than the whole limit of \$0\.002 \(usdPerDay\)\. Send a smaller max_tokens\.$/,
      )
      expect([large.headers.get('retry-after'), large.headers.get('x-should-retry')]).toEqual([null, 'false'])
      expect(gateway.provider.requests).toEqual([])
      expect((await post(gateway, of, { ...hello, model, max_tokens: 16 })).status).toBe(200)
      await expect.poll(() => spent(gateway, 'requests')).toBe(1)
      expect(Math.abs((await spent(gateway, 'nanoUsd')) - (await receipted(gateway)))).toBeLessThanOrEqual(1)
      const receipts = await gateway.store.read('receipts').list('default', { limit: 10 })
      expect(new Set(receipts.map(({ result }) => result?.status))).toEqual(new Set([200, 429]))
      expect(receipts.find(({ result }) => result?.status === 429)?.result?.cost).toBeUndefined()
    },
  )

  it('name the prompt, or the number of answers, where that is what alone costs too much', async () => {
    const gateway = await withBudgets({ usdPerDay: 0.01 })
    const said = async (body: object): Promise<string> => {
      const response = await post(gateway, openaiFixture, { ...hello, model: 'gpt-4.1', max_tokens: 100, ...body })
      return [response.status, ((await response.json()) as Said).error.message].join(' ')
    }
    expect(await said({ n: 64 })).toMatch(
      /^429 .*It asks for 64 answers, and one fits\. Ask for fewer \(n or candidateCount\)\.$/,
    )
    const messages = [{ role: 'user', content: 'All of this text. '.repeat(4000) }]
    expect(await said({ messages })).toMatch(
      /^429 .*Its prompt alone may cost \$0\.\d+\. Send a shorter one, or ask the operator/,
    )
    expect(gateway.provider.requests).toEqual([])
  })

  it('say when a minute ends to a client that asks one request after the other', async () => {
    const gateway = await withBudgets({ requestsPerMinute: 3 })
    for (const _ of [1, 2, 3]) expect((await post(gateway, openaiFixture, hello)).status).toBe(200)
    const refused = await post(gateway, openaiFixture, hello)
    const { error } = (await refused.json()) as Said
    expect(error.message).toMatch(/has used 3 of 3 \(requestsPerMinute\)\. The limit begins anew at/)
    const leftMs = 60_000 - (gateway.clock.now() % 60_000)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, Math.ceil(leftMs / 1000)])
  })

  it('refuse at once when a budget is used up, until its period ends, and file that', async () => {
    const gateway = await withBudgets({ tokensPerDay: 150 }, { script: ['a '.repeat(60), 'b '.repeat(60)] })
    expect((await post(gateway, openaiFixture, { ...hello, max_tokens: 90 })).status).toBe(200)
    await expect.poll(() => spent(gateway, 'requests')).toBe(1)
    await gateway.store.commit({
      scope: { tenant: 'default', session: 'x' },
      nowMs: 1,
      writes: [
        {
          table: 'spending',
          id: 'elsewhere',
          spent: [{ scope: 'tenant', day: '2026-11-21', unit: 'tokens', amount: 200 }],
        },
      ],
    })
    const again = await withBudgets({ tokensPerDay: 150 }, { store: gateway.store })
    const refused = await post(again, openaiFixture, { ...hello, max_tokens: 1 })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeCloseTo(86_400, -2)
    expect(((await refused.json()) as Said).error.message).toContain('begins anew at 2026-11-22T00:00:00.000Z')
    const [receipt] = await again.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result).toMatchObject({ status: 429, layers: [{ name: 'budget', outcome: 'refused' }] })
    expect(receipt?.result?.cost).toBeUndefined()
    await again.clock.advance(86_400_000)
    expect((await post(again, openaiFixture, { ...hello, max_tokens: 20 })).status).toBe(200)
  })

  it('limit requests and tokens of a minute, and say so in headers', async () => {
    const gateway = await withBudgets({ requestsPerMinute: 2, tokensPerMinute: 10_000 })
    const first = await post(gateway, openaiFixture, hello)
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('2')
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('2')
    expect(first.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/)
    await first.text()
    const second = await post(gateway, anthropicFixture, anthropicFixture.body(0))
    expect(second.headers.get('anthropic-ratelimit-requests-remaining')).toBe('1')
    expect(second.headers.get('anthropic-ratelimit-tokens-limit')).toBe('10000')
    expect(second.headers.get('anthropic-ratelimit-requests-reset')).toMatch(/Z$/)
    const third = await post(gateway, openaiFixture, hello)
    expect([third.status, Number(third.headers.get('retry-after')) <= 60]).toEqual([429, true])
    expect(third.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(await sums(gateway)).toEqual([])
    await gateway.clock.advance(60_000)
    expect((await post(gateway, openaiFixture, hello)).status).toBe(200)
  })

  it('limit the streams that are under way at once', async () => {
    const script = () => ({ text: 'word '.repeat(50), fault: { kind: 'hang' as const, afterChunks: 2 } })
    const gateway = await withBudgets({ concurrentStreams: 1 }, { script })
    const leave = new AbortController()
    const open = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...openaiFixture.headers },
      body: JSON.stringify({ ...hello, stream: true }),
      signal: leave.signal,
    })
    expect(open.status).toBe(200)
    const refused = await post(gateway, openaiFixture, { ...hello, stream: true })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    leave.abort()
    await expect
      .poll(async () => {
        const next = new AbortController()
        const body = JSON.stringify({ ...hello, stream: true })
        const headers = { 'content-type': 'application/json', ...openaiFixture.headers }
        const response = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers,
          body,
          signal: next.signal,
        })
        next.abort()
        return response.status
      })
      .toBe(200)
  })

  it('hold for the tenant, the team and the key at once, each with its own limit', async () => {
    const tokens = [
      { token: 'first-token', tenant: 'acme', name: 'ci', team: 'web', budgets: { requestsPerDay: 3 } },
      { token: 'second-token', tenant: 'acme', name: 'dev', team: 'web' },
      { token: 'third-token', tenant: 'acme', name: 'ops' },
      { token: 'fourth-token', tenant: 'other' },
    ]
    const tenants = {
      acme: { budgets: { requestsPerDay: 6 }, teams: { web: { budgets: { requestsPerDay: 4 } } } },
      other: { budgets: {} },
    }
    const gateway = await testGateway({
      config: { tokens, tenants, budgets: { requestsPerDay: 1 }, wholeAccount: true },
    })
    const ask = async (token: string): Promise<string> => {
      const response = await post(gateway, openaiFixture, hello, { authorization: `Bearer ${token}` })
      const text = await response.text()
      return response.status === 200 ? 'ok' : ((JSON.parse(text) as Said).error.message.split(' has')[0] ?? '')
    }
    const first = 'first-token'
    expect([await ask(first), await ask(first), await ask(first), await ask(first)]).toEqual([
      'ok',
      'ok',
      'ok',
      'The key "ci"',
    ])
    expect([await ask('second-token'), await ask('second-token')]).toEqual(['ok', 'The team "web"'])
    expect([await ask('third-token'), await ask('third-token'), await ask('third-token')]).toEqual([
      'ok',
      'ok',
      'The tenant',
    ])
    expect([await ask('fourth-token'), await ask('fourth-token')]).toEqual(['ok', 'ok'])
    await expect
      .poll(async () => (await sums(gateway, 'acme')).filter(({ unit }) => unit === 'requests'))
      .toHaveLength(3)
    const counted = (await sums(gateway, 'acme')).filter(({ unit }) => unit === 'requests')
    expect(Object.fromEntries(counted.map(({ scope, amount }) => [scope, amount]))).toEqual({
      'tenant': 6,
      'team:web': 4,
      'key:ci': 3,
    })
  })

  it.each([
    ['whole', askingOpenai, false],
    ['streamed', askingAnthropic, true],
  ] as const)('count hidden rounds as well, %s, and the request once', async (_, dialect, stream) => {
    const gateway = await withBudgets({ usdPerDay: 5 }, { script: lookingAgain([says('There it is.')]) })
    await lookedAgain(gateway, { dialect, stream })
    await expect.poll(() => spent(gateway, 'requests')).toBe(3)
    expect(gateway.provider.requests).toHaveLength(4)
    expect(Math.abs((await spent(gateway, 'nanoUsd')) - (await receipted(gateway)))).toBeLessThanOrEqual(4)
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result?.layers?.find(({ name }) => name === 'budget')?.facts).toMatchObject({ calls: 2 })
  })

  it.each([false, true])('end a request in an error whose hidden round has no room (stream: %s)', async (stream) => {
    const open = (tokensPerDay: number) =>
      withBudgets({ tokensPerDay }, { script: lookingAgain([says('There it is.')]) })
    const whole = await open(1_000_000)
    await lookedAgain(whole, { dialect: askingAnthropic, stream })
    await expect.poll(() => spent(whole, 'requests')).toBe(3)
    const all = await spent(whole, 'tokens')
    const gateway = await open(all - 500)
    await expect(lookedAgain(gateway, { dialect: askingAnthropic, stream })).rejects.toThrow(/tokensPerDay/)
    expect(gateway.provider.requests).toHaveLength(3)
    await expect.poll(() => spent(gateway, 'requests')).toBe(3)
    expect(await spent(gateway, 'tokens')).toBeLessThan(all - 500)
    const standing = await fetch(`${gateway.url}/v1/budgets`)
    expect(await standing.json()).toMatchObject({ data: [{ limit: 'tokensPerDay', reserved: 0 }] })
  })

  it('count a stream that its client leaves by what had come, and give back what a provider has refused', async () => {
    const script = [
      { text: 'word '.repeat(40), fault: { kind: 'hang' as const, afterChunks: 8 } },
      { fault: { kind: 'error' as const, status: 500 } },
    ]
    const gateway = await withBudgets({ tokensPerDay: 100_000 }, { script })
    const leave = new AbortController()
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...openaiFixture.headers },
      body: JSON.stringify({ ...hello, stream: true }),
      signal: leave.signal,
    })
    const reader = response.body?.getReader()
    await reader?.read()
    leave.abort()
    await expect.poll(() => spent(gateway, 'requests')).toBe(1)
    const tokens = await spent(gateway, 'tokens')
    expect(tokens).toBeGreaterThan(8)
    expect(tokens).toBeLessThan(40)
    expect((await post(gateway, openaiFixture, hello)).status).toBe(500)
    await expect.poll(() => spent(gateway, 'requests')).toBe(2)
    expect(await spent(gateway, 'tokens')).toBe(tokens)
  })

  it('hold what the store could not be told yet, and tell it when it is back', async () => {
    const memory = memoryStore()
    let isGone = false
    const commit: typeof memory.commit = (unit) =>
      isGone ? Promise.reject(new Error('no store')) : memory.commit(unit)
    const script = () => {
      isGone = true
      return 'Here I am.'
    }
    const gateway = await withBudgets({ tokensPerDay: 300 }, { script, store: { ...memory, commit } })
    expect((await post(gateway, openaiFixture, hello)).status).toBe(200)
    const standing = async (): Promise<unknown> => (await fetch(`${gateway.url}/v1/budgets`)).json()
    await expect.poll(standing).toMatchObject({ data: [{ spent: 0, reserved: 127 }] })
    await gateway.clock.advance(40_000)
    expect(await standing()).toMatchObject({ data: [{ spent: 0, reserved: 127 }] })
    isGone = false
    await gateway.clock.advance(1000)
    await expect.poll(() => spent(gateway, 'requests')).toBe(1)
    expect(await standing()).toMatchObject({ data: [{ spent: await spent(gateway, 'tokens'), reserved: 0 }] })
  })

  it('pack as cost-first has it while little is left', async () => {
    const gateway = await withBudgets({ tokensPerDay: 100_000 }, { config: { policy: 'balanced' } })
    await gateway.store.commit({
      scope: { tenant: 'default', session: 'x' },
      nowMs: 1,
      writes: [
        {
          table: 'spending',
          id: 'before',
          spent: [{ scope: 'tenant', day: '2026-11-21', unit: 'tokens', amount: 85_000 }],
        },
      ],
    })
    const response = await post(gateway, openaiFixture, { ...hello })
    expect(response.headers.get('x-prehend-budget-left')).toBe('0.1500')
    await response.text()
    const [row] = await gateway.store.read('receipts').list('default', { limit: 1 })
    const receipt = await gateway.store
      .read('receipts')
      .get('default', row?.requestId ?? '', { input: true, request: false })
    expect(receipt?.input?.policy).toMatchObject({
      id: 'balanced',
      costSensitivity: 0.00001,
      version: '0.2.0+cost-first',
    })
    await expect
      .poll(async () => {
        const [ended] = await gateway.store.read('receipts').list('default', { limit: 1 })
        return ended?.result?.layers?.find(({ name }) => name === 'budget')?.facts
      })
      .toMatchObject({ left: 0.15, isThrifty: true })
  })

  it('count the dearest price of its provider for a model whose price is not known', async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const provider = simulatedProvider({ clock, strict: false })
    const gateway = await withBudgets({ usdPerDay: 100 }, { provider, clock })
    const response = await post(gateway, openaiFixture, { ...hello, model: 'gpt-nobody-knows' })
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number; completion_tokens: number } }
    const { input, output } = dearestPrices('openai')
    await expect.poll(() => spent(gateway, 'requests')).toBe(1)
    const dearest = 1000 * (usage.prompt_tokens * input + usage.completion_tokens * output)
    expect(await spent(gateway, 'nanoUsd')).toBe(Math.round(dearest))
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result?.layers?.find(({ name }) => name === 'budget')?.facts).toMatchObject({
      isDearestPrice: true,
    })
  })

  it.each([
    [{ usdPerDay: 1 }, 503],
    [{ usdPerDay: 1, whenUnavailable: 'allow' as const }, 200],
    [{ requestsPerDay: 5 }, 200],
    [{ requestsPerDay: 5, whenUnavailable: 'refuse' as const }, 503],
  ])('whose ledger does not answer refuse or allow, as they say: %j', async (budgets, status) => {
    const hot = inProcessHot()
    let isGone = true
    const gone = new Proxy(hot, {
      get: (target, name: keyof Hot) =>
        isGone && ['get', 'reserve', 'settle', 'announce', 'ledger', 'confirm'].includes(name)
          ? () =>
              Promise.reject(new PrehendError('store-failed', 'no answer', { remedy: 'Start it.', server: 'Redis' }))
          : target[name],
    })
    const gateway = await withBudgets(budgets, { host: { hot: gone } })
    const response = await post(gateway, openaiFixture, hello)
    expect(response.status).toBe(status)
    if (status === 503) {
      expect(response.headers.get('retry-after')).toBe('1')
      const { message } = ((await response.json()) as Said).error
      expect(message).toContain('The budget of tenant default cannot be read: Redis does not answer.')
    }
    const { checks } = (await (await fetch(`${gateway.url}/v1/health`)).json()) as { checks: { name: string }[] }
    expect(checks.find(({ name }) => name === 'hot')).toMatchObject({ state: 'failed' })
    const shown = async () => (await fetch(`${gateway.url}/metrics`)).text()
    expect(await shown()).toContain('prehend_hot_troubles_total{kind="lost"} 1')
    await expect.poll(() => spent(gateway, 'requests')).toBe(status === 200 ? 1 : 0)
    isGone = false
    await gateway.clock.advance(3000)
    await expect.poll(shown).toContain('prehend_hot_troubles_total{kind="back"} 1')
    expect((await post(gateway, openaiFixture, hello)).status).toBe(200)
    await expect.poll(() => spent(gateway, 'requests')).toBe(status === 200 ? 2 : 1)
    const look = await hot.reserve('default', {
      owner: 'x',
      ownerMs: 1,
      graceMs: 0,
      entries: [{ account: 'tenant|2026-11-21|requests', amount: 0, ttlMs: 1 }],
    })
    expect(look.accounts[0]).toEqual({ settled: status === 200 ? 2 : 1, open: 0 })
  })
})
