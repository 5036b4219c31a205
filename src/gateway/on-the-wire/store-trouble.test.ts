import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import OpenAI from 'openai'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { setValue, sqliteStore, threadedSqliteStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { anHourMs, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-trouble-'))
const holderFile = fileURLToPath(new URL('../../stores/sqlite/lock-holder.child.ts', import.meta.url))
let stores: Store[] = []

afterEach(async () => {
  await closeTestGateways()
  await Promise.all(stores.map((store) => store.close()))
  stores = []
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Another process that holds the lock of a database until it is told to let go. */
async function lockHolder(path: string): Promise<() => Promise<void>> {
  const holder = spawn(process.execPath, [holderFile, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return async () => {
    holder.stdin.end()
    await once(holder, 'exit')
  }
}

const drivers: { name: string; open: (path: string) => Store | Promise<Store> }[] = [
  { name: 'sqliteStore', open: (path) => sqliteStore({ path }) },
  { name: 'threadedSqliteStore', open: (path) => threadedSqliteStore({ path }) },
]

let files = 0

const patient = { timeout: 20_000 }

async function gatewayOn(open: (path: string) => Store | Promise<Store>, script: () => object | string = () => 'done') {
  const path = join(folder, `${(files += 1)}.db`)
  const store = await open(path)
  stores.push(store)
  const gateway = await testGateway({ store, script: script as () => string })
  return { path, store, gateway }
}

const plain = openaiFixture.body(0, { tools: undefined })

/** Sends plain requests, each of a session of its own, at once. */
async function ask(gateway: TestGateway, names: readonly string[]): Promise<Response[]> {
  const responses = await Promise.all(
    names.map((name) => post(gateway, openaiFixture, plain, { 'x-session-id': name })),
  )
  for (const response of responses) expect(await response.text()).toContain('done')
  return responses
}

async function expectReceipt(gateway: TestGateway, response: Response): Promise<void> {
  const id = response.headers.get('x-prehend-pack-id')
  expect(response.headers.get('x-prehend-skipped')).toBeNull()
  expect((await fetch(`${gateway.url}/v1/packs/${id}`)).status).toBe(200)
}

function expectNoReceipt(response: Response): void {
  expect(response.status).toBe(200)
  expect(response.headers.get('x-prehend-skipped')).toBe('store')
  expect(response.headers.get('x-prehend-pack-id')).toBeNull()
}

async function metricsOf(gateway: TestGateway): Promise<string> {
  return (await fetch(`${gateway.url}/metrics`)).text()
}

const names = Array.from({ length: 20 }, (_, index) => `s${index}`)

describe.each(drivers)('a store that another process has locked: $name', ({ open }) => {
  it('holds up nobody: requests go on without a receipt and say so, health answers, afterwards receipts are written', async () => {
    const { path, gateway } = await gatewayOn(open)
    const release = await lockHolder(path)
    // The lock is held until all of them are answered.
    const asking = ask(gateway, names)
    expect((await fetch(`${gateway.url}/health/liveness`)).status).toBe(200)
    for (const response of await asking) expectNoReceipt(response)
    for (const response of await ask(gateway, names)) expectNoReceipt(response)
    expect((await fetch(`${gateway.url}/health/readiness?strict=true`)).status).toBe(503)
    expect((await fetch(`${gateway.url}/health/readiness`)).status).toBe(200)
    expect(await metricsOf(gateway)).toContain('prehend_store_troubles_total{kind="busy"} 1')
    expect(gateway.log).toContainEqual(expect.objectContaining({ event: 'store-trouble', fields: { kind: 'busy' } }))
    await release()
    await expect
      .poll(async () => (await fetch(`${gateway.url}/health/readiness?strict=true`)).status, patient)
      .toBe(200)
    for (const response of await ask(gateway, names)) await expectReceipt(gateway, response)
  })

  it('a stream that is under way goes on', async () => {
    const { path, gateway } = await gatewayOn(open, () => ({ text: 'one two three', tokensPerSecond: 1 }))
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key' })
    const opening = client.chat.completions.create({
      ...(plain as object as OpenAI.ChatCompletionCreateParamsStreaming),
      stream: true,
    })
    await expect.poll(() => gateway.provider.requests.length).toBe(1)
    await gateway.clock.advance(1500)
    const words: string[] = []
    const reading = (async () => {
      for await (const chunk of await opening) words.push(chunk.choices[0]?.delta.content ?? '')
    })()
    await expect.poll(() => words.join('')).toContain('one')
    const release = await lockHolder(path)
    const asking = post(gateway, openaiFixture, plain)
    await expect.poll(() => gateway.provider.requests.length).toBe(2)
    await gateway.clock.advance(60_000)
    await reading
    expect(words.join('')).toBe('one two three')
    await (await asking).text()
    await release()
  })

  it('a request whose originals cannot be stored goes as it came', async () => {
    const { path, gateway } = await gatewayOn(open)
    await (await post(gateway, openaiFixture, openaiFixture.body(7))).text()
    await gateway.clock.advance(anHourMs)
    const release = await lockHolder(path)
    const body = JSON.stringify(openaiFixture.body(8))
    const response = await post(gateway, openaiFixture, body)
    expectNoReceipt(response)
    expect(gateway.provider.requests.at(-1)!.body).toBe(body)
    await release()
  })

  it('a gateway starts on it, and a document is compiled', async () => {
    const { path, gateway: before, store } = await gatewayOn(open)
    await before.close()
    const release = await lockHolder(path)
    const gateway = await testGateway({ store, script: () => 'done' })
    for (const response of await ask(gateway, ['s'])) expectNoReceipt(response)
    const compiled = await post(gateway, { ...openaiFixture, path: '/v1/compile' }, plain)
    expect(compiled.status).toBe(200)
    expect(compiled.headers.get('x-prehend-skipped')).toBe('store')
    await release()
  })
})

describe('the thread of a store', () => {
  it('is started again when it dies: what it was asked fails open and is told, and what it had acknowledged is there', async () => {
    const started: Worker[] = []
    const noted = (worker: Worker): void => {
      if (worker.threadName === 'prehend-store') started.push(worker)
    }
    process.on('worker', noted)
    const { gateway } = await gatewayOn((path) => threadedSqliteStore({ path }))
    const [first] = await ask(gateway, ['before'])
    await expectReceipt(gateway, first!)
    // Node may crash where a thread is ended within a call of its database: it has nothing to do any more.
    await new Promise((done) => setTimeout(done, 300))
    await started[0]?.terminate()
    for (const response of await ask(gateway, names)) expect(response.status).toBe(200)
    expect(await metricsOf(gateway)).toContain('prehend_store_troubles_total{kind="died"} 1')
    await expect
      .poll(async () => (await fetch(`${gateway.url}/health/readiness?strict=true`)).status, patient)
      .toBe(200)
    process.off('worker', noted)
    expect(started).toHaveLength(2)
    for (const response of await ask(gateway, names)) await expectReceipt(gateway, response)
    await expectReceipt(gateway, first!)
  })
})

describe.each(drivers)('a file that is deleted or replaced under a running gateway: $name', ({ open }) => {
  const readiness = async ({ url }: TestGateway): Promise<number> =>
    (await fetch(`${url}/health/readiness?strict=true`)).status

  /** Until the store is open again. */
  async function ready(gateway: TestGateway): Promise<void> {
    await expect.poll(() => readiness(gateway), { timeout: 10_000 }).toBe(200)
  }

  const troubles = ({ log }: TestGateway) =>
    log.filter(({ event }) => event === 'store-trouble').map(({ fields }) => fields['kind'])

  it('is noticed, told, and opened anew', patient, async () => {
    const { path, gateway } = await gatewayOn(open)
    await expectReceipt(gateway, (await ask(gateway, ['before']))[0]!)
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    expect(await readiness(gateway)).toBe(503)
    await ready(gateway)
    expect(troubles(gateway)).toEqual(['replaced'])
    expect(await metricsOf(gateway)).toContain('prehend_store_troubles_total{kind="replaced"} 1')
    await expectReceipt(gateway, (await ask(gateway, ['after']))[0]!)
    const other = sqliteStore({ path })
    stores.push(other)
    expect((await other.read('results').sessions('default', { limit: 9 })).map(({ session }) => session)).toHaveLength(
      1,
    )
  })

  it('is noticed by a request as well, which promises no receipt that is nowhere', patient, async () => {
    const { path, gateway } = await gatewayOn(open)
    await ask(gateway, ['before'])
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    const [response] = await ask(gateway, ['lost'])
    await ready(gateway)
    expect(troubles(gateway)).toEqual(['replaced'])
    if (response!.headers.get('x-prehend-skipped') === null) await expectReceipt(gateway, response!)
    else expect(response!.headers.get('x-prehend-pack-id')).toBeNull()
    await expectReceipt(gateway, (await ask(gateway, ['after']))[0]!)
  })

  it('a backup that is moved over it is used, without what the log beside it held', patient, async () => {
    const { path, gateway } = await gatewayOn(open)
    const backup = `${path}.backup`
    const made = sqliteStore({ path: backup })
    await setValue(made, 'of-the-backup', 'yes')
    await made.close()
    await ask(gateway, names)
    renameSync(backup, path)
    await ready(gateway)
    expect(await gateway.store.read('values').get('of-the-backup')).toBe('yes')
    await expectReceipt(gateway, (await ask(gateway, ['after']))[0]!)
    const db = new DatabaseSync(path)
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    db.close()
  })
})
