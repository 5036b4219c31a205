import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import type { Script, SimulatedProvider } from '../../providers/index.ts'
import { memoryBlobs } from '../../stores/index.ts'
import { openaiFixture, post } from '../on-the-wire/test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from '../on-the-wire/threads.fixture.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await closeThreadedGateways()
  for (const close of closers.splice(0)) await close()
})

const folder = mkdtempSync(join(tmpdir(), 'prehend-extension-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(name: string, code: string): string {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, code)
  return file
}

/** Counts each request, says on which thread it was, and answers a tool. */
const everything = written(
  'everything',
  `import { isMainThread } from 'node:worker_threads'
  export default {
    name: 'everything',
    specificationVersion: 1,
    config: { '~standard': { validate: (value) => typeof value.word === 'string' ? { value } : { issues: [{ message: 'is no text', path: ['word'] }] } } },
    open: ({ config, count, log, hot }) => {
      const thread = isMainThread ? 'serving' : 'carrying'
      return {
        layers: [{ name: 'counting', failure: 'open', appliesTo: ({ kind }) => kind === 'messages', handle: async (exchange, next) => {
          count('requests', { thread })
          log.info('seen', { word: config.word })
          const { left } = await hot.take('words', 1, { most: 100, ttlMs: 60_000 })
          log.info('left', { left })
          return next(exchange)
        } }],
        sources: [{ id: 'word', collect: async () => [{ id: 'word', section: 'evidence', kind: 'text', text: 'The word is ' + config.word }] }],
        tools: [{ definition: { name: 'tell_word', description: 'Tells the word.', schema: { type: 'object', properties: {} } }, answer: async () => ({ text: 'told: ' + config.word, found: true }) }],
        metrics: { requests: { help: 'Requests.', labels: ['thread'] } },
        routes: [{ method: 'post', path: '/words/{id}', answer: async () => ({ json: await hot.take('words', 1, { most: 100, ttlMs: 60_000 }) }) }],
        close: () => log.info('closed'),
      }
    },
  }
  `,
)

async function provided(script: Script): Promise<{
  readonly provider: SimulatedProvider
  readonly url: string
}> {
  const provider = simulatedProvider({ script, strict: false })
  const server = await provider.listen()
  closers.push(() => server.close())
  return { provider, url: server.url }
}

describe('an extension that the configuration names', () => {
  it('is open on the thread that carries: its layer, source and tool work there, what it counts is in the metrics, and both threads share what is hot', async () => {
    let asks = true
    const { provider, url } = await provided(() => {
      if (!asks) return 'done'
      asks = false
      return { toolCalls: [{ name: 'tell_word', arguments: {} }] }
    })
    const extensions = [{ module: everything, config: { word: 'plum' } }]
    asks = false
    const gateway = await threadedGateway(url, { extensions })
    await startedThread(gateway)
    asks = true
    const before = gateway.carried()
    expect(await (await post(gateway, openaiFixture, openaiFixture.body(2))).text()).toContain('done')
    await expect.poll(() => gateway.carried()).toBe(before + 1)
    const last = provider.requests.at(-1)?.body ?? ''
    expect(last).toContain('The word is plum')
    expect(last).toContain('told: plum')
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toMatch(/^prehend_extension_everything_requests_total\{thread="carrying"\} [1-9]/m)
    expect(gateway.log).toContainEqual({ event: 'seen', fields: { extension: 'everything', word: 'plum' } })
    const left = gateway.log.findLast(({ event }) => event === 'left')?.fields['left']
    const there = await fetch(`${gateway.url}/v1/extensions/everything/words/1`, { method: 'POST' })
    expect(await there.json()).toMatchObject({ taken: true, left: Number(left) - 1 })
    await gateway.close()
    expect(gateway.log.filter(({ event }) => event === 'closed')).toHaveLength(2)
  })
  it.each([
    ['in the folder beside the store', undefined],
    ['of the host, which another thread reaches by a port', memoryBlobs()],
  ])('keeps blobs on every thread, %s, for each tenant apart', async (_, blobs) => {
    const keeping = written(
      'keeping',
      `import { isMainThread } from 'node:worker_threads'
        export default { name: 'keeping', specificationVersion: 1, open: ({ blobs, log }) => ({
          layers: [{ name: 'keeping', failure: 'open', appliesTo: ({ kind }) => kind === 'messages', handle: async (exchange, next) => {
            const { hash } = await blobs.put('acme', new TextEncoder().encode('from ' + (isMainThread ? 'here' : 'there')))
            log.info('kept', { hash })
            return next(exchange)
          } }],
          routes: [{ method: 'get', path: '/blobs/{tenant}/{hash}', answer: async ({ params }) => {
            const bytes = await blobs.get(params)
            return { json: { text: bytes ? new TextDecoder().decode(bytes) : null } }
          } }],
        }) }`,
    )
    const { url } = await provided(() => 'done')
    const gateway = await threadedGateway(url, { extensions: [keeping] }, { ...(blobs && { blobs }) })
    await startedThread(gateway)
    await (await post(gateway, openaiFixture, openaiFixture.body(2))).text()
    await expect.poll(() => gateway.log.filter(({ event }) => event === 'kept').length).toBeGreaterThan(0)
    const hash = createHash('sha256').update('from there').digest('hex')
    expect(gateway.log).toContainEqual({ event: 'kept', fields: { extension: 'keeping', hash } })
    const read = async (tenant: string): Promise<unknown> => {
      const answer = await fetch(`${gateway.url}/v1/extensions/keeping/blobs/${tenant}/${hash}`)
      return ((await answer.json()) as { readonly text?: unknown }).text
    }
    expect(await read('acme')).toBe('from there')
    expect(await read('other')).toBeNull()
  })

  it('that opens on the serving thread alone leaves the gateway working, and the log says why no thread carries', async () => {
    const half = written(
      'half',
      `import { isMainThread } from 'node:worker_threads'
      export default { name: 'half', specificationVersion: 1, open() { if (!isMainThread) throw new Error('not on this thread'); return {} } }`,
    )
    const { url } = await provided(() => 'done')
    const gateway = await threadedGateway(url, { extensions: [half] })
    const answer = await post(gateway, openaiFixture, openaiFixture.body(2))
    expect(await answer.text()).toContain('done')
    await expect
      .poll(() => gateway.log.find(({ event }) => event === 'thread-not-ready')?.fields['reason'])
      .toMatch(/^extension half: cannot be opened: not on this thread\./)
    expect(gateway.carried()).toBe(0)
  })
})
