import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { ClientRequest, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { closeThreadedGateways, startedThread, threadedGateway } from './threads.fixture.ts'
import { anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'

const closers: (() => void)[] = []
afterEach(async () => {
  await closeThreadedGateways()
  for (const close of closers.splice(0)) close()
})

/** A provider that refuses everything, until it is silent: then it takes every request whole and answers none. */
async function provider() {
  const held: ServerResponse[] = []
  const state = { url: '', held, isSilent: false }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (state.isSilent) held.push(response)
      else response.writeHead(500).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return state
}

describe.each([openaiFixture, anthropicFixture])('finding 3, when a provider does not answer: $name', (dialect) => {
  it.each([
    ['the thread that serves', 'on', 0],
    ['a thread that carries', 'on', 1],
    ['the thread that serves, as they come', 'off', 0],
  ] as const)(
    'as many bodies are held as there is room for, and the others refused: on %s',
    async (_, mode, threads) => {
      const upstream = await provider()
      const body = JSON.stringify(dialect.body(2))
      // Room for two; the one that starts a thread comes alone.
      const limits = { underwayBytes: Math.ceil(2.5 * body.length) }
      const gateway = await threadedGateway(upstream.url, { mode, threads, limits })
      if (threads === 1) await startedThread(gateway)
      upstream.isSilent = true
      const send = async (path: string, signal?: AbortSignal): Promise<Response> =>
        fetch(gateway.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...dialect.headers },
          body,
          ...(signal && { signal }),
        })
      const ask = async (signal?: AbortSignal): Promise<Response> => send(dialect.path, signal)
      const leaving = new AbortController()
      const stays = ask()
      const leaves = ask(leaving.signal).catch(() => 'gone')
      await expect.poll(() => upstream.held.length).toBe(2)

      for (const path of [dialect.path, '/v1/compile']) {
        const refused = await send(path)
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
        expect(await refused.text()).toContain('limits.underwayBytes')
      }

      leaving.abort()
      expect(await leaves).toBe('gone')
      upstream.isSilent = false
      await expect.poll(async () => (await ask()).status).toBe(500)
      for (const response of upstream.held) response.writeHead(500).end()
      expect((await stays).status).toBe(500)
    },
  )
})

it.each(['/v1/compile', openaiFixture.path])(
  'what has been answered, or has left midway, takes up nothing: %s',
  async (path) => {
    const upstream = await provider()
    const body = JSON.stringify(openaiFixture.body(2))
    const gateway = await threadedGateway(upstream.url, {
      threads: 0,
      limits: { underwayBytes: Math.ceil(1.2 * body.length) },
    })
    const headers = { 'content-type': 'application/json', ...openaiFixture.headers }
    const status = async (): Promise<number> =>
      (await fetch(gateway.url + path, { method: 'POST', headers, body })).status
    const first = await status()
    expect(first).not.toBe(503)
    const sendHalf = (): ClientRequest => {
      const length = { 'content-length': body.length }
      const half = sendRequest(gateway.url + path, { method: 'POST', headers: { ...headers, ...length } })
      half.on('error', () => undefined).write(body.slice(0, body.length >> 1))
      return half
    }
    let half = sendHalf()
    // While half of one is held there is no room for another. Where that other comes first, the half is what is refused.
    await expect
      .poll(async () => {
        const other = await status()
        if (other !== 503) {
          half.destroy()
          half = sendHalf()
        }
        return other
      })
      .toBe(503)
    half.destroy()
    await expect.poll(async () => [await status(), await status()], { timeout: 10_000 }).toEqual([first, first])
  },
)
