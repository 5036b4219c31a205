import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import type { Fault, ScriptEntry, SimulatedProvider } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

interface Served {
  readonly url: string
  readonly provider: SimulatedProvider
  readonly store: Store
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A gateway in front of a simulated provider on a socket, time limits and all. */
async function served(script: readonly ScriptEntry[], more: GatewayConfigInput = {}): Promise<Served> {
  const provider = simulatedProvider({ script })
  const server = await provider.listen()
  const upstreams = {
    openai: { baseUrl: `${server.url}/v1`, apiKey: 'configured' },
    anthropic: { baseUrl: server.url, apiKey: 'configured' },
  }
  const config = parseConfig({ port: 0, upstreams, ...more })
  const store = memoryStore()
  const gateway = await openGateway(config, { store })
  closers.push(
    () => gateway.close(0),
    () => server.close(),
  )
  return { url: gateway.url, provider, store }
}

function post(
  { url }: Served,
  dialect: DialectFixture,
  more: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url + dialect.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...dialect.headers },
    body: JSON.stringify(dialect.body(1, more)),
    ...(signal && { signal }),
  })
}

const errorIn = (text: string): { type: string; message: string } =>
  (JSON.parse(text) as { error: { type: string; message: string } }).error

/** Why the latest request failed, as its receipt says. */
async function failureOf({ url }: Served): Promise<unknown> {
  const list = (await (await fetch(`${url}/v1/packs`)).json()) as { data: { result?: { failure: string } }[] }
  return list.data[0]?.result?.failure
}

