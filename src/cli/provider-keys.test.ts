import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { simulatedProvider } from '../providers/index.ts'
import { sqliteStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-provider-keys-'))
const secret = 'the-secret-of-this-installation-0123456789'
const secretFile = join(folder, 'secret')
const provider = simulatedProvider({ script: () => 'done', strict: false })
let store: Store
let gateway: Gateway
let server: Awaited<ReturnType<typeof provider.listen>>

beforeAll(async () => {
  writeFileSync(secretFile, `${secret}\n`)
  store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
  server = await provider.listen()
  const tokens = [
    { token: 'token-of-operations', tenant: 'house', name: 'ops', scopes: ['operator' as const] },
    { token: 'token-of-acme', tenant: 'acme' },
  ]
  const upstreams = { openai: { baseUrl: `${server.url}/v1`, apiKey: 'of-the-installation' } }
  gateway = await openGateway(parseConfig({ port: 0, tokens, upstreams, providerKeys: { secret } }), { store })
})
afterAll(async () => {
  await gateway.close(0)
  await server.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

interface Given {
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

async function run(argv: readonly string[], { input = '', environment }: Given = {}) {
  const io = fakeIo({
    columns: 100,
    input,
    environment: environment ?? { USER: 'alice', PREHEND_PROVIDER_KEYS_SECRET_FILE: secretFile },
  })
  return { code: await runCli([...argv], io), ...io.written }
}

async function keyOfRequest(): Promise<string> {
  const headers = { 'content-type': 'application/json', 'authorization': 'Bearer token-of-acme' }
  const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
  await (await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
  return String(provider.requests.at(-1)?.headers['authorization']).replace('Bearer ', '')
}

describe.each(['store', 'gateway'])('prehend provider-keys, by the %s', (where) => {
  const place = (): readonly string[] =>
    where === 'store' ? ['--data', folder] : ['--url', gateway.url, '--token', 'token-of-operations']
  const key = `sk-of-the-${where}-0123456789-abcd`

  it('sets a key from standard input, shows its ends, and removes it', async () => {
    const set = await run(['provider-keys', 'set', 'openai', '--tenant', 'acme', ...place()], { input: `${key}\n` })
    expect(set).toMatchObject({ code: 0, out: 'The key of acme for openai is set: sk-o…abcd\n', err: '' })
    await expect.poll(keyOfRequest, { timeout: 9000, interval: 300 }).toBe(key)
    const listed = await run(['provider-keys', 'list', '--tenant', 'acme', ...place()])
    expect(listed.out).toMatch(/^upstream +tenant +key +set +state\nopenai +acme +sk-o…abcd/)
    const removed = await run(['provider-keys', 'remove', 'openai', '--tenant', 'acme', ...place(), '--json'])
    expect(JSON.parse(removed.out)).toMatchObject({ tenant: 'acme', upstream: 'openai', lastFour: 'abcd' })
    for (const { out } of [set, listed, removed]) expect(out).not.toContain(key.slice(4, -4))
    const again = await run(['provider-keys', 'remove', 'openai', '--tenant', 'acme', ...place()])
    expect([again.code, again.err]).toEqual([4, expect.stringContaining('acme has no key of its own for openai')])
  }, 12_000)
})

it('takes a key from a file, never as an argument, and says what is missing', async () => {
  const file = join(folder, 'key')
  writeFileSync(file, 'sk-from-a-file-0123456789\n')
  const place = ['--data', folder]
  expect(await run(['provider-keys', 'set', 'openai', '--from', file, ...place])).toMatchObject({ code: 0 })
  expect((await run(['provider-keys', 'set', 'openai', 'sk-on-the-command-line', ...place])).code).toBe(2)
  const empty = await run(['provider-keys', 'set', 'openai', ...place])
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('key: is empty')])
  const none = await run(['provider-keys', 'set', 'openai', ...place], { input: 'sk-0123', environment: {} })
  expect([none.code, none.err]).toEqual([6, expect.stringContaining('Set providerKeys.secret')])
  const config = join(folder, 'gateway.json')
  writeFileSync(config, JSON.stringify({ providerKeys: { secret } }))
  const unknown = await run(['provider-keys', 'set', 'mine', '--config', config, ...place], { input: 'sk-0123' })
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('names no mine')])
})

it('encrypts anew by another secret', async () => {
  const place = ['--data', folder]
  const config = join(folder, 'next.json')
  writeFileSync(config, JSON.stringify({ providerKeys: { previousSecrets: [secret] } }))
  const environment = { PREHEND_PROVIDER_KEYS_SECRET: 'another-secret-of-the-installation-012345' }
  const lost = await run(['provider-keys', 'rewrap', ...place], { environment })
  expect(lost.out).toContain(
    '0 keys were encrypted anew, 0 were current.\ndefault: the key for openai cannot be read\n',
  )
  const done = await run(['provider-keys', 'rewrap', '--config', config, ...place], { environment })
  expect(done.out).toBe('1 keys were encrypted anew, 0 were current.\n')
  const after = await run(['provider-keys', 'rewrap', ...place], { environment })
  expect(after.out).toBe('0 keys were encrypted anew, 1 were current.\n')
})
