import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { openSession } from '../../sessions/index.ts'
import type { SimulatedRequest, ScriptEntry, SimulatedProvider } from '../../providers/index.ts'
import { anthropicFixture, handleIn, longResult, needleOf, openaiFixture, post } from './test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from './threads.fixture.ts'
import type { ThreadedGateway } from './threads.fixture.ts'

const servers: (() => Promise<void>)[] = []
afterEach(async () => {
  await closeThreadedGateways()
  for (const close of servers.splice(0)) await close()
})

async function listening(script: (request: SimulatedRequest, turn: number) => ScriptEntry) {
  const provider: SimulatedProvider = simulatedProvider({ script, strict: false })
  const server = await provider.listen()
  servers.push(() => server.close())
  return { provider, url: server.url }
}

async function plainServer(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A window that a few results fill, so that results are shortened. */
const smallWindow = {
  'gpt-5.1': { windowTokens: 60_000, maxOutputTokens: 1000 },
  'claude-sonnet-4-6': { windowTokens: 60_000, maxOutputTokens: 1000 },
}

/** The model asks for what it can no longer see, once. */
const asksBack = ({ body }: SimulatedRequest): ScriptEntry => {
  const handle = handleIn(body, 1)
  if (handle === undefined || body.includes('hidden-1')) return { text: 'done' }
  return { parts: [{ type: 'tool-call', id: 'hidden-1', name: 'rehydrate', arguments: { handle } }] }
}

describe.each([openaiFixture, anthropicFixture])('requests that threads carry: $name', (dialect) => {
  it.each([false, true])(
    'are sent and answered in the same bytes as on the serving thread (stream: %s)',
    async (stream) => {
      const runs = []
      for (const threads of [0, 1]) {
        const { provider, url } = await listening(asksBack)
        const gateway = await threadedGateway(url, { threads, models: smallWindow })
        if (threads === 1) await startedThread(gateway)
        const before = provider.requests.length
        const carried = gateway.carried()
        const answers: string[] = []
        for (let results = 1; results <= 14; results += 1) {
          const response = await post(gateway, dialect, dialect.body(results, { stream }))
          answers.push(`${response.status} ${response.headers.get('content-type')} ${await response.text()}`)
        }
        await expect.poll(() => gateway.carried() - carried).toBe(threads === 1 ? 14 : 0)
        runs.push({ sent: provider.requests.slice(before).map(({ body }) => body), answers })
        const answered = async (): Promise<number> => {
          const packs = await gateway.store.read('receipts').list('default', { limit: 100 })
          return packs.filter(({ result }) => result?.status === 200).length
        }
        await expect.poll(answered).toBe(14)
      }
      const [here, there] = runs
      expect(there?.sent).toEqual(here?.sent)
      expect(there?.sent.some((body) => body.includes('hidden-1') && body.includes(needleOf(1)))).toBe(true)
      expect(there?.answers.map(withoutNames)).toEqual(here?.answers.map(withoutNames))
    },
  )

  it('an error of ours has the same words, id and headers', async () => {
    const { url } = await listening(() => 'done')
    const gateway = await threadedGateway(url)
    await startedThread(gateway)
    const carried = gateway.carried()
    const response = await post(gateway, dialect, dialect.body(1, { prehend: { policy: 'none such' } }))
    expect(response.status).toBe(400)
    expect(response.headers.get('x-prehend-request-id')).toMatch(/^req_/)
    expect(await response.text()).toContain('is not a policy')
    await expect.poll(() => gateway.carried() - carried).toBe(1)
  })
})

/** Ids and times of day differ from run to run. */
function withoutNames(text: string): string {
  return text
    .replaceAll(/"(?:id|created|system_fingerprint)":("[^"]*"|\d+)/g, '""')
    .replaceAll(/(chatcmpl|msg|call|toolu)[-_]\w+/g, '$1')
}

describe('threads that carry requests', () => {
  const large = openaiFixture.body(3)

  it('hear that a client has left, and let the provider know', async () => {
    const asks = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const url = await plainServer((request, response) => {
      if (request.headers['x-wait'] === undefined) return void response.end('{}')
      response.on('close', () => left.resolve())
      asks.resolve()
    })
    const gateway = await threadedGateway(url)
    await startedThread(gateway)
    const abort = new AbortController()
    const asked = httpRequest(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-wait': 'yes' },
      signal: abort.signal,
    })
    asked.on('error', () => undefined).end(JSON.stringify(large))
    await asks.promise
    abort.abort()
    await expect(left.promise).resolves.toBeUndefined()
  })

  it('are started while others are busy, as many as there may be, and each keeps the sessions that it knows', async () => {
    const { url } = await listening(() => 'done')
    const gateway = await threadedGateway(url, { threads: 2 })
    await startedThread(gateway)
    const agents = ['ann', 'bert', 'chloe', 'dagmar', 'eleanor', 'fernando']
    const turn = async (agent: string, results: number): Promise<Worker | undefined> => {
      const { messages, ...body } = openaiFixture.body(results)
      const own = [{ role: 'system', content: `You work for ${agent}.` }, ...messages.slice(1)]
      const before = gateway.carried()
      await (await post(gateway, openaiFixture, { ...body, messages: own })).text()
      // That it is over is told after its last bytes.
      while (gateway.carried() === before || gateway.underway() > 0) await setImmediate()
      return gateway.carriers()[before]
    }
    // Who is known stays; whoever comes while the second is there goes to it, where the first has something to do.
    for (let round = 0; new Set(gateway.carriers()).size < 2; round += 1)
      await Promise.all(agents.map((agent) => turn(`${agent} of round ${round}`, 2)))
    for (const agent of agents) {
      const first = await turn(agent, 3)
      expect(first).toBeDefined()
      expect(await turn(agent, 4)).toBe(first)
      expect(await turn(agent, 5)).toBe(first)
    }
    await Promise.all(agents.map((agent) => turn(agent, 6)))
    expect(new Set(gateway.carriers()).size).toBe(2)
  })

  it('write no faster than a client reads', async () => {
    let written = 0
    const url = await plainServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' })
        const more = (): void => {
          while (written < 200_000_000) {
            written += 65_536
            if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
          }
          response.end()
        }
        if (request.headers['x-flood'] === undefined) response.end('{}')
        else more()
      })
    })
    const gateway = await threadedGateway(url, { limits: { replyBytes: 1024 } })
    await startedThread(gateway)
    const asked = httpRequest(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-flood': 'yes' },
    })
    asked.end(JSON.stringify({ ...large, prehend: { mode: 'off' } }))
    const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { destroy(): void }]
    let last = -1
    await expect
      .poll(
        () => {
          const isStill = written === last && written > 0
          last = written
          return isStill
        },
        { interval: 300, timeout: 10_000 },
      )
      .toBe(true)
    expect(written).toBeLessThan(40_000_000)
    response.destroy()
  })

  it('one that does not come back is ended: its request goes on as it came, others are packed', async () => {
    const bodies: string[] = []
    const url = await plainServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => void chunks.push(chunk))
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString())
        response.setHeader('content-type', 'application/json').end('{}')
      })
    })
    const bomb = { model: 'gpt-5.1', messages: [{ role: 'user', content: '\\n'.repeat(4_000_000) }] }
    // How long it takes depends on the machine; it is to take far longer than it may.
    const beganMs = performance.now()
    await openSession().pack(bomb)
    const packMs = Math.max(500, Math.round((performance.now() - beganMs) / 6))
    const gateway = await threadedGateway(url, { limits: { packMs } })
    await startedThread(gateway)
    const stuck = gateway.thread()
    const slow = post(gateway, openaiFixture, bomb)
    await new Promise((done) => setTimeout(done, 300))
    const other = await post(gateway, openaiFixture, large)
    expect([other.status, other.headers.get('x-prehend-pack-id')]).toEqual([200, expect.any(String)])
    const { status, headers } = await slow
    expect([status, headers.get('x-prehend-skipped')]).toEqual([200, 'compile'])
    expect(bodies).toContain(JSON.stringify(bomb))
    expect(gateway.log).toContainEqual({ event: 'thread-ended', fields: { why: 'stuck' } })
    await startedThread(gateway)
    expect(gateway.thread()).not.toBe(stuck)
  })

  it('one that dies midway costs its requests an error that says so, and the next ones nothing', async () => {
    const { provider, url } = await listening(() => ({ text: 'one two three', tokensPerSecond: 1 }))
    const gateway = await threadedGateway(url)
    await startedThread(gateway)
    const asked = provider.requests.length
    const stream = await post(gateway, openaiFixture, openaiFixture.body(1, { stream: true }))
    const waiting = post(gateway, anthropicFixture, anthropicFixture.body(1))
    await expect.poll(() => provider.requests.length).toBeGreaterThan(asked + 1)
    await gateway.thread()?.terminate()
    expect(await stream.text()).toMatch(/data: \{"error":.*has ended.*\}\n\n$/s)
    const refused = await waiting
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('has ended') },
    })
    await expect.poll(() => gateway.log.map(({ event }) => event)).toContain('thread-ended')
  })

  it('are ended that have had nothing to do for long, and another goes on with their sessions in the same bytes', async () => {
    const runs = []
    for (const threadIdleMs of [60_000, 500]) {
      const { provider, url } = await listening(() => 'done')
      const given = { models: smallWindow, promptCache: { keepalive: false }, limits: { threadIdleMs } }
      const gateway = await threadedGateway(url, given)
      await startedThread(gateway)
      const first = gateway.thread()!
      for (let results = 1; results <= 12; results += 1) {
        if (results === 9 && threadIdleMs === 500) {
          await expect.poll(() => first.threadId, { timeout: 5000 }).toBe(-1)
          await startedThread(gateway)
        }
        expect((await post(gateway, openaiFixture, openaiFixture.body(results))).status).toBe(200)
      }
      // The provider remembers the newest only: here those after the thread has ended.
      runs.push(provider.requests.slice(-4).map(({ body }) => body))
      expect(gateway.log.filter(({ event }) => event === 'thread-ended')).toEqual([])
      expect(gateway.thread() === first).toBe(threadIdleMs === 60_000)
    }
    const [stayed, ended] = runs
    expect(ended).toEqual(stayed)
    expect(stayed?.some((body) => handleIn(body, 1) !== undefined)).toBe(true)
  })

  it('stay while they may have a prompt read again', async () => {
    const { url } = await listening(() => 'done')
    const gateway = await threadedGateway(url, { limits: { threadIdleMs: 200 } })
    await startedThread(gateway)
    await new Promise((done) => setTimeout(done, 1000))
    expect(gateway.thread()?.threadId).toBeGreaterThan(0)
  })

  it('a gateway that stops ends their streams in an error event', async () => {
    const { url } = await listening(() => ({ text: 'one two three', tokensPerSecond: 1 }))
    const gateway = await threadedGateway(url)
    await startedThread(gateway)
    const stream = await post(gateway, anthropicFixture, anthropicFixture.body(1, { stream: true }))
    const rest = stream.text()
    await gateway.close(10)
    expect(await rest).toMatch(/event: error\ndata: .*stopping.*\n\n$/)
  })
})

