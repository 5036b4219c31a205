import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
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
      const limits = { underwayBytes: 2.5 * body.length }
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
