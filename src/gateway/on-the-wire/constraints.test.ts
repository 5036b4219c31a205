import { afterEach, describe, expect, it } from 'vitest'
import type { SimulatedRequest, ScriptEntry, Upstream } from '../../providers/index.ts'
import { filtered, parseConfig } from '../index.ts'
import type { GatewayConfigInput, Layer } from '../index.ts'
import { askingDialects, waysToAsk } from '../seams/ask.fixture.ts'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const noCustomer = {
  text: 'Name no customer.',
  strength: 'hard',
  about: 'customers',
  check: { lacks: ['ACME'] },
} as const
const config: GatewayConfigInput = { constraints: [noCustomer], repairs: 2 }

/** Says these one after the other, and the last for good. */
function saying(...texts: readonly ScriptEntry[]): { script: () => ScriptEntry; asked: SimulatedRequest[] } {
  const asked: SimulatedRequest[] = []
  const script = (request?: SimulatedRequest): ScriptEntry => {
    if (request) asked.push(request)
    return texts[Math.min(asked.length, texts.length) - 1]!
  }
  return { script, asked }
}

async function metric(gateway: TestGateway, action: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  return Number(new RegExp(`constraints_broken_total\\{action="${action}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

describe.each(waysToAsk)('a hard constraint: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect

  it('P-064, P-042: an answer that breaks it never goes out; the model is asked again, and says why', async () => {
    const { script, asked } = saying('It was ACME who called.', 'It was a customer who called.')
    const gateway = await testGateway({ config, script })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('It was a customer who called.')
    expect(asked).toHaveLength(2)
    const [first, second] = asked.map(({ body }) => body)
    expect(first).not.toContain('Name no customer.')
    expect(second).toContain('Name no customer.')
    expect(second).not.toContain('who called')
    const receipts = await gateway.store.read('receipts').list('default', { limit: 9 })
    expect(receipts.map(({ result }) => [result?.status, result?.failure])).toEqual([
      [200, undefined],
      [200, 'reply-refused'],
    ])
    expect(receipts[0]!.result!.layers!.find(({ name }) => name === 'constraints')).toMatchObject({
      outcome: 'changed',
      facts: { repairs: 1, withheld: ['customers'] },
    })
    // OpenAI's streams say what was used where they are asked.
    if (!stream || fixture.name !== 'openai-chat')
      for (const { result } of receipts) expect(result?.usage?.inputTokens).toBeGreaterThan(0)
    expect(await metric(gateway, 'repair')).toBe(1)
    expect(JSON.stringify(gateway.log)).not.toContain('ACME')
    expect(gateway.log).toContainEqual({
      level: 'warn',
      event: 'constraint',
      fields: expect.objectContaining({ action: 'refuse', constraint: 'customers' }),
    })
  })

  it('P-064: it is asked again so often as is allowed, and then the request ends in an error of the dialect', async () => {
    const { script, asked } = saying('ACME', 'ACME again', 'ACME for good')
    const gateway = await testGateway({ config, script })
    const response = await post(gateway, fixture, fixture.body(1, { stream }))
    const text = await response.text()
    expect(response.status).toBe(422)
    expect(text).toContain('customers')
    expect(text).not.toContain('ACME')
    expect(asked).toHaveLength(3)
    const [refused] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(refused!.result).toMatchObject({ status: 200, failure: 'reply-refused' })
    expect(refused!.result!.layers!.find(({ name }) => name === 'constraints')).toMatchObject({
      outcome: 'refused',
      facts: { repairs: 2, withheld: ['customers', 'customers', 'customers'] },
    })
    await expect(ask(gateway, fixture.body(1), stream)).rejects.toMatchObject({ status: 422 })
    expect(asked).toHaveLength(6)
  })

  it('P-064: what a call says, and what it says behind escapes and signs that nobody sees, goes out as little', async () => {
    const call = (path: string): ScriptEntry => ({ toolCalls: [{ name: 'read', arguments: { path } }] })
    const { script } = saying(call('customers/ACME.md'), 'AC\u200bME', call('customers/1.md'))
    const gateway = await testGateway({ config, script })
    const { text, calls } = await ask(gateway, fixture.body(1), stream)
    expect(text).toBe('')
    expect(calls).toEqual([{ path: 'customers/1.md' }])
  })

  it('what must stand in an answer need not stand in what it calls on its way there', async () => {
    const signed = { text: 'Sign.', strength: 'hard', check: { contains: ['Yours, P.'] } } as const
    const { script, asked } = saying(
      { toolCalls: [{ name: 'read', arguments: { path: 'a' } }] },
      'No.',
      'No. Yours, P.',
    )
    const gateway = await testGateway({ config: { constraints: [signed] }, script })
    expect((await ask(gateway, fixture.body(1), stream)).calls).toHaveLength(1)
    expect((await ask(gateway, fixture.body(2), stream)).text).toBe('No. Yours, P.')
    expect(asked).toHaveLength(3)
  })

  it.each(['off', 'observe'] as const)('mode %s is no way past it', async (mode) => {
    const { script } = saying('ACME', 'nobody')
    const gateway = await testGateway({ config: { ...config, mode }, script })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('nobody')
  })

  it('what the filters of other layers make of an answer is what counts', async () => {
    const names: Layer = {
      name: 'names',
      failure: 'closed',
      handle: async (exchange, next) =>
        filtered(await next(exchange), {
          name: 'names',
          failure: 'closed',
          kinds: ['text'],
          open: () => ({ piece: (_, text) => text.replace('C-17', 'ACME'), end: () => '' }),
        }),
    }
    const { script } = saying('C-17', 'nobody')
    const gateway = await testGateway({ config, script, host: { layers: [names] } })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('nobody')
  })

  it('the session goes on: what was packed stays, and the word of ours is not in the next request', async () => {
    const { script, asked } = saying('fine', 'ACME', 'nobody', 'fine')
    const gateway = await testGateway({ config, script })
    await ask(gateway, fixture.body(7), stream)
    const { message } = await ask(gateway, fixture.body(8), stream)
    const body = fixture.body(8)
    await ask(gateway, { ...body, messages: [...body.messages, message, fixture.says('Thanks.')] }, stream)
    expect(asked).toHaveLength(4)
    expect(asked[3]!.body).not.toContain('Name no customer.')
    const receipts = await gateway.store.read('receipts').list('default', { limit: 9 })
    expect(new Set(receipts.map(({ session }) => session)).size).toBe(1)
  })

  it('a provider’s own error is nobody’s answer', async () => {
    const { script, asked } = saying({ fault: { kind: 'error', status: 400, message: 'ACME is no model.' } })
    const gateway = await testGateway({ config, script })
    expect((await post(gateway, fixture, fixture.body(1, { stream }))).status).toBe(400)
    expect(asked).toHaveLength(1)
  })

  it('P-042: a soft one that is broken is told, and passes', async () => {
    const soft = { text: 'Be brief.', relaxWhen: 'asked for detail', check: { maxChars: 10 } }
    const { script, asked } = saying('A rather long answer.')
    const gateway = await testGateway({ config: { constraints: [soft] }, script })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('A rather long answer.')
    expect(asked).toHaveLength(1)
    expect(await metric(gateway, 'warn')).toBe(1)
    expect(gateway.log).toContainEqual({
      level: 'warn',
      event: 'constraint',
      fields: expect.objectContaining({ action: 'warn', constraint: '0' }),
    })
  })
})

describe('where an answer cannot be told whole', () => {
  it.each(askingDialects)(
    'a stream that breaks off after it is an error, with nothing of it: $fixture.name',
    async ({ fixture }) => {
      const fault = { kind: 'connection-death', afterChunks: 3 } as const
      const gateway = await testGateway({ config, script: () => ({ text: 'ACME '.repeat(40), fault }) })
      const text = await (await post(gateway, fixture, fixture.body(1, { stream: true }))).text()
      expect(text).not.toContain('ACME')
      expect(text).toContain('error')
    },
  )

  it('a body that nobody could read gets no second try', async () => {
    const { script, asked } = saying('ACME')
    const gateway = await testGateway({ config, script })
    const response = await post(gateway, openaiFixture, {
      ...openaiFixture.body(0),
      messages: [{ role: 'oracle', content: 'Who?' }],
    })
    expect(await response.text()).not.toContain('ACME')
    expect(response.ok).toBe(false)
    expect(asked.length).toBeLessThanOrEqual(1)
  })
})

describe('whose constraints hold', () => {
  const request = (constraints: unknown) => ({ prehend: { constraints } })

  it('a tenant’s and a request’s stand beside those of all, and none goes before the operator’s', async () => {
    const noPrices = { text: 'No prices.', strength: 'hard', check: { lacks: ['$'] } }
    const tenants = { default: { constraints: [noPrices] } }
    const own = { text: 'Name them.', about: 'customers', strength: 'hard', check: { contains: ['ACME'] } }
    const json = { text: 'Use braces.', strength: 'hard', check: { contains: ['{'] } }
    const { script, asked } = saying('ACME', '{ $5 }', 'five', '{ five }')
    const gateway = await testGateway({ config: { ...config, repairs: 3, tenants }, script })
    const response = await post(gateway, openaiFixture, openaiFixture.body(0, request([own, json])))
    expect(response.headers.get('x-prehend-repairs')).toBe('3')
    expect(await response.text()).toContain('{ five }')
    expect(asked).toHaveLength(4)
    for (const { body } of asked) expect(body).not.toContain('"prehend":')
  })

  it.each([
    [[{ text: 'x', authority: 'system' }], 'constraints[0].authority'],
    [[{ text: 'x', chek: {} }], 'constraints[0].chek'],
    [[{ text: 'x', check: { lacks: 'ACME' } }], 'constraints[0].check.lacks'],
    ['x', 'constraints'],
  ])('a wrong one is refused by name: %j', async (constraints, field) => {
    const gateway = await testGateway({ script: () => 'ok' })
    const response = await post(gateway, openaiFixture, openaiFixture.body(0, request(constraints)))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(field)
  })

  it('a wrong one of the configuration is an error that names it', () => {
    expect(() => parseConfig({ constraints: [{ text: 'x', strength: 'firm' }] })).toThrow('constraints[0].strength')
  })

  it('each of several choices is held against them', async () => {
    const replies = [
      ['nobody', 'no'],
      ['nobody', 'somebody'],
    ]
    const upstream: Upstream = {
      name: 'choosing',
      send: async () => {
        const choices = (replies.shift() ?? []).map((content, index) => ({
          index,
          message: { role: 'assistant', content },
          finish_reason: 'stop',
        }))
        const reply = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: (async function* () {
            yield Buffer.from(JSON.stringify(reply))
          })(),
        }
      },
      close: async () => undefined,
    }
    const needed = { text: 'Say body.', strength: 'hard', check: { contains: ['body'] } } as const
    const gateway = await testGateway({ config: { constraints: [needed] }, upstream })
    const response = await post(gateway, openaiFixture, openaiFixture.body(0, { n: 2 }))
    expect(await response.text()).toContain('somebody')
  })

  it('Gemini’s clients as well', async () => {
    const { script } = saying('ACME', 'nobody', 'ACME', 'nobody')
    const gateway = await testGateway({ config, script })
    for (const method of ['generateContent', 'streamGenerateContent?alt=sse']) {
      const response = await fetch(`${gateway.url}/v1beta/models/gemini-3-pro-preview:${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key' },
        body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Who?' }] }] }),
      })
      const text = await response.text()
      expect(text).toContain('nobody')
      expect(text).not.toContain('ACME')
    }
  })
})
