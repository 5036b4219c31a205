import { GoogleGenAI } from '@google/genai'
import type { Content } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import type { ManualClock, SimulatedProvider } from '../../providers/index.ts'
import { fetchUpstream, manualClock, simulatedProvider } from '../../providers/index.ts'
import type { Script, ScriptEntry } from '../../providers/index.ts'
import { priceOf, shippedCatalogue } from '../../tokens/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const model = 'gemini-3.5-flash'
const info = shippedCatalogue.info(model)
const aMinuteMs = 60_000
const said = (role: string, text: string): Content => ({ role, parts: [{ text }] })
const book = (name: string): string =>
  Array.from({ length: 900 }, (_, line) => `Line ${line} of ${name} says ${line * 7919}.`).join('\n')

interface Reading {
  readonly gateway: TestGateway
  readonly provider: SimulatedProvider
  readonly clock: ManualClock
  /** One more question about the book. */
  ask(gapMs?: number): Promise<number>
  /** As if what was said before had been other words. */
  rewrite(): void
}

interface ReadingOptions {
  readonly missRate?: number
  readonly promptCache?: object
  readonly session?: string
  readonly shared?: Reading
  readonly stream?: boolean
  readonly script?: Script
  /** What happens to requests for cached contents, before the provider sees them. */
  readonly refuses?: (method: string) => number | 'silence' | undefined
  readonly store?: Store
  /** Another gateway, before the same provider. */
  readonly beside?: Reading
  /** Whether the provider tells of no token that it has read from a cache. */
  readonly hidesReads?: boolean
}

/** A client that talks about a book, turn by turn. */
async function reading(options: ReadingOptions = {}): Promise<Reading> {
  const {
    missRate = 1,
    promptCache = { cachedContents: true },
    session = 's',
    shared,
    beside,
    store,
    stream = false,
  } = options
  const { script = () => 'It does.' } = options
  const clock = (shared ?? beside)?.clock ?? manualClock(Date.UTC(2026, 10, 21))
  const provider = (shared ?? beside)?.provider ?? simulatedProvider({ script, clock, missRate })
  const upstream = fetchUpstream({ name: 'google', origin: 'http://simulated', fetch: between(provider, options) })
  const gateway =
    shared?.gateway ??
    (await testGateway({ provider, clock, upstream, ...(store && { store }), config: { promptCache } }))
  const client = new GoogleGenAI({
    apiKey: 'key',
    httpOptions: { baseUrl: gateway.url, headers: { 'x-session-id': session } },
  })
  let contents = [said('user', book(session)), said('model', 'I have read it.')]
  let asked = 0
  return {
    gateway,
    provider,
    clock,
    async ask(gapMs = aMinuteMs) {
      contents.push(said('user', `Does line ${(asked += 1)} say anything?`))
      const config = {
        systemInstruction: 'You read books.',
        tools: [{ functionDeclarations: [{ name: 'turn_page' }] }],
      }
      const request = { model, contents: [...contents], config }
      const replies = stream
        ? await Array.fromAsync(await client.models.generateContentStream(request))
        : [await client.models.generateContent(request)]
      expect(replies.map(({ text = '' }) => text).join('')).toBe('It does.')
      contents.push(said('model', 'It does.'))
      await clock.advance(gapMs)
      return replies.at(-1)!.usageMetadata!.cachedContentTokenCount ?? 0
    },
    rewrite() {
      contents = contents.map((content, index) => (index === 1 ? said('model', 'I have not read it.') : content))
    },
  }
}

/** The provider, as it may also behave. */
function between({ fetch }: SimulatedProvider, { refuses, hidesReads }: ReadingOptions): SimulatedProvider['fetch'] {
  return async (input, init) => {
    const isContents = String(input instanceof Request ? input.url : input).includes('/cachedContents')
    const status = isContents ? refuses?.(init?.method ?? 'GET') : undefined
    if (status === 'silence') return silence(init?.signal)
    if (status !== undefined) return new Response('{}', { status })
    const reply = await fetch(input, init)
    if (hidesReads !== true || isContents) return reply
    const told = (await reply.text()).replaceAll('cachedContentTokenCount', 'otherTokenCount')
    return new Response(told, { status: reply.status, headers: reply.headers })
  }
}

function silence(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason as Error)))
}

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let index = 0; index < count; index += 1) all.push(await work())
  return all
}

const asked = ({ provider }: Reading, method: string): number =>
  provider.requests.filter((request) => request.method === method && request.path.includes('cachedContents')).length

