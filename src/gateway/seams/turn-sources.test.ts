import { afterEach, describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { shippedCatalogue } from '../../tokens/index.ts'
import type { CollectRequest, Source } from '../index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
  unmarkedMessages,
} from '../on-the-wire/test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway, TestGatewayOptions } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** Gives a passage that nobody has had before, each time. */
function passages(more: Partial<Source> = {}, text = (n: number) => `Passage ${n}: something new of it.`) {
  const asked: CollectRequest[] = []
  const source: Source = {
    id: 'kb',
    ...more,
    collect: async (request): Promise<readonly Item[]> => {
      asked.push(request)
      const n = asked.length
      return [{ id: `p${n}`, section: 'evidence', kind: 'evidence', text: text(n) }]
    },
  }
  return { asked, source }
}

const second = 1000

async function send(gateway: TestGateway, fixture: DialectFixture, body: Body, headers = {}): Promise<void> {
  const response = await post(gateway, fixture, body, headers)
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('done')])
  await gateway.clock.advance(2 * second)
}

const passagesIn = (gateway: TestGateway): readonly string[] =>
  gateway.provider.requests.at(-1)!.body.match(/Passage \d+:/g) ?? []

const opened = (source: Source, more: TestGatewayOptions = {}): Promise<TestGateway> =>
  testGateway({ script: () => 'done', host: { sources: [source] }, ...more })

/** A conversation that goes on after so many rounds of tools with an answer and what the user says next. */
function goingOn(fixture: DialectFixture, rounds: number, ...said: readonly string[]): Body {
  const body = fixture.body(rounds)
  const turns = said.flatMap((text) => [{ role: 'assistant', content: 'done' }, fixture.says(text)])
  return { ...body, messages: [...body.messages, ...turns] }
}

describe.each([openaiFixture, anthropicFixture])('a source over the rounds of a turn: $name', (fixture) => {
  it('is asked once in twelve requests, and what it gave stands where it stood, in the same bytes', async () => {
    const { asked, source } = passages()
    const gateway = await opened(source)
    for (let rounds = 1; rounds <= 12; rounds += 1) {
      await send(gateway, fixture, fixture.body(rounds))
      expect(passagesIn(gateway)).toEqual(['Passage 1:'])
    }
    expect(asked).toHaveLength(1)
    const bodies = gateway.provider.requests.map(({ body }) => unmarkedMessages(body))
    for (const [index, messages] of bodies.entries())
      if (index > 0) expect(messages.slice(0, bodies[index - 1]!.length)).toEqual(bodies[index - 1])
  })

  it('is asked anew when the user speaks, though not when a program reminds the model of something', async () => {
    const { asked, source } = passages()
    const gateway = await opened(source)
    await send(gateway, fixture, fixture.body(1))
    const first = fixture.body(2)
    const reminded = fixture.says('<system-reminder>Mind the list of tasks.</system-reminder>')
    await send(gateway, fixture, { ...first, messages: [...first.messages, reminded] })
    expect(asked).toHaveLength(1)
    await send(gateway, fixture, goingOn(fixture, 2, 'And where?'))
    await send(gateway, fixture, goingOn(fixture, 2, 'And where?', 'And where?'))
    expect(asked.map(({ conversation }) => conversation.items.at(-1)?.text)).toEqual([
      expect.stringContaining('src/module-1'),
      'And where?',
      'And where?',
    ])
    expect(passagesIn(gateway)).toEqual(['Passage 1:', 'Passage 2:', 'Passage 3:'])
  })

  it('is not asked again after a restart, nor by another process, in the midst of a turn', async () => {
    const store = memoryStore()
    const [one, other] = [passages(), passages()]
    const before = await opened(one.source, { store })
    await send(before, fixture, fixture.body(1))
    const gateway = await opened(other.source, { store })
    await send(gateway, fixture, fixture.body(2))
    await send(gateway, fixture, fixture.body(3))
    expect([one.asked.length, other.asked.length]).toEqual([1, 0])
    expect(passagesIn(gateway)).toEqual(['Passage 1:'])
    await send(gateway, fixture, goingOn(fixture, 3, 'And where?'))
    expect(other.asked).toHaveLength(1)
  })

  it('gives the same again where the same request comes again', async () => {
    const { asked, source } = passages()
    const fault = { kind: 'error', status: 500, message: 'try again' } as const
    const gateway = await opened(source, { script: (_, turn) => (turn === 0 ? { fault } : 'done') })
    expect((await post(gateway, fixture, fixture.body(1))).status).toBe(500)
    await send(gateway, fixture, fixture.body(1))
    await send(gateway, fixture, fixture.body(2))
    expect(asked).toHaveLength(1)
    expect(passagesIn(gateway)).toEqual(['Passage 1:'])
  })

  it('is asked with every request where it wants that', async () => {
    const { asked, source } = passages({ when: 'request' })
    const gateway = await opened(source)
    for (const rounds of [1, 2, 3]) await send(gateway, fixture, fixture.body(rounds))
    expect(asked).toHaveLength(3)
    expect(passagesIn(gateway)).toEqual(['Passage 1:', 'Passage 2:', 'Passage 3:'])
  })
})

