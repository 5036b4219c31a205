import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { openSession } from '../../sessions/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import { longResult, openaiFixture, post } from '../on-the-wire/test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from '../on-the-wire/threads.fixture.ts'
import { talking } from './talk-dialect.fixture.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await closeThreadedGateways()
  for (const close of closers.splice(0).toReversed()) await close()
})

const folder = mkdtempSync(join(tmpdir(), 'prehend-extension-dialects-'))
afterAll(() => rmSync(folder, { recursive: true }))
const module = join(folder, 'talking.mjs')
writeFileSync(
  module,
  `export { talking as default } from '${new URL('talk-dialect.fixture.ts', import.meta.url).href}'`,
)

interface Asked {
  readonly path: string
  readonly key: string | undefined
  readonly body: string
}

/** A provider that speaks the dialect of the extension, on a socket. */
async function talker(): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    asked.push({ path: request.url ?? '', key: request.headers.authorization, body })
    const { stream = false } = JSON.parse(body) as { readonly stream?: boolean }
    response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
    if (!stream) return void response.end(JSON.stringify({ says: 'done', used: { in: 7, out: 2 } }))
    for (const event of [{ piece: 'do' }, { piece: 'ne' }, { over: { in: 7, out: 2 } }])
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end()
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => new Promise((done) => void server.close(() => done())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const conversation = (stream = false) => ({
  talk: [
    { who: 'user', says: 'Which of the modules has a fault?' },
    ...[1, 2, 3].flatMap((number) => [
      { who: 'model', says: `{"path":"module-${number}"}`, tool: 'read', call: `c${number}` },
      { who: 'tool', says: longResult(number), call: `c${number}` },
    ]),
    { who: 'user', says: 'Go on.' },
  ],
  stream,
})

const small = { small: { windowTokens: 9000 } } as const

async function talkTo(url: string, body: object): Promise<string> {
  const answer = await fetch(`${url}/talk/small`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.text()
}

describe('a dialect of an extension', () => {
  it('has its requests packed on the carrying thread and sent to an upstream that speaks it; replies come whole and as streams, and receipts prove them', async () => {
    const { url, asked } = await talker()
    const provider = simulatedProvider({ strict: false })
    const server = await provider.listen()
    closers.push(() => server.close())
    const gateway = await threadedGateway(server.url, {
      extensions: [module],
      record: 'content',
      models: small,
      upstreams: {
        openai: { baseUrl: `${server.url}/v1`, apiKey: 'key' },
        talker: { baseUrl: url, dialect: 'talk', apiKey: 'key', models: ['small'] },
      },
    })
    await startedThread(gateway)
    const before = gateway.carried()
    expect(JSON.parse(await talkTo(gateway.url, conversation()))).toEqual({ says: 'done', used: { in: 7, out: 2 } })
    const streamed = await talkTo(gateway.url, conversation(true))
    expect(streamed.match(/"piece":"\w+"/g)).toEqual(['"piece":"do"', '"piece":"ne"'])
    await expect.poll(() => gateway.carried()).toBe(before + 2)
    expect(asked.map(({ path, key }) => `${path} ${key}`)).toEqual(['/talk/small Bearer key', '/talk/small Bearer key'])
    const [first] = asked
    expect(first?.body.length).toBeLessThan(JSON.stringify(conversation()).length / 2)
    expect(first?.body).toContain('Which of the modules has a fault?')
    const packs = `${gateway.url}/v1/packs`
    await expect.poll(async () => JSON.stringify(await (await fetch(packs)).json())).toContain('"dialect":"talk"')
    const [{ requestId } = { requestId: '' }] = await gateway.store.read('receipts').list('default', { limit: 1 })
    const headers = { 'content-type': 'application/json' }
    const proof = await fetch(`${packs}/${requestId}/verify`, { method: 'POST', headers })
    expect(await proof.json()).toMatchObject({ verified: true, differences: [] })
    const receipt = await gateway.store.read('receipts').get('default', requestId)
    expect(receipt).toMatchObject({ dialect: 'talk', mode: 'on', result: { usage: { inputTokens: 7 } } })
  })

  it('is crossed from and to the built-in dialects, and has its own errors', async () => {
    const { url, asked } = await talker()
    const provider = simulatedProvider({ script: () => 'from afar', strict: false })
    const server = await provider.listen()
    closers.push(() => server.close())
    const config = parseConfig(
      {
        port: 0,
        models: small,
        upstreams: {
          talker: { baseUrl: url, dialect: 'talk', apiKey: 'key', models: ['gpt-5.1'] },
          openai: { baseUrl: `${server.url}/v1`, apiKey: 'key', models: ['small'] },
        },
        modelRoutes: { chosen: { cheap: { talk: 'small' }, dear: 'small' } },
      },
      { dialects: ['talk'] },
    )
    const gateway = await openGateway(config, { store: memoryStore(), extensions: [talking] })
    closers.push(() => gateway.close(0))
    const answer = await post(gateway, openaiFixture, openaiFixture.body(1))
    expect(answer.headers.get('x-prehend-crossed')).toBe('talk')
    expect(await answer.text()).toContain('done')
    expect(asked[0]?.path).toBe('/talk/gpt-5.1')
    expect(await talkTo(gateway.url, { talk: [{ who: 'user', says: 'Who is there?' }] })).toBe('{"says":"from afar"}')
    expect(provider.requests.at(-1)?.path).toBe('/v1/chat/completions')
    expect(await talkTo(gateway.url, { talk: [] })).toMatch(/^\{"no":".*empty array/)
  })

  it('has no simulated provider: a gateway without an upstream says so', async () => {
    const gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore(), extensions: [talking] })
    closers.push(() => gateway.close(0))
    expect(await talkTo(gateway.url, { talk: [{ who: 'user', says: 'Who is there?' }] })).toMatch(
      /^\{"no":"The provider talk is not configured here\. /,
    )
  })

  it('is spoken by a session in process', async () => {
    const session = openSession({ extensions: [talking], store: memoryStore() })
    closers.push(() => session.close())
    const packed = await session.pack({ ...conversation(), model: 'small' })
    expect(packed.request).toEqual({ ...conversation(), model: 'small' })
  })

  it('that nobody adds is refused where the configuration names it, at the latest when the gateway opens', async () => {
    const upstreams = { talker: { baseUrl: 'http://127.0.0.1:1', dialect: 'tlak' } }
    expect(() => parseConfig({ upstreams })).toThrow('upstreams.talker.dialect: is not one of openai-chat')
    const config = parseConfig({ port: 0, upstreams, extensions: [module] })
    await expect(openGateway(config, { store: memoryStore() })).rejects.toThrow(
      /^upstreams\.talker\.dialect: is not one of .*, talk\. Did you mean talk\?/,
    )
    const routes = { modelRoutes: { auto: { cheap: { talks: 'a' }, dear: 'b' } } }
    const tenants = { acme: routes }
    expect(() => parseConfig({ tenants })).toThrow('tenants.acme.modelRoutes.auto.cheap.talks')
  })

  it('may have no name and no route that is taken', async () => {
    const [codec] = talking.open().dialects
    const opening = (changes: object, name = 'other') =>
      openGateway(parseConfig({ port: 0 }), {
        store: memoryStore(),
        extensions: [
          talking,
          { name, specificationVersion: 1, open: () => ({ dialects: [{ ...codec, ...changes }] }) },
        ],
      })
    await expect(opening({})).rejects.toThrow(
      'extension other.dialects[0].dialect: is "talk", which is a dialect of extension talking. Give it another name.',
    )
    await expect(opening({ dialect: 'gemini' })).rejects.toThrow('"gemini", which is a dialect of Prehend')
    await expect(opening({ dialect: 'own', decode: 1 })).rejects.toThrow(
      'extension other.dialects[0]: is not a dialect',
    )
    const routes = [{ method: 'POST', path: '/v1/sessions/{id}', kind: 'messages' }]
    await expect(opening({ dialect: 'own', signs: { ...codec.signs, routes } })).rejects.toThrow(
      'extension other.dialects[0].signs.routes[0].path: is "/v1/sessions/{id}", which is a route of the gateway.',
    )
  })
})