describe('contents that the gateway has Google keep', () => {
  it.each([false, true])(
    'C-010: are made once a session is not read from the cache, and are read from then on, streamed: %s',
    async (stream) => {
      const talk = await reading({ stream })
      const reads = await times(12, () => talk.ask())
      const first = reads.findIndex((tokens) => tokens > 0)
      expect(first).toBeGreaterThanOrEqual(4)
      expect(Math.min(...reads.slice(first))).toBeGreaterThan(4096)
      expect(asked(talk, 'POST')).toBe(1)
      const receipts = (await talk.gateway.store.read('receipts').list('default', { limit: 20 })).toReversed()
      const told = receipts.map(({ result }) => result?.layers?.find(({ name }) => name === 'cached-contents'))
      expect(told.map((layer) => layer?.outcome)).toEqual(reads.map((tokens) => (tokens > 0 ? 'changed' : 'passed')))
      expect(told[first]?.facts).toEqual({
        events: ['made', 'read'],
        tokens: reads[first],
        usd: expect.closeTo(receipts[first]!.result!.cost!.keptUsd!, 9) as number,
      })
      expect(told[first - 1]).not.toHaveProperty('facts')
      const last = talk.provider.requests.at(-1)!.json!
      expect(last['cachedContent']).toBe(talk.provider.cachedContents[0]!.name)
      expect(last).not.toHaveProperty('systemInstruction')
      expect(last).not.toHaveProperty('tools')
      expect(last).not.toHaveProperty('toolConfig')
      expect((last as unknown as { contents: Content[] }).contents[0]).not.toEqual(said('user', book('s')))
      expect(talk.provider.cachedContents[0]!.body).toMatchObject({ systemInstruction: expect.anything() })
    },
  )

  it('C-010: are not made where the provider reads its own cache, which costs nothing', async () => {
    const talk = await reading({ missRate: 0 })
    await times(15, () => talk.ask())
    expect(asked(talk, 'POST')).toBe(0)
  })

  it('are not made unless the configuration says so', async () => {
    const talk = await reading({ promptCache: {} })
    await times(12, () => talk.ask())
    expect(asked(talk, 'POST')).toBe(0)
  })

  it('C-010: are prolonged while they are used, and expire when they are not', async () => {
    const talk = await reading()
    await times(20, () => talk.ask())
    expect(asked(talk, 'POST')).toBe(1)
    expect(asked(talk, 'PATCH')).toBeGreaterThan(1)
    const [content] = talk.provider.cachedContents
    expect(content!.expiresMs).toBeGreaterThan(talk.clock.now())
    await talk.clock.advance(content!.expiresMs - talk.clock.now())
    const before = asked(talk, 'PATCH')
    expect(await talk.ask()).toBe(0)
    expect(asked(talk, 'PATCH')).toBe(before)
  })

  it('C-010: are deleted when prompts begin otherwise', async () => {
    const talk = await reading()
    await times(8, () => talk.ask())
    const [content] = talk.provider.cachedContents
    expect(content!.deletedMs).toBeUndefined()
    talk.rewrite()
    expect(await talk.ask()).toBe(0)
    expect(talk.provider.cachedContents[0]!.deletedMs).toBeDefined()
    expect(talk.provider.requests.at(-1)!.json).toHaveProperty('systemInstruction')
  })

  it('C-010: that are gone before their time are done without, and the client sees nothing of it', async () => {
    const talk = await reading()
    await times(8, () => talk.ask())
    const { name } = talk.provider.cachedContents[0]!
    await talk.provider.fetch(`http://simulated/v1beta/${name}`, {
      method: 'DELETE',
      headers: { 'x-goog-api-key': 'key' },
    })
    expect(await talk.ask()).toBe(0)
    const [refused, whole] = talk.provider.requests.slice(-2)
    expect([refused!.status, whole!.status]).toEqual([403, 200])
    await times(8, () => talk.ask())
    expect(asked(talk, 'POST')).toBe(1)
  })

  it('are not taken for the cause of what the whole request is refused for as well', async () => {
    const refused: ScriptEntry = { fault: { kind: 'error', status: 400, message: 'Something else.' } }
    const talk = await reading({ script: (_, turn) => (turn === 8 || turn === 9 ? refused : 'It does.') })
    await times(8, () => talk.ask())
    await expect(talk.ask()).rejects.toThrow(/Something else/)
    expect(talk.provider.cachedContents[0]!.deletedMs).toBeUndefined()
  })

  it('cost in receipts what they cost, and less than was paid without them', async () => {
    const without = await reading({ promptCache: {} })
    const talk = await reading()
    const spent = async ({ gateway, ask }: Reading): Promise<number> => {
      await times(20, () => ask())
      const receipts = await gateway.store.read('receipts').list('default', { limit: 100 })
      return receipts.reduce((usd, receipt) => usd + receipt.result!.cost!.usd!, 0)
    }
    const [plain, kept] = [await spent(without), await spent(talk)]
    const rounds = talk.provider.requests.reduce((usd, { usage }) => usd + (usage ? priceOf(usage, info)! : 0), 0)
    const [content] = talk.provider.cachedContents
    const hours = (content!.expiresMs - content!.createdMs) / 3_600_000
    expect(kept).toBeCloseTo(rounds + (content!.tokens / 1e6) * hours, 9)
    expect(kept).toBeLessThan(0.7 * plain)
  })

  it('C-010: are read in hidden rounds as well', async () => {
    const look = { parts: [{ type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } }] } as const
    const script: Script = (_, turn) => (turn === 7 ? look : 'It does.')
    const talk = await reading({ script })
    await times(7, () => talk.ask())
    await talk.ask()
    const [first, second] = talk.provider.requests.filter(({ path }) => path.includes('generateContent')).slice(-2)
    for (const round of [first!, second!]) {
      expect(round.json).toHaveProperty('cachedContent')
      expect(round.usage!.cacheReadTokens).toBeGreaterThan(4096)
    }
    expect((await times(4, () => talk.ask())).every((tokens) => tokens > 4096)).toBe(true)
  })

  it('that are not made hold up nobody: what is refused is not asked for again, what is busy is later', async () => {
    const refused: string[] = []
    const answers = (status: number) => (method: string) => {
      refused.push(method)
      return status
    }
    const never = await reading({ refuses: answers(400) })
    await times(16, () => never.ask())
    expect(refused).toEqual(['POST'])
    const later = await reading({ refuses: (method) => (refused.push(method) < 3 ? 503 : undefined) })
    const reads = await times(16, () => later.ask())
    expect(asked(later, 'POST')).toBe(1)
    expect(reads.at(-1)).toBeGreaterThan(4096)
  })

  it('C-010: that the provider does not read, by its own word, are paid for no longer', async () => {
    const talk = await reading({ hidesReads: true })
    await times(16, () => talk.ask())
    expect(asked(talk, 'POST')).toBe(1)
    expect(talk.provider.cachedContents[0]!.deletedMs).toBeDefined()
    expect(talk.provider.requests.at(-1)!.json).not.toHaveProperty('cachedContent')
  })

  it('are counted', async () => {
    const talk = await reading()
    await times(10, () => talk.ask())
    const text = await (await fetch(`${talk.gateway.url}/metrics`)).text()
    expect(text).toMatch(/prehend_cached_contents_total\{event="made"\} 1/)
    expect(text).toMatch(/prehend_cached_contents_total\{event="read"\} [1-9]/)
  })

  it.each([
    ['number', { mostContents: 1 }],
    ['price', { mostStorageUsd: 0.02 }],
  ])('are bounded in %s, all sessions together', async (_, bound) => {
    const one = await reading({ promptCache: { cachedContents: true, ...bound } })
    const other = await reading({ shared: one, session: 'other' })
    await times(8, async () => {
      await one.ask(1000)
      await other.ask(1000)
    })
    expect(asked(one, 'POST')).toBe(1)
  })

  it("a client's own are left alone", async () => {
    const talk = await reading()
    await times(8, () => talk.ask())
    const { name } = talk.provider.cachedContents[0]!
    const client = new GoogleGenAI({
      apiKey: 'key',
      httpOptions: { baseUrl: talk.gateway.url, headers: { 'x-session-id': 's' } },
    })
    await client.models.generateContent({ model, contents: 'Hm?', config: { cachedContent: name } })
    expect(talk.provider.requests.at(-1)!.json).toMatchObject({
      cachedContent: name,
      contents: [{ parts: [{ text: 'Hm?' }] }],
    })
    expect(talk.provider.cachedContents[0]!.deletedMs).toBeUndefined()
  })

  it('C-010: are removed when the gateway stops, which its log says, and those of another on the same store are not', async () => {
    const store = memoryStore()
    const one = await reading({ store })
    const other = await reading({ store, beside: one, session: 'other' })
    await times(8, async () => {
      await one.ask(aMinuteMs / 2)
      await other.ask(aMinuteMs / 2)
    })
    const removed = (): boolean[] => one.provider.cachedContents.map(({ deletedMs }) => deletedMs !== undefined)
    expect(removed()).toEqual([false, false])
    await one.gateway.close()
    expect(removed()).toEqual([true, false])
    expect(one.gateway.log).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'cached-contents-removed', fields: { contents: 1 } }),
    )
    expect(await other.ask()).toBeGreaterThan(4096)
    await other.gateway.close()
    expect(removed()).toEqual([true, true])
  })

  it('that have expired are not removed, and nothing is said', async () => {
    const talk = await reading()
    await times(8, () => talk.ask())
    await talk.clock.advance(24 * 60 * aMinuteMs)
    await talk.gateway.close()
    expect(asked(talk, 'DELETE')).toBe(0)
    expect(talk.gateway.log.filter(({ event }) => event.startsWith('cached-content'))).toEqual([])
  })

  it.each([
    ['refuses', () => 500],
    ['does not answer', () => 'silence' as const],
  ])('hold up nobody where the provider %s: they are named, and expire', async (_, answer) => {
    const talk = await reading({ refuses: (method) => (method === 'DELETE' ? answer() : undefined) })
    await times(8, () => talk.ask())
    const begunMs = performance.now()
    await talk.gateway.close()
    expect(performance.now() - begunMs).toBeLessThan(4500)
    const { name, expiresMs } = talk.provider.cachedContents[0]!
    expect(talk.gateway.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'cached-content-left',
        fields: { name, expires: new Date(expiresMs).toISOString() },
      }),
    )
  })
})
