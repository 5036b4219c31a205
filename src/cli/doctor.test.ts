import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyVault, openGateway, parseConfig, setProviderKey } from '../gateway/index.ts'
import { memoryStore, sqliteStore } from '../stores/index.ts'
import { doctorChecks } from './doctor-checks.ts'
import { storeId } from './store-place.ts'
import type { DoctorInput } from './doctor-checks.ts'

let data = ''
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'prehend-doctor-'))
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

async function check(name: string, changes: Partial<DoctorInput> = {}) {
  const checks = await doctorChecks({
    options: { data, port: 0 },
    environment: {},
    knownVariables: ['PREHEND_PORT'],
    nowMs: Date.parse('2026-12-01'),
    nodeVersion: 'v24.1.0',
    fetch: () => Promise.reject(new Error('no network in tests')),
    ...changes,
  })
  return checks.filter((one) => one.name === name)
}

describe('doctor', () => {
  it('finds nothing wrong with the defaults', async () => {
    for (const name of ['node', 'prices', 'config', 'store', 'port', 'openai', 'example']) {
      expect(await check(name)).toEqual([expect.objectContaining({ state: 'ok' })])
    }
  })

  it('tells a gateway of another store from one of its own', async () => {
    const other = join(data, 'other')
    for (const [folder, state, said] of [
      [data, 'ok', 'a prehend gateway with this store runs on'],
      [other, 'failed', 'is not yours: it has another store'],
    ] as const) {
      const place = { kind: 'file', path: join(folder, 'prehend.sqlite') } as const
      const gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore(), storeId: storeId(place) })
      try {
        const port = Number(new URL(gateway.url).port)
        const [found] = await check('port', { options: { data, port }, fetch })
        expect(found).toMatchObject({ state, detail: expect.stringContaining(said) })
      } finally {
        await gateway.close(0)
      }
    }
  })

  it('wants a recent Node', async () => {
    expect(await check('node', { nodeVersion: 'v22.9.0' })).toEqual([expect.objectContaining({ state: 'failed' })])
  })

  it('warns of old prices', async () => {
    const [prices] = await check('prices', { nowMs: Date.parse('2027-06-01') })
    expect(prices).toMatchObject({ state: 'warning', detail: expect.stringContaining('days old') })
  })

  it('warns of variables that nothing reads, and of no others', async () => {
    const found = await check('environment', { environment: { PREHEND_PROT: '1', PREHEND_PORT: '0', HOME: '/' } })
    expect(found).toEqual([expect.objectContaining({ state: 'warning', remedy: 'Did you mean PREHEND_PORT?' })])
  })

  it('says what is wrong with the configuration', async () => {
    const [config] = await check('config', { options: { data, token: ['short'] } })
    expect(config).toMatchObject({ state: 'failed', detail: expect.stringContaining('tokens[0].token') })
    const [open] = await check('config', { options: { data, port: 0, host: '0.0.0.0' } })
    expect(open).toMatchObject({ state: 'failed', detail: expect.stringContaining('no token is set') })
  })

  it('warns of tokens that can be guessed, and fails where such a gateway does not start', async () => {
    const token = ['change-me', 'web=short-token', 'ci=5f1d7c0a9b3e4f60']
    const found = await check('tokens', { options: { data, port: 0, token } })
    expect(found).toEqual([
      expect.objectContaining({ state: 'warning', detail: 'tokens[0].token is a placeholder of our files' }),
      expect.objectContaining({ state: 'warning', detail: 'tokens[1].token has fewer than 16 characters' }),
    ])
    const open = await check('tokens', { options: { data, port: 0, token, host: '0.0.0.0' } })
    expect(open.map(({ state }) => state)).toEqual(['failed', 'warning'])
  })

  it('warns where answers are simulated, and fails where such a gateway does not start', async () => {
    const [local] = await check('providers')
    expect(local).toMatchObject({ state: 'warning', detail: 'no key is set: the simulated provider answers' })
    const token = ['a-long-secret']
    const [open] = await check('providers', { options: { data, port: 0, host: '0.0.0.0', token } })
    expect(open).toMatchObject({ state: 'failed', detail: expect.stringContaining('only where --simulate asks') })
    const [asked] = await check('providers', { options: { data, port: 0, host: '0.0.0.0', token, simulate: true } })
    expect(asked).toMatchObject({ state: 'warning' })
    expect(await check('providers', { environment: { OPENAI_API_KEY: 'k' } })).toEqual([])
  })

  it('says whether a folder of blobs can be used, and leaves nothing in it', async () => {
    expect(await check('blobs')).toEqual([])
    const blobs = join(data, 'not', 'there')
    expect(await check('blobs', { options: { data, port: 0, blobs } })).toEqual([
      { name: 'blobs', state: 'ok', detail: `the folder ${blobs} answers: a blob was written, read and dropped` },
    ])
    const before = readdirSync(data)
    const [file] = await check('blobs', { options: { data, port: 0, blobs: join(data, 'file', 'below') } })
    expect(file).toMatchObject({ state: 'ok' })
    expect(readdirSync(data)).toEqual(before)
    writeFileSync(join(data, 'file'), '')
    const [below] = await check('blobs', { options: { data, port: 0, blobs: join(data, 'file') } })
    expect(below).toMatchObject({ state: 'failed', detail: expect.stringContaining('cannot be used: ENOTDIR') })
  })

  it('says whether keys of tenants can be decrypted, and shows no part of one', async () => {
    const own = join(data, 'keys')
    const store = sqliteStore({ path: join(own, 'prehend.sqlite') })
    const [secret, other] = ['a'.repeat(32), 'b'.repeat(32)]
    const set = (by: string, upstream: string) =>
      setProviderKey(
        {
          store,
          clock: () => 1,
          vault: keyVault({ secret: by, previousSecrets: [], commandMs: 1000, fallBack: false }),
        },
        { tenant: 'acme', upstream, key: `sk-very-hidden-${upstream}-0123` },
        { actor: 'test', from: 'test' },
      )
    await set(secret, 'openai')
    await set(other, 'anthropic')
    await store.close()
    const found = await check('keys', {
      options: { data: own, port: 0 },
      environment: { PREHEND_PROVIDER_KEYS_SECRET: secret },
    })
    expect(found).toEqual([
      { name: 'keys', state: 'ok', detail: '1 of 2 keys of tenants can be read' },
      {
        name: 'keys',
        state: 'failed',
        detail: expect.stringMatching(/^the key of acme for anthropic cannot be read: A key was encrypted by another/),
        remedy: expect.stringContaining('PREHEND_PROVIDER_KEYS_SECRET'),
      },
    ])
    expect(JSON.stringify(found)).not.toMatch(/hidden|0123|sk-v/)
    const without = await check('keys', { options: { data: own, port: 0 } })
    expect(without.map(({ state }) => state)).toEqual(['failed', 'failed'])
    const config = join(data, 'falls-back.json')
    writeFileSync(config, JSON.stringify({ providerKeys: { secret, fallBack: true } }))
    const fallingBack = await check('keys', { options: { data: own, port: 0, config } })
    expect(fallingBack.map(({ state }) => state)).toEqual(['ok', 'warning'])
    expect(await check('keys')).toEqual([])
  })

  it('has each source of tools answer, and names those that fail with their error', async () => {
    const config = join(data, 'tools.json')
    const list = join(data, 'list.json')
    const document = join(data, 'openapi.json')
    writeFileSync(list, JSON.stringify({ tools: [{ name: 'one', description: 'One.', inputSchema: {} }] }))
    writeFileSync(document, JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:9' }], paths: {} }))
    const server = join(import.meta.dirname, '../gateway/on-the-wire/odd-mcp-server.child.ts')
    const sources = {
      listed: { file: list },
      gone: { file: join(data, 'gone.json') },
      api: { openapi: document },
      far: { openapi: 'https://user:hidden@api.test/openapi.json?key=hidden' },
      program: { command: process.execPath, args: [server] },
      unknown: { command: join(data, 'no-such-program') },
    }
    writeFileSync(config, JSON.stringify({ tools: { sources, connectMs: 20_000 } }))
    const found = await check('tools', {
      options: { data, port: 0, config },
      fetch: () => Promise.resolve(new Response('<p>hidden', { status: 200 })),
    })
    expect(found.map(({ state, detail }) => `${state}: ${detail.replaceAll(data, 'DATA')}`)).toEqual([
      'ok: listed (file) answers; tools: 1',
      expect.stringMatching(/^failed: gone \(file\) fails: ENOENT/),
      'ok: api (OpenAPI document) answers; tools: 0',
      'failed: far (OpenAPI document) fails: https://api.test/openapi.json is neither JSON nor YAML',
      expect.stringMatching(/^ok: program \(MCP server \(command\)\) answers; tools: \d+$/),
      expect.stringMatching(/^failed: unknown \(MCP server \(command\)\) fails: .*ENOENT/),
    ])
    expect(found.every(({ state, remedy }) => state === 'ok' || remedy !== undefined)).toBe(true)
    expect(JSON.stringify(found)).not.toContain('hidden')
  })

  it('has the embedder make a vector, and never shows what it says where it makes none', async () => {
    const config = join(data, 'embeddings.json')
    const server = createServer((request, response) => {
      const isKnown = request.headers.authorization === 'Bearer sk-very-secret'
      response.writeHead(isKnown ? 200 : 401).end('{"data":[{"index":0,"embedding":[0.5,0.5,0.5]}],"hidden":1}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const found = async (apiKey: string) => {
      const upstreams = { local: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey } }
      writeFileSync(config, JSON.stringify({ upstreams, embeddings: { upstream: 'local', model: 'tiny' } }))
      return check('embeddings', { options: { data, port: 0, config } })
    }
    expect(await found('sk-very-secret')).toEqual([
      expect.objectContaining({ state: 'ok', detail: 'local/tiny makes vectors of 3 numbers' }),
    ])
    const refused = await found('sk-other-secret')
    expect(refused).toEqual([expect.objectContaining({ state: 'failed', detail: expect.stringContaining('401') })])
    expect(JSON.stringify(refused)).not.toMatch(/secret|hidden/)
    expect(await check('embeddings')).toEqual([])
    server.close()
  })

  it('says when a provider does not answer, and never shows a key', async () => {
    const environment = { OPENAI_API_KEY: 'sk-very-secret' }
    const checks = await check('openai', { environment })
    expect(checks).toEqual([expect.objectContaining({ state: 'failed' })])
    expect(JSON.stringify(checks)).not.toContain('secret')
    const answering = await check('openai', {
      environment,
      fetch: () => Promise.resolve(new Response('no', { status: 401 })),
    })
    expect(answering).toEqual([expect.objectContaining({ state: 'ok' })])
  })
})
