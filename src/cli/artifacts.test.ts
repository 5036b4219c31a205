import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { sqliteStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-artifacts-'))
let store: Store
let gateway: Gateway

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 120, environment: { USER: 'alice' } })
  return { code: await runCli(['artifacts', ...argv], io), ...io.written }
}

beforeAll(async () => {
  store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
  const scopes = ['inference', 'read', 'admin'] as const
  const tokens = [{ token: 'token-of-the-default', tenant: 'default', name: 'boss', scopes: [...scopes] }]
  gateway = await openGateway(parseConfig({ port: 0, tokens }), { store })
  writeFileSync(join(folder, 'report.md'), '# Report é\n')
  writeFileSync(join(folder, 'picture.png'), Uint8Array.of(0x89, 0x50, 0, 255))
})

afterAll(async () => {
  await gateway.close(0)
  await store.close()
  rmSync(folder, { recursive: true })
})

describe.each(['store', 'gateway'])('prehend artifacts, by the %s', (where) => {
  const place = (): readonly string[] =>
    where === 'store' ? ['--data', folder] : ['--url', gateway.url, '--token', 'token-of-the-default']
  const other = (): readonly string[] =>
    where === 'gateway' ? ['--data', folder] : ['--url', gateway.url, '--token', 'token-of-the-default']
  const task = `tasks/${where}/step-1`

  it('stores what the other way reads, version by version', async () => {
    const file = join(folder, 'report.md')
    const stored = await run('put', `artifact://${task}/report.md`, file, ...place())
    expect(stored).toMatchObject({ code: 0, out: `artifact://${task}/report.md version 1, 12 bytes\n` })
    writeFileSync(join(folder, 'second.md'), 'second')
    const second = JSON.parse(
      (await run('put', `${task}/report.md`, join(folder, 'second.md'), '--json', ...place())).out,
    )
    expect(second).toMatchObject({ version: 2, mediaType: 'text/markdown', class: 'evidence' })
    expect((await run('get', `${task}/report.md`, ...other())).out).toBe('second')
    expect((await run('get', `artifact://sha256/${second.sha256}`, ...other())).out).toBe('second')
    const first = await run('get', `${task}/report.md`, '--version', '1', '--json', ...place())
    expect(JSON.parse(first.out)).toMatchObject({ version: 1, sizeBytes: 12, mediaType: 'text/markdown' })
    expect((await run('put', `${task}/report.md`, file, '--new', ...place())).err).toContain('already')
  })

  it('gives back bytes that are no text to a file alone', async () => {
    const picture = join(folder, 'picture.png')
    await run('put', `${task}/picture.png`, picture, '--class', 'raw', ...place())
    expect(await run('get', `${task}/picture.png`, ...place())).toMatchObject({
      code: 2,
      err: expect.stringContaining('--out'),
    })
    const out = join(folder, `${where}.png`)
    expect((await run('get', `${task}/picture.png`, '--out', out, ...place())).code).toBe(0)
    expect(readFileSync(out)).toEqual(readFileSync(picture))
  })

  it('lists, holds and removes', async () => {
    const { artifacts } = JSON.parse((await run('list', task, '--versions', '--json', ...place())).out)
    expect(artifacts.map((one: { version: number }) => one.version)).toEqual([1, 2, 1])
    expect((await run('list', `artifact://${task}/p`, ...place())).out).toContain('image/png')
    expect((await run('hold', `${task}/report.md`, ...place())).out).toBe('2 versions on hold\n')
    expect(await run('delete', `${task}/report.md`, '--version', '1', ...place())).toMatchObject({
      code: 7,
      err: expect.stringContaining('on hold'),
    })
    expect((await run('hold', `${task}/report.md`, '--off', ...place())).out).toBe('2 versions released\n')
    expect((await run('delete', `${task}/report.md`, ...place())).out).toBe('2 versions removed\n')
    expect(await run('get', `${task}/report.md`, ...place())).toMatchObject({
      code: 4,
      err: expect.stringContaining('There is no artifact'),
    })
  })
})

it.each([
  ['ACTION', 'make'],
  ['URI', 'get'],
  ['FILE', 'put', 'tasks/1/step-1/a'],
  ['FILE', 'get', 'tasks/1/step-1/a', 'b'],
  ['uri', 'get', 'tasks/../step-1/a'],
  ['--tenant', 'list', '--tenant', 'acme', '--url', 'http://127.0.0.1:1'],
])('names %s where it is wrong', async (name, ...argv) => {
  const place = argv.includes('--url') ? [] : ['--data', folder]
  expect(await run(...argv, ...place)).toMatchObject({ code: 2, err: expect.stringContaining(`${name}: `) })
})