describe('what a source gave for earlier turns', () => {
  const long = (n: number): string =>
    Array.from({ length: 60 }, (_, line) => `Passage ${n}: line ${line} of what was found says ${line * n}.`).join('\n')
  const rest = 'line 31 of what was found'

  it('leaves at an epoch behind a handle, what the turn at hand has been given stays', async () => {
    const { source } = passages({}, long)
    const store = memoryStore()
    let gateway = await opened(source, { store })
    await send(gateway, anthropicFixture, anthropicFixture.body(8))
    await send(gateway, anthropicFixture, goingOn(anthropicFixture, 8, 'And where?'))
    const [asked, warm] = gateway.provider.requests.map(({ body }) => body)
    expect(warm!.split(`Passage 1: ${rest}`)).toHaveLength(2)
    expect(unmarkedMessages(warm!).slice(0, unmarkedMessages(asked!).length)).toEqual(unmarkedMessages(asked!))
    await gateway.clock.advance(anHourMs)
    await send(gateway, anthropicFixture, goingOn(anthropicFixture, 8, 'And where?', 'And when?'))
    const cold = gateway.provider.requests.at(-1)!.body
    expect(cold).not.toContain(`Passage 1: ${rest}`)
    expect(cold).not.toContain(`Passage 2: ${rest}`)
    expect(cold).toContain(`Passage 3: ${rest}`)
    const handles = Array.from(cold.matchAll(/\[Evidence: [^\]]+\] rehydrate\(\\"(\d+)/g), ([, handle]) => handle!)
    expect(handles).toHaveLength(2)
    const [listed] = await store.read('receipts').list('default', { limit: 1 })
    const receipt = await store.read('receipts').get('default', listed!.requestId)
    const released = receipt!.manifest.decisions.filter(({ reason }) => reason === 'released')
    expect(released.map(({ handle }) => handle)).toEqual(handles)
    const scope = { tenant: 'default', session: listed!.session }
    expect((await store.read('originals').get(scope, handles[0]!))?.text).toBe(long(1))

    const clock = gateway.clock
    gateway = await opened(source, { store, clock })
    await send(gateway, anthropicFixture, goingOn(anthropicFixture, 8, 'And where?', 'And when?', 'And who?'))
    const next = gateway.provider.requests.at(-1)!.body
    expect(unmarkedMessages(next).slice(0, unmarkedMessages(cold).length)).toEqual(unmarkedMessages(cold))
  })

  it('stays where nothing can bring it back', async () => {
    const { source } = passages({}, long)
    const gateway = await opened(source)
    const plain = (body: Body): Body => ({ ...body, prehend: { rehydrate: false } })
    await send(gateway, anthropicFixture, plain(anthropicFixture.body(8)))
    await gateway.clock.advance(anHourMs)
    await send(gateway, anthropicFixture, plain(goingOn(anthropicFixture, 8, 'And where?')))
    expect(gateway.provider.requests.at(-1)!.body).toContain(`Passage 1: ${rest}`)
  })
})

describe('a source', () => {
  it('knows who asks, and in which session: what one is told the other is not', async () => {
    const notes = new Map<string, string[]>()
    const asked: CollectRequest[] = []
    const memory: Source = {
      id: 'notes',
      async collect(request) {
        asked.push(request)
        const { principal, scope, conversation } = request
        const own = notes.get(`${scope.tenant} ${scope.session}`) ?? []
        notes.set(`${scope.tenant} ${scope.session}`, [
          ...own,
          `${principal.keyId}: ${conversation.items.at(-1)?.text}`,
        ])
        return own.map((text, at) => ({ id: `n${at}`, section: 'memory', kind: 'memory', text }))
      },
    }
    const tokens = [
      { token: 'token-of-acme', tenant: 'acme', name: 'acme-ci' },
      { token: 'token-of-house', tenant: 'house', name: 'house-ci' },
    ]
    const gateway = await opened(memory, { config: { tokens } })
    const say = (token: string, session: string, text: string): Promise<void> => {
      const body = { ...openaiFixture.body(0), messages: [openaiFixture.says(text)] }
      return send(gateway, openaiFixture, body, { 'authorization': `Bearer ${token}`, 'x-session-id': session })
    }
    await say('token-of-acme', 'a', 'I like blue.')
    await say('token-of-acme', 'b', 'I like red.')
    await say('token-of-house', 'a', 'I like green.')
    await say('token-of-acme', 'a', 'What do I like?')
    const last = gateway.provider.requests.at(-1)!.body
    expect(last).toContain('acme-ci: I like blue.')
    expect(last).not.toMatch(/I like (?:red|green)/)
    expect(asked.map(({ scope }) => `${scope.tenant} ${scope.session}`)).toEqual([
      'acme a',
      'acme b',
      'house a',
      'acme a',
    ])
    const [first] = asked
    expect(first!.policy.id).toBe('thrifty')
    expect(first!.deadlineMs).toBe(Date.UTC(2026, 10, 21) + 300)
    expect(first!.principal).toMatchObject({ tenant: 'acme', keyId: 'acme-ci', scopes: ['inference', 'read'] })
    const { windowTokens } = shippedCatalogue.info('gpt-5.1')
    expect(first!.roomTokens).toBeGreaterThan(0.6 * windowTokens)
    expect(first!.roomTokens).toBeLessThanOrEqual(windowTokens)
  })

  it('is named where it gives more than there is room for, and the rest is taken', async () => {
    const floods: Source = {
      id: 'flood',
      collect: async () =>
        ['First.', 'x '.repeat(4_000_000), 'Last.'].map((text, at) => ({
          id: `f${at}`,
          section: 'evidence',
          kind: 'evidence',
          text,
        })),
    }
    const gateway = await opened(floods)
    const response = await post(gateway, openaiFixture, openaiFixture.body(0))
    expect(response.headers.get('x-prehend-skipped')).toBe('flood')
    const { body } = gateway.provider.requests[0]!
    expect([body.includes('First.'), body.includes('Last.'), body.length < 10_000]).toEqual([true, true, true])
  })
})
