import { afterEach, describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import type { ModelReply } from '../../core/index.ts'
import { compileAgain, verifyReceipt } from '../../sessions/index.ts'
import type { ReceiptVerification } from '../../sessions/index.ts'
import type { Receipt } from '../../stores/index.ts'
import { answered, filtered } from '../index.ts'
import type { FactsSchema, GatewayConfigInput, HostLayer, Layer, LayerCounter, LayerHistogram } from '../index.ts'
import { sdkWays } from '../on-the-wire/four-dialects.fixture.ts'
import { closeTestGateways, openaiFixture, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import type { TestGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

const lookups = {
  kind: 'counter',
  name: 'response_cache_total',
  help: 'Look-ups in the response cache.',
  labels: { result: ['hit', 'miss'] },
} as const satisfies LayerCounter

const ages = {
  kind: 'histogram',
  name: 'response_cache_age_seconds',
  help: 'Ages of the answers that were given again.',
  bounds: [1, 60],
} as const satisfies LayerHistogram

const cacheFacts = {
  result: { type: 'string', enum: ['hit', 'miss'] },
  ageSeconds: { type: 'number' },
} as const satisfies FactsSchema

/** Answers again what was answered before, and says what that had taken. */
function responseCache(): Layer {
  const kept = new Map<string, Pick<ModelReply, 'text' | 'usage'>>()
  const own = { name: 'response-cache', facts: cacheFacts }
  return {
    ...own,
    failure: 'open',
    metrics: [lookups, ages],
    appliesTo: ({ kind }) => kind === 'messages',
    handle: async (exchange, next) => {
      const { trace, conversation } = exchange
      const key = conversation.items.map(({ text }) => text).join('\n')
      const hit = kept.get(key)
      trace.count(lookups, { result: hit ? 'hit' : 'miss' })
      if (hit) {
        trace.note(own, { result: 'hit', ageSeconds: 30 })
        trace.count(ages, undefined, 30)
        return answered(exchange, { text: hit.text, ...(hit.usage && { usage: hit.usage }) })
      }
      trace.note(own, { result: 'miss' })
      exchange.whenAnswered(({ text, usage }) => void kept.set(key, { text, ...(usage && { usage }) }))
      return next(exchange)
    },
  }
}

async function receiptsOf({ store }: TestGateway): Promise<readonly Receipt[]> {
  const rows = await store.read('receipts').list('default', { limit: 9 })
  const receipts = await Promise.all(
    rows.toReversed().map(({ requestId }) => store.read('receipts').get('default', requestId)),
  )
  return receipts.map((receipt) => receipt!)
}

/** Of the last requests, once they have ended. */
async function ended(gateway: TestGateway, count: number): Promise<readonly Receipt[]> {
  const all = async (): Promise<readonly Receipt[]> =>
    (await receiptsOf(gateway)).filter(({ result }) => result !== undefined)
  await expect.poll(async () => (await all()).length).toBe(count)
  return all()
}

const metricsOf = async ({ url }: TestGateway): Promise<string> => (await fetch(`${url}/metrics`)).text()
const answerOf = async <Value>({ url }: TestGateway, path: string, method = 'GET'): Promise<Value> =>
  (await (await fetch(url + path, { method })).json()) as Value

const verified = (receipt: Receipt): ReceiptVerification =>
  verifyReceipt({ receipt, input: receipt.input!, compile: (input) => compileAgain(input, receipt.manifest) })

describe.each(sdkWays)('a layer that answers by itself: $name', ({ dialect, stream }) => {
  it('has a receipt with its session, its cost and what the layer says of it', async () => {
    const gateway = await testGateway({ host: { layers: [responseCache()] }, script: () => 'A model says so.' })
    const messages = dialect.messages(1)
    const first = await dialect.ask(gateway, messages, stream)
    expect(await dialect.ask(gateway, messages, stream)).toMatchObject({ text: 'A model says so.' })
    expect(gateway.provider.requests).toHaveLength(1)

    const [asked, cached] = await ended(gateway, 2)
    expect(asked).toMatchObject({
      mode: 'on',
      result: {
        layers: expect.arrayContaining([
          expect.objectContaining({ name: 'response-cache', outcome: 'passed', facts: { result: 'miss' } }),
        ]) as unknown,
      },
    })
    expect(cached).toMatchObject({
      mode: 'answered',
      session: asked!.session,
      result: {
        status: 200,
        layers: [{ name: 'response-cache', outcome: 'answered', facts: { result: 'hit', ageSeconds: 30 } }],
        cost: { inputTokens: 0, usd: 0 },
      },
    })
    const { cost, usage } = cached!.result!
    expect(usage).toBeUndefined()
    // What the model's own answer had taken is what this one saves.
    expect(cost!.passThroughTokens).toBe(first.usage.prompt)
    expect(cost!.clientUsd).toBeGreaterThan(0)

    const [session] = (
      await answerOf<{ data: { session: string; cost: { requests: number; usd: number; clientUsd: number } }[] }>(
        gateway,
        '/v1/sessions',
      )
    ).data
    expect(session).toMatchObject({ session: asked!.session, cost: { requests: 2, usd: asked!.result!.cost!.usd! } })
    expect(session!.cost.clientUsd).toBeGreaterThan(asked!.result!.cost!.clientUsd!)

    const path = `/v1/packs/${cached!.requestId}`
    expect(await answerOf(gateway, `${path}/summary`)).toMatchObject({ mode: 'answered', sentAs: 'nothing' })
    expect(await answerOf(gateway, `${path}/verify`, 'POST')).toMatchObject({ verified: true, differences: [] })
    expect(verified(cached!)).toEqual({ verified: true, differences: [] })
    const forged = { ...cached!, request: { ...cached!.request!, body: 'Another body.' } }
    expect(verified(forged)).toMatchObject({ verified: false, differences: [{ field: 'received' }] })
    expect(await answerOf(gateway, `${path}/bytes`)).toMatchObject({
      whyNot: 'Nothing was sent: the layer response-cache answered the request.',
      sent: null,
    })
    expect(await metricsOf(gateway)).not.toMatch(/^prehend_used_tokens_total\{.*upstream="none"/m)
  })
})

describe('what a layer contributes', () => {
  it('facts, metrics and outcome stand in the receipt, in a header and in /metrics', async () => {
    const gateway = await testGateway({ host: { layers: [responseCache()] }, script: () => 'done' })
    expect(await metricsOf(gateway)).toContain('# HELP prehend_response_cache_total Look-ups in the response cache.')
    const headers: (string | null)[] = []
    for (const _ of [1, 2, 3]) {
      const response = await post(gateway, openaiFixture, openaiFixture.body(1))
      headers.push(response.headers.get('x-prehend-answered'))
      await response.text()
    }
    expect(headers).toEqual([null, 'response-cache', 'response-cache'])
    const shown = await metricsOf(gateway)
    expect(shown).toContain('prehend_response_cache_total{result="hit"} 2')
    expect(shown).toContain('prehend_response_cache_total{result="miss"} 1')
    expect(shown).toContain('prehend_response_cache_age_seconds_bucket{le="60"} 2')
  })

  it('what it changed, and that it only looked on, is told by request and reply', async () => {
    const layers: readonly HostLayer[] = [
      { name: 'looks', failure: 'open', handle: (exchange, next) => next(exchange) },
      {
        name: 'filters',
        failure: 'open',
        handle: async (exchange, next) =>
          filtered(await next(exchange), {
            name: 'filters',
            failure: 'open',
            kinds: ['text'],
            open: () => ({ piece: (_, text) => text, end: () => '' }),
          }),
      },
      { name: 'breaks', failure: 'open', handle: async () => Promise.reject(new Error('no such thing')) },
    ]
    const gateway = await testGateway({ host: { layers }, script: () => 'done' })
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    const [receipt] = await ended(gateway, 1)
    expect(receipt!.result).toMatchObject({ skipped: ['breaks'] })
    const outcomes = Object.fromEntries(receipt!.result!.layers!.map(({ name, outcome }) => [name, outcome]))
    expect(outcomes).toMatchObject({ looks: 'passed', filters: 'changed', breaks: 'skipped', session: 'changed' })
  })

  it.each([
    {
      name: 'that refuses in its own words',
      outcome: 'refused',
      failure: 'forbidden',
      status: 403,
      error: new PrehendError('forbidden', 'Not you.', { remedy: 'Ask.' }),
    },
    {
      name: 'that fails',
      outcome: 'failed',
      failure: 'internal',
      status: 500,
      error: new TypeError('broken: a secret'),
    },
  ])(
    'a layer that fails closed $name has a receipt, which costs nothing',
    async ({ outcome, failure, status, error }) => {
      const layer: Layer = { name: 'gate', failure: 'closed', handle: async () => Promise.reject(error) }
      const gateway = await testGateway({ host: { layers: [layer] }, script: () => 'done' })
      expect((await post(gateway, openaiFixture, openaiFixture.body(1))).status).toBe(status)
      const [receipt] = await ended(gateway, 1)
      expect(receipt).toMatchObject({
        mode: 'answered',
        result: { status, failure, layers: [{ name: 'gate', outcome }] },
      })
      expect(receipt!.result).not.toHaveProperty('cost')
      expect(await answerOf(gateway, `/v1/packs/${receipt!.requestId}/summary`)).toMatchObject({ sentAs: 'refused' })
      expect(JSON.stringify([receipt, gateway.log])).not.toContain('secret')
    },
  )

  it.each([
    ['that looks at what nobody could read', { takesUnread: true }, 403],
    ['that does not', {}, 400],
  ] as const)(
    'a body that nobody could read and a layer stops, one %s, has a receipt, too',
    async (_, more, status) => {
      const error = new PrehendError('forbidden', 'Not you.', { remedy: 'Ask.' })
      const layer: Layer = { name: 'gate', failure: 'closed', handle: async () => Promise.reject(error), ...more }
      const gateway = await testGateway({ host: { layers: [layer] }, script: () => 'done' })
      expect((await post(gateway, openaiFixture, '{"messages": [')).status).toBe(status)
      const [receipt] = await ended(gateway, 1)
      expect(receipt).toMatchObject({
        mode: 'answered',
        session: 'unread',
        result: { status, skipped: ['decode'], layers: [{ name: 'gate', outcome: 'refused' }] },
      })
    },
  )

  it('an answer behind the session is paid by nobody, and its session stands where it stood', async () => {
    const usage = { inputTokens: 900, outputTokens: 10 }
    const layer: Layer = {
      name: 'late-cache',
      failure: 'open',
      handle: async (exchange) => answered(exchange, { text: 'known', usage }),
    }
    const gateway = await testGateway({ host: { layers: [{ layer, before: 'upstream' }] } })
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    const [receipt] = await ended(gateway, 1)
    expect(receipt).toMatchObject({
      mode: 'on',
      result: {
        cost: { inputTokens: 0, usd: 0, passThroughTokens: 900 },
        layers: [{ name: 'late-cache', outcome: 'answered' }, { name: 'session' }],
      },
    })
    expect(await answerOf(gateway, `/v1/packs/${receipt!.requestId}/summary`)).toMatchObject({ sentAs: 'nothing' })
    const { lane } = (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]!
    const scope = { tenant: 'default', session: receipt!.session, lane }
    expect((await gateway.store.read('sessions').get(scope))?.ledger).toBeUndefined()
    expect(await answerOf(gateway, '/v1/stats')).toMatchObject({ totals: { usd: 0 } })
  })

  it('a question that a T0 layer answers has a receipt that says which tier it was', async () => {
    const layer: Layer = {
      name: 'table',
      failure: 'open',
      handle: async (exchange) => answered(exchange, { text: 'A table.' }),
    }
    const config: GatewayConfigInput = {
      modelRoutes: { 'prehend/auto': { cheap: 'gpt-5-mini', dear: 'gpt-5.1' } },
      policy: { extends: 'thrifty', id: 'house', version: '1.0.0', modelPreference: 'cheap-first' },
    }
    const gateway = await testGateway({ config, host: { layers: [{ layer, tier: 'T0' }] } })
    const response = await post(gateway, openaiFixture, openaiFixture.body(1, { model: 'prehend/auto' }))
    expect(await response.text()).toContain('A table.')
    const [receipt] = await ended(gateway, 1)
    expect(receipt).toMatchObject({
      mode: 'answered',
      model: 'prehend/auto',
      result: {
        routed: { tier: 'T0' },
        cost: { inputTokens: 0 },
        layers: [{ name: 'table', outcome: 'answered' }, { name: 'route' }],
      },
    })
    expect(receipt!.result!.cost!.passThroughTokens).toBeGreaterThan(1000)
  })

  it('mode off has no receipt of what a layer answers', async () => {
    const layer: Layer = {
      name: 'table',
      failure: 'open',
      handle: async (exchange) => answered(exchange, { text: 'A table.' }),
    }
    const gateway = await testGateway({ config: { mode: 'off' }, host: { layers: [layer] } })
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    await expect
      .poll(async () => (await answerOf<{ totals: { requests: number } }>(gateway, '/v1/stats')).totals.requests)
      .toBe(1)
    expect(await receiptsOf(gateway)).toEqual([])
  })
})

describe('what a layer is told at the end', () => {
  const own = {
    name: 'hears',
    facts: { said: { type: 'string' }, status: { type: 'number' }, late: { type: 'number' } },
  } as const
  const heard: ModelReply[] = []
  const hears: Layer = {
    ...own,
    failure: 'open',
    handle: async (exchange, next) => {
      const { trace } = exchange
      exchange.whenEnded(({ status }) => trace.note(own, { status }))
      exchange.whenAnswered((reply) => {
        heard.push(reply)
        trace.note(own, { said: reply.text })
      })
      const reply = await next(exchange)
      exchange.whenEnded(({ status }) => trace.note(own, { late: status }))
      return reply
    },
  }
  const factsOf = async (gateway: TestGateway, count = 1): Promise<unknown> =>
    (await ended(gateway, count)).map(({ result }) => result!.layers!.find(({ name }) => name === 'hears')?.facts)
  afterEach(() => void heard.splice(0))

  it.each(sdkWays)('$name: what it notes then still stands in the receipt', async ({ dialect, stream }) => {
    const gateway = await testGateway({
      host: { layers: [hears, { layer: listensWithin, before: 'upstream' }] },
      script: () => 'done',
    })
    await dialect.ask(gateway, dialect.messages(1), stream)
    expect(await factsOf(gateway)).toEqual([{ said: 'done', status: 200, late: 200 }])
    const [receipt] = await ended(gateway, 1)
    expect(receipt!.result!.layers!.find(({ name }) => name === 'inner')?.facts).toEqual({ said: 'done' })
  })

  /** Nearest to the provider, and told after the session has asked to be. */
  const inner = { name: 'inner', facts: { said: { type: 'string' } } } as const
  const listensWithin: Layer = {
    ...inner,
    failure: 'open',
    handle: (exchange, next) => {
      exchange.whenAnswered(({ text: said }) => exchange.trace.note(inner, { said }))
      return next(exchange)
    },
  }

  it('the answer is what the client reads: behind all filters, with calls', async () => {
    const loud: Layer = {
      name: 'loud',
      failure: 'open',
      handle: async (exchange, next) =>
        filtered(await next(exchange), {
          name: 'loud',
          failure: 'open',
          kinds: ['text'],
          open: () => ({ piece: (_, text) => text.toUpperCase(), end: () => '' }),
        }),
    }
    const script = () => ({ text: 'reading', toolCalls: [{ name: 'read', arguments: { path: 'a' } }] })
    const gateway = await testGateway({ host: { layers: [loud, hears] }, script })
    for (const stream of [false, true])
      await (await post(gateway, openaiFixture, openaiFixture.body(1, { stream }))).text()
    await ended(gateway, 2)
    expect(heard.map(({ text, toolCalls }) => [text, toolCalls.map(({ name }) => name)])).toEqual([
      ['READING', ['read']],
      ['READING', ['read']],
    ])
  })

  it.each([
    ['a refusal', { kind: 'error', status: 400, message: 'No.' }],
    ['a stream that breaks off', { kind: 'connection-death', afterChunks: 1 }],
    ['a stream that ends in an error', { kind: 'stream-error', afterChunks: 1 }],
  ] as const)('%s is no answer', async (_, fault) => {
    const gateway = await testGateway({
      host: { layers: [hears] },
      script: () => ({ text: 'a long answer of some words', fault }),
    })
    await (await post(gateway, openaiFixture, openaiFixture.body(1, { stream: true }))).text().catch(() => undefined)
    await ended(gateway, 1)
    expect(heard).toEqual([])
  })

  it('of several tries the one that counts is told, once', async () => {
    const says = ['ACME', 'a customer']
    const noCustomer = { text: 'Name no customer.', strength: 'hard', check: { lacks: ['ACME'] } } as const
    const config: GatewayConfigInput = { constraints: [noCustomer], repairs: 1 }
    const gateway = await testGateway({ config, host: { layers: [hears] }, script: () => says.shift() ?? 'no more' })
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    await ended(gateway, 2)
    expect(heard.map(({ text }) => text)).toEqual(['a customer'])
  })

  it('a function that throws fails nothing', async () => {
    const layer: Layer = {
      name: 'throws',
      failure: 'closed',
      handle: (exchange, next) => {
        exchange.whenAnswered(() => {
          throw new Error('a secret')
        })
        return next(exchange)
      },
    }
    const gateway = await testGateway({ host: { layers: [layer, hears] }, script: () => 'done' })
    expect((await post(gateway, openaiFixture, openaiFixture.body(1))).status).toBe(200)
    expect(await factsOf(gateway)).toMatchObject([{ said: 'done' }])
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        event: 'stage-skipped',
        fields: expect.objectContaining({ stage: 'when-answered' }) as unknown,
      }),
    )
    expect(JSON.stringify(gateway.log)).not.toContain('secret')
  })
})

describe('facts that are not as declared', () => {
  const facts = {
    score: { type: 'number' },
    words: { type: 'array', items: { type: 'string', maxLength: 10 }, maxItems: 3 },
    long: { type: 'string', maxLength: 1000 },
    more: { type: 'string', maxLength: 1000 },
    most: { type: 'string', maxLength: 1000 },
    part: { type: 'object', properties: { id: { type: 'string' } } },
  } as const satisfies FactsSchema

  const noting = (given: object): Layer => ({
    name: 'notes',
    failure: 'closed',
    facts,
    handle: (exchange, next) => {
      exchange.trace.note({ name: 'notes', facts }, given)
      return next(exchange)
    },
  })

  async function noted(given: object) {
    const gateway = await testGateway({ host: { layers: [noting(given)] }, script: () => 'done' })
    expect((await post(gateway, openaiFixture, openaiFixture.body(1))).status).toBe(200)
    const [receipt] = await ended(gateway, 1)
    const dropped = gateway.log
      .filter(({ event }) => event === 'fact-dropped')
      .map(({ fields }) => [fields['fact'], fields['reason']])
    const kept = receipt!.result!.layers!.find(({ name }) => name === 'notes')?.facts
    return { kept, dropped, gateway }
  }

  it('those that are go into the receipt as they were when they were noted', async () => {
    const given = { score: 0.5, words: ['a', 'b'], part: { id: 'x' } }
    const { kept, dropped } = await noted(given)
    expect([kept, dropped]).toEqual([given, []])
  })

  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  it.each([
    ['of another type', { score: 'high: a secret' }, ['score', 'type']],
    ['no number', { score: Number.NaN }, ['score', 'type']],
    ['under no declared name', { 'a secret': 1 }, [undefined, 'undeclared']],
    ['a list that is too long', { words: ['a', 'b', 'c', 'd'] }, ['words', 'too-large']],
    ['a word that is too long', { words: ['a secret word'] }, ['words', 'too-large']],
    ['with an undeclared part', { part: { id: 'x', text: 'a secret' } }, ['part', 'type']],
    ['a circle', { part: circular }, ['part', 'type']],
  ] as const)('%s: dropped, counted and logged without a word of it; the others stay', async (_, given, why) => {
    const { kept, dropped, gateway } = await noted({ ...given, long: 'kept' })
    expect(kept).toEqual({ long: 'kept' })
    expect(dropped).toEqual([why])
    expect(JSON.stringify(gateway.log)).not.toContain('secret')
    expect(await metricsOf(gateway)).toContain(`prehend_layer_facts_dropped_total{layer="notes",reason="${why[1]}"} 1`)
  })

  it('all facts of a layer together are bounded', async () => {
    const { kept, dropped } = await noted({ long: 'a'.repeat(1000), more: 'b'.repeat(900), most: 'c'.repeat(200) })
    expect(Object.keys(kept!)).toEqual(['long', 'more'])
    expect(dropped).toEqual([['most', 'too-large']])
  })

  it('a value whose members cannot be read fails no request', async () => {
    const { kept, dropped } = await noted({
      score: 1,
      part: {
        get id(): string {
          throw new Error('a secret')
        },
      },
    })
    expect([kept, dropped]).toEqual([{ score: 1 }, [['part', 'type']]])
  })
})

describe('what a layer may not declare', () => {
  const declaring = (more: Partial<Layer>): Layer => ({
    name: 'l',
    failure: 'open',
    handle: (exchange, next) => next(exchange),
    ...more,
  })
  const counter = (name: string): LayerCounter => ({ kind: 'counter', name, help: 'Counts.' })

  it.each([
    ['a name that is one of the gateway', { metrics: [counter('requests_total')] }, /requests_total/],
    ['a name of one word', { metrics: [counter('requests')] }, /requests/],
    [
      'the same twice, otherwise',
      { metrics: [counter('a_total'), { ...counter('a_total'), labels: { b: ['c'] } }] },
      /a_total/,
    ],
    [
      'a label without a bound',
      { metrics: [{ ...counter('a_total'), labels: { b: { most: 10_000 } } }] },
      /500 values/,
    ],
    ['a text without a bound', { facts: { text: { type: 'string', maxLength: 100_000 } } }, /1000 characters/],
  ] as const)('%s: the gateway does not start', async (_, more, why) => {
    await expect(testGateway({ host: { layers: [declaring(more)] } })).rejects.toThrow(why)
  })

  it('values of a label that it has not declared are counted as other', async () => {
    const metric = {
      ...counter('seen_total'),
      labels: { of: ['a'], model: { most: 2 } },
    } as const satisfies LayerCounter
    const layer = declaring({
      metrics: [metric],
      handle: (exchange, next) => {
        for (const [of, model] of [
          ['a', 'x'],
          ['b', 'y'],
          ['a', 'z'],
          ['a', 'x'],
        ] as const)
          exchange.trace.count(metric, { of, model })
        return next(exchange)
      },
    })
    const gateway = await testGateway({ host: { layers: [layer] }, script: () => 'done' })
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    const lines = (await metricsOf(gateway)).split('\n').filter((line) => line.startsWith('prehend_seen_total'))
    expect(lines).toEqual([
      'prehend_seen_total{of="a",model="x"} 2',
      'prehend_seen_total{of="other",model="y"} 1',
      'prehend_seen_total{of="a",model="other"} 1',
    ])
  })
})