describe.each([openaiFixture, anthropicFixture])('trouble upstream: $name', (dialect) => {
  it.each([429, 529, 503, 400])('a refusal comes through word for word, with its headers: %s', async (status) => {
    const fault: Fault = { kind: 'error', status, message: 'so it said', retryAfterSeconds: 7 }
    for (const stream of [false, true]) {
      const gateway = await served([{ fault }, { fault }])
      const response = await post(gateway, dialect, { stream })
      expect(response.status).toBe(status)
      expect(response.headers.get('retry-after')).toBe('7')
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(errorIn(await response.text()).message).toBe('so it said')
      expect(gateway.provider.requests).toHaveLength(1)
    }
  })

  it('9router#3066: a client that leaves stops the provider at once', async () => {
    const gateway = await served([{ text: 'word '.repeat(900), tokensPerSecond: 200 }])
    const abort = new AbortController()
    const startedMs = Date.now()
    const response = await post(gateway, dialect, { stream: true }, abort.signal)
    const reader = response.body!.getReader()
    await reader.read()
    const [request] = gateway.provider.requests
    expect(request?.state).toBe('open')
    abort.abort()
    await expect.poll(() => request?.state, { interval: 2 }).toBe('aborted')
    // It would go on for 4.5 seconds. How soon it ends is a matter of a few milliseconds, and no test can hold a busy machine to that.
    expect(request!.endMs! - startedMs).toBeLessThan(3_000)
    const metrics = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text()
    await expect.poll(metrics).toContain('prehend_client_aborts_total 1')
    expect(await metrics()).not.toContain('prehend_upstream_failures_total{')
    await expect.poll(() => failureOf(gateway)).toBe('client-gone')
  })

  it('a client that leaves before the reply begins stops the provider, too', async () => {
    const gateway = await served([{ fault: { kind: 'hang' } }])
    const abort = new AbortController()
    const response = post(gateway, dialect, {}, abort.signal)
    await expect.poll(() => gateway.provider.requests.length).toBe(1)
    abort.abort()
    await expect(response).rejects.toThrow('aborted')
    await expect.poll(() => gateway.provider.requests[0]?.state, { interval: 2 }).toBe('aborted')
    await expect.poll(() => failureOf(gateway)).toBe('client-gone')
  })

  it('a stream that breaks off ends in an error event, after what had come', async () => {
    const gateway = await served([{ text: 'one two three', fault: { kind: 'connection-death', afterChunks: 4 } }])
    const text = await (await post(gateway, dialect, { stream: true })).text()
    expect(text).toContain('one')
    const last = text.trim().split('\n\n').at(-1)!
    expect(errorIn(last.slice(last.indexOf('{'))).message).toContain('broke')
    expect(last.startsWith('event: error')).toBe(dialect.name === 'anthropic-messages')
  })

  it('a stream that breaks off ends so where the tool is off, too', async () => {
    const script: ScriptEntry[] = [{ text: 'one two three', fault: { kind: 'connection-death', afterChunks: 4 } }]
    const gateway = await served(script, { rehydrate: false })
    const text = await (await post(gateway, dialect, { stream: true })).text()
    expect(text).toContain('one')
    expect(text.trim().split('\n\n').at(-1)).toContain('"error"')
  })

  it.each([true, false])(
    'an error event of the provider is passed on, once, and is in the receipt (%s)',
    async (rehydrate) => {
      const fault: Fault = { kind: 'stream-error', afterChunks: 4, message: 'tired' }
      const gateway = await served([{ text: 'one two three', fault }], { rehydrate })
      const text = await (await post(gateway, dialect, { stream: true })).text()
      expect(text.match(/"error":/g)).toHaveLength(1)
      expect(text).toContain('tired')
      await expect.poll(() => failureOf(gateway)).toBe('upstream-refused')
    },
  )

  it('a connection that dies before the reply is a 502 in the dialect', async () => {
    const gateway = await served([{ fault: { kind: 'connection-death' } }])
    const response = await post(gateway, dialect)
    expect(response.status).toBe(502)
    expect(errorIn(await response.text()).message).toContain('broke')
  })

  it('how a request failed is in its receipt', async () => {
    const gateway = await served([{ fault: { kind: 'connection-death' } }, { fault: { kind: 'error', status: 429 } }])
    await post(gateway, dialect)
    await post(gateway, dialect)
    const results = async () =>
      (await gateway.store.read('receipts').list('default', { limit: 9 })).map(({ result }) => result)
    await expect.poll(results).toMatchObject([{ status: 429 }, { status: 502, failure: 'upstream-broken' }])
  })

  it('what the provider refused does not count as sent', async () => {
    const gateway = await served(['one', { fault: { kind: 'error', status: 529 } }, 'two'])
    const turns: (number | undefined)[] = []
    for (const status of [200, 529, 200]) {
      const response = await post(gateway, dialect)
      await response.text()
      expect(response.status).toBe(status)
      await expect
        .poll(async () => (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]?.result?.status)
        .toBe(status)
      const [newest] = await gateway.store.read('receipts').list('default', { limit: 1 })
      turns.push((await gateway.store.read('receipts').get('default', newest!.requestId))?.input?.ledger?.turns)
    }
    expect(turns).toEqual([undefined, 1, 1])
  })

  it('the query of a route is passed on', async () => {
    const gateway = await served(['fine'])
    await post(gateway, { ...dialect, path: `${dialect.path}?beta=true` })
    expect(gateway.provider.requests[0]?.path).toBe(`${dialect.path}?beta=true`)
  })

  it('a provider that is not there is a 502 in the dialect', async () => {
    const upstreams = { openai: { baseUrl: 'http://127.0.0.1:9/v1' }, anthropic: { baseUrl: 'http://127.0.0.1:9' } }
    const gateway = await served([], { upstreams })
    const response = await post(gateway, dialect)
    expect(response.status).toBe(502)
    expect(errorIn(await response.text()).message).toMatch(
      /The provider (?:openai|anthropic|google) at 127\.0\.0\.1:9 cannot be reached/,
    )
  })

  it('time limits have their phases: first byte and total before the reply are a 504', async () => {
    for (const timeouts of [{ firstByteMs: 30 }, { totalMs: 30 }]) {
      const gateway = await served([{ fault: { kind: 'hang' } }], { timeouts })
      const response = await post(gateway, dialect)
      expect(response.status).toBe(504)
      expect(errorIn(await response.text()).message).toContain('within 30 ms')
      await expect.poll(() => gateway.provider.requests[0]?.state).toBe('aborted')
    }
  })

  it('time limits have their phases: silence and total within a stream end it in an error event', async () => {
    for (const timeouts of [{ idleMs: 40 }, { totalMs: 1500 }]) {
      const gateway = await served([{ text: 'one two three', fault: { kind: 'hang', afterChunks: 4 } }], { timeouts })
      const text = await (await post(gateway, dialect, { stream: true })).text()
      expect(text).toContain('one')
      expect(text.trim().split('\n\n').at(-1)).toMatch(/"error".*did not/)
      await expect.poll(() => gateway.provider.requests[0]?.state).toBe('aborted')
    }
  })

  it('a request that brings our answers and is refused ends the stream in an error event', async () => {
    const call = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } } as const
    const gateway = await served([
      { parts: [{ type: 'text', text: 'First ' }, call] },
      { fault: { kind: 'error', status: 429, message: 'slow down' } },
    ])
    const text = await (await post(gateway, dialect, { stream: true })).text()
    expect(text).toContain('First')
    expect(text.trim().split('\n\n').at(-1)).toMatch(/"error".*slow down/)
  })

  it('a request that brings our answers and is refused gives its refusal where nothing was sent yet', async () => {
    const call = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } } as const
    const gateway = await served([
      { parts: [call] },
      { fault: { kind: 'error', status: 429, message: 'slow down', retryAfterSeconds: 3 } },
    ])
    const response = await post(gateway, dialect)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('3')
    expect(errorIn(await response.text()).message).toBe('slow down')
  })
})

it("the configured key goes to the provider, the client's never does", async () => {
  for (const dialect of [openaiFixture, anthropicFixture]) {
    const gateway = await served(['fine'])
    await (await post(gateway, dialect)).text()
    const { headers } = gateway.provider.requests[0]!
    expect(headers['x-api-key'] ?? headers['authorization']).toMatch(/^(Bearer )?configured$/)
    expect(Object.values(headers)).not.toContain('key')
    expect(Object.values(headers)).not.toContain('Bearer key')
  }
})
