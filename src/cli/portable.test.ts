import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sqliteStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'
import { ask, conversation, resultOf, simulatedGateway } from './simulated-gateway.fixture.ts'
import type { SimulatedGateway } from './simulated-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-portable-cli-'))
const at = (name: string): string => join(folder, name)
const opened: (SimulatedGateway & { readonly store: Store })[] = []

async function closeAll(): Promise<void> {
  for (const { gateway, store } of opened.splice(0)) {
    await gateway.close(0)
    await store.close()
  }
}
afterEach(closeAll)
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo()
  return { code: await runCli([...argv], io), ...io.written }
}

async function gatewayOn(data: string) {
  const store = sqliteStore({ path: at(join(data, 'prehend.sqlite')) })
  const one = { store, ...(await simulatedGateway(store)) }
  opened.push(one)
  return one
}

const anHourMs = 3_600_000

beforeAll(async () => {
  const one = await gatewayOn('source')
  for (const results of [7, 8, 9]) {
    await ask(one, conversation(results))
    if (results < 9) await one.clock.advance(anHourMs)
  }
  await closeAll()
})

describe('a store that was moved by a file', () => {
  it('goes on as the one that stayed: the next request has the same bytes, handles resolve, receipts verify', async () => {
    const file = at('moved.jsonl.gz')
    expect(await run('export', file, '--data', at('source'))).toMatchObject({ code: 0 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await run('import', file, '--data', at('copy'))).toMatchObject({ code: 0 })

    const [stayed, moved] = [await gatewayOn('source'), await gatewayOn('copy')]
    const statisticsOf = ({ store }: typeof moved) => store.read('results').statistics('default', {})
    expect(await statisticsOf(moved)).toEqual(await statisticsOf(stayed))
    for (const one of [stayed, moved]) await ask(one, conversation(10))
    const sent = [stayed, moved].map(({ provider }) => provider.requests.map(({ body }) => body))
    expect(sent[1]).toEqual(sent[0])
    const handle = /rehydrate\(\\*"([\w-]+)/.exec(String(sent[1]))?.[1] ?? ''
    expect(await moved.store.read('originals').get({ tenant: 'default' }, handle)).toMatchObject({
      text: resultOf(1),
    })

    const listed = await moved.store.read('receipts').list('default', { limit: 10 })
    expect(listed).toHaveLength(4)
    for (const { requestId } of listed)
      expect(await run('verify', requestId, '--data', at('copy'))).toMatchObject({ code: 0 })
  })

  it('is refused where data is there, and where the file is damaged; nothing of it is written', async () => {
    const file = at('whole.jsonl')
    await run('export', file, '--data', at('source'))
    await run('import', file, '--data', at('there'))
    expect(await run('import', file, '--data', at('there'))).toMatchObject({
      code: expect.not.stringMatching(/^0$/),
      err: expect.stringMatching(/already holds data of the tenant default.*empty store/),
    })
    const text = readFileSync(file, 'utf8')
    writeFileSync(at('cut.jsonl'), text.slice(0, -100))
    const cut = await run('import', at('cut.jsonl'), '--data', at('empty'))
    expect(cut).toMatchObject({ code: 2, err: expect.stringContaining('is not whole') })
    expect(await run('import', file, '--data', at('empty'))).toMatchObject({ code: 0 })
    await run('export', at('again.jsonl'), '--data', at('empty'))
    expect(readFileSync(at('again.jsonl'), 'utf8')).toBe(text)
  })

  it('says so where the file cannot be written or read, and leaves no other file', async () => {
    await run('export', at('one.jsonl.gz'), '--data', at('source'))
    const bytes = readFileSync(at('one.jsonl.gz'))
    expect(gunzipSync(bytes).toString()).toContain('"prehend.export/1"')
    writeFileSync(at('half.jsonl.gz'), bytes.subarray(0, bytes.length / 2))
    expect(await run('import', at('half.jsonl.gz'), '--data', at('none'))).toMatchObject({ code: 2 })
    expect(await run('import', at('missing.jsonl'), '--data', at('none'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be read'),
    })
    expect(await run('export', at('one.jsonl.gz'), '--data', at('source'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('already there'),
    })
    expect(await run('export', at('no/folder.jsonl'), '--data', at('source'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be written'),
    })
    expect(await run('export', at('other.jsonl'), '--data', at('source'), '--tenant', 'nobody')).toMatchObject({
      err: expect.stringContaining('nothing of the tenant nobody'),
    })
    expect(existsSync(at('other.jsonl.part'))).toBe(false)
    const { out } = await run('export', at('json.jsonl'), '--data', at('source'), '--json')
    expect(JSON.parse(out)).toMatchObject({ tenants: ['default'], rows: { handles: expect.any(Number) } })
  })
})