describe('a gateway that has too much to do', () => {
  it('refuses with 503 and retry-after, and takes the same request when there is room again', async () => {
    const { url } = await listening(() => 'done')
    const gateway = await threadedGateway(url, { limits: { waitingBytes: 1_000_000 } })
    const body = JSON.stringify(openaiFixture.body(2))
    const half = await halfSent(gateway, 999_000)
    const refused = await post(gateway, openaiFixture, body)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ error: { code: 'unavailable' } })
    half.destroy()
    await expect.poll(async () => (await post(gateway, openaiFixture, body)).status).toBe(200)
  })
})

/** A request of which so many bytes have come, and the rest has not. */
async function halfSent({ url }: ThreadedGateway, bytes: number): Promise<{ destroy(): void }> {
  const headers = { 'content-type': 'application/json', 'content-length': String(2 * bytes) }
  const asked = httpRequest(`${url}/v1/chat/completions`, { method: 'POST', headers }).on('error', () => undefined)
  await new Promise<void>((done) => void asked.write(Buffer.alloc(bytes, ' '), () => done()))
  await new Promise((done) => setTimeout(done, 200))
  return asked
}

it('C-010: what threads have had a provider keep is removed when the gateway stops', async () => {
  const provider = simulatedProvider({ script: () => 'It does.', missRate: 1 })
  const server = await provider.listen()
  servers.push(() => server.close())
  const upstreams = {
    openai: { baseUrl: `${server.url}/v1`, apiKey: 'key' },
    google: { baseUrl: server.url, apiKey: 'key' },
  }
  const gateway = await threadedGateway(server.url, { upstreams, promptCache: { cachedContents: true } })
  await startedThread(gateway)
  const before = gateway.carried()
  const contents: unknown[] = [{ role: 'user', parts: [{ text: longResult(1, 900) }] }]
  for (let turn = 0; turn < 12 && provider.cachedContents.length === 0; turn += 1) {
    contents.push({ role: 'model', parts: [{ text: 'It does.' }] }, { role: 'user', parts: [{ text: `${turn}?` }] })
    const response = await fetch(`${gateway.url}/v1beta/models/gemini-3.5-flash:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key', 'x-session-id': 's' },
      body: JSON.stringify({ contents }),
    })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
  expect(gateway.carried() - before).toBeGreaterThan(3)
  expect(provider.cachedContents).toHaveLength(1)
  const told = async (): Promise<unknown> => {
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    return receipt?.result?.layers?.find(({ name }) => name === 'cached-contents')
  }
  await expect.poll(told).toMatchObject({ outcome: 'changed', facts: { events: ['made', 'read'] } })
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  expect(metrics).toContain('prehend_cached_contents_total{event="made"} 1')
  await gateway.close()
  expect(provider.cachedContents[0]!.deletedMs).toBeDefined()
  expect(gateway.log).toContainEqual({ event: 'cached-contents-removed', fields: { contents: 1 } })
})
