import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { ScriptEntry } from '../../providers/index.ts'
import { memoryStore, sqliteStore } from '../../stores/index.ts'
import type { RecordedOutcome, Store } from '../../stores/index.ts'
import { withReads } from '../../testing/index.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import { anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-outcomes-'))
const stores: Store[] = []
afterEach(async () => {
  await closeTestGateways()
  await closeSocketGateways()
  for (const store of stores.splice(0)) await store.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const header = 'x-prehend-outcome'

async function turn(gateway: TestGateway, results: number, headers: Record<string, string> = {}): Promise<Response> {
  const session = { 'x-session-id': 'job', ...headers }
  const response = await post(gateway, anthropicFixture, anthropicFixture.body(results), session)
  await response.arrayBuffer()
  await gateway.clock.advance(1000)
  return response
}

const idOf = (response: Response): string => response.headers.get('x-prehend-request-id') ?? ''

async function record(
  { url }: Pick<TestGateway, 'url'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const response = await fetch(`${url}/v1/outcomes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, answer: await response.json() }
}

async function outcomes({ url }: Pick<TestGateway, 'url'>, query = '?session=job'): Promise<RecordedOutcome[]> {
  const { data } = (await (await fetch(`${url}/v1/outcomes${query}`)).json()) as { data: RecordedOutcome[] }
  return data
}

const drivers: { name: string; open: () => Store }[] = [
  { name: 'memory', open: memoryStore },
  { name: 'sqlite', open: () => sqliteStore({ path: join(folder, 'store.sqlite') }) },
]

describe.each(drivers)('outcomes, kept by $name', ({ open }) => {
  it('POST records them by request and session, GET lists them, and the receipt has them', async () => {
    const store = open()
    stores.push(store)
    const gateway = await testGateway({ store, script: () => 'done' })
    const requestId = idOf(await turn(gateway, 2))
    const other = idOf(await turn(gateway, 3))
    const passed = { session: 'job', requestId, source: 'test', quality: 0.8, note: '8 of 10' }
    const recorded = { ...passed, weight: 1, atMs: expect.any(Number) }
    expect(await record(gateway, passed)).toEqual({ status: 201, answer: recorded })
    expect(await record(gateway, passed)).toEqual({ status: 201, answer: recorded })
    const worse = { ...passed, quality: 0.3, note: 'flaky' }
    expect(await record(gateway, worse)).toMatchObject({ status: 409, answer: { error: {} } })
    expect(await record(gateway, { ...worse, replace: true })).toMatchObject({ status: 201, answer: worse })
    expect(await record(gateway, { session: 'job', quality: 1 })).toMatchObject({
      status: 201,
      answer: { source: 'person', quality: 1 },
    })
    await record(gateway, { session: 'job', requestId, quality: 0 })
    const whole = [undefined, 'person', 1]
    const told = ({ requestId: id, source, quality }: RecordedOutcome) => [id, source, quality]
    const all = (await outcomes(gateway)).map(told)
    expect(all).toHaveLength(3)
    expect(new Set(all)).toEqual(new Set([[requestId, 'test', 0.3], whole, [requestId, 'person', 0]]))
    expect(await outcomes(gateway, `?session=job&requestId=${requestId}`)).toHaveLength(2)
    expect(await outcomes(gateway, '?session=job&limit=1')).toHaveLength(1)
    const receipt = async (id: string) =>
      (await (await fetch(`${gateway.url}/v1/packs/${id}`)).json()) as { outcomes: RecordedOutcome[] }
    const own = [
      [requestId, 'person', 0],
      [requestId, 'test', 0.3],
    ]
    expect((await receipt(requestId)).outcomes.map(told)).toEqual([...own, whole])
    expect((await receipt(other)).outcomes.map(told)).toEqual([whole])
  })
})

it('what is no outcome, or of nothing that is known, is refused', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  const requestId = idOf(await turn(gateway, 2))
  await (await post(gateway, anthropicFixture, anthropicFixture.body(2), { 'x-session-id': 'other' })).text()
  const good = { session: 'job', requestId, quality: 1 }
  const refused = async (more: object): Promise<unknown> => (await record(gateway, { ...good, ...more })).status
  expect(await refused({ session: 'none' })).toBe(404)
  expect(await refused({ requestId: 'req_none' })).toBe(404)
  expect(await refused({ session: 'other' })).toBe(404)
  expect(await refused({ quality: 1.01 })).toBe(400)
  expect(await refused({ quality: -0.1 })).toBe(400)
  expect(await refused({ quality: '1' })).toBe(400)
  expect(await refused({ source: 'guess' })).toBe(400)
  expect(await refused({ note: 'x'.repeat(2001) })).toBe(400)
  expect(await refused({ turn: 1 })).toBe(400)
  expect(await outcomes(gateway)).toEqual([])
  const list = (query: string) => fetch(`${gateway.url}/v1/outcomes${query}`).then(({ status }) => status)
  expect([await list('?session=none'), await list('')]).toEqual([404, 400])
})

it('tenants record and see outcomes of their own sessions only', async () => {
  const tokens = ['a', 'b'].map((tenant) => ({ token: `token-of-${tenant}`, tenant }))
  const gateway = await testGateway({ config: { tokens }, script: () => 'done' })
  const as = (tenant: string) => ({ authorization: `Bearer token-of-${tenant}` })
  const requestId = idOf(await turn(gateway, 2, as('a')))
  expect((await record(gateway, { session: 'job', requestId, quality: 1 }, as('b'))).status).toBe(404)
  expect((await record(gateway, { session: 'job', requestId, quality: 1 }, as('a'))).status).toBe(201)
  const seen = (tenant: string) =>
    fetch(`${gateway.url}/v1/outcomes?session=job`, { headers: as(tenant) }).then(({ status }) => status)
  expect([await seen('a'), await seen('b')]).toEqual([200, 404])
  await turn(gateway, 2, as('b'))
  const ofB = await fetch(`${gateway.url}/v1/outcomes?session=job`, { headers: as('b') })
  expect(await ofB.json()).toMatchObject({ data: [] })
})

describe('the header x-prehend-outcome', () => {
  it('judges the request before it in the session, as a test', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const first = idOf(await turn(gateway, 2))
    const second = await turn(gateway, 3, { [header]: '0.8' })
    const third = await turn(gateway, 4, { [header]: ' 1 ' })
    expect(await outcomes(gateway)).toMatchObject([
      { requestId: first, source: 'test', quality: 0.8 },
      { requestId: idOf(second), source: 'test', quality: 1 },
    ])
    expect([second, third].map(({ headers }) => headers.get('x-prehend-skipped'))).toEqual([null, null])
  })

  it('judges the conversation that goes on, where others under its name have asked since', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const first = idOf(await turn(gateway, 2))
    const aside = { ...anthropicFixture.body(0), system: 'You name conversations.' }
    const other = await post(gateway, anthropicFixture, aside, { 'x-session-id': 'job' })
    await other.text()
    await gateway.clock.advance(1000)
    await turn(gateway, 3, { [header]: '0.8' })
    expect(idOf(other)).not.toBe(first)
    expect(await outcomes(gateway)).toMatchObject([{ requestId: first, quality: 0.8 }])
  })

  it('is checked in mode off, where no session is kept, and records nothing', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await turn(gateway, 2)
    const off = await turn(gateway, 3, { [header]: '0.8', 'x-prehend-mode': 'off' })
    expect([off.status, await outcomes(gateway)]).toEqual([200, []])
    expect((await turn(gateway, 3, { [header]: 'good', 'x-prehend-mode': 'off' })).status).toBe(400)
  })

  it('passes over a request that has failed, so that a retry may say it again', async () => {
    const fails: ScriptEntry = { fault: { kind: 'error', status: 400, message: 'not now' } }
    const gateway = await testGateway({ script: ['done', fails, 'done'] })
    const first = idOf(await turn(gateway, 2))
    expect((await turn(gateway, 3, { [header]: '0.4' })).status).toBe(400)
    await vi.waitFor(async () => {
      const [failed] = await gateway.store.read('receipts').list('default', { limit: 1 })
      expect(failed?.result?.status).toBe(400)
    })
    const again = await turn(gateway, 3, { [header]: '0.4' })
    expect([again.status, again.headers.get('x-prehend-skipped')]).toEqual([200, null])
    expect(await outcomes(gateway)).toMatchObject([{ requestId: first, quality: 0.4 }])
  })

  it('of a first request, and where the store cannot be read, is left out by name', async () => {
    const down = async (): Promise<never> => {
      throw new Error('down')
    }
    const gateway = await testGateway({
      script: () => 'done',
      store: withReads(memoryStore(), { outcomes: { list: down } }),
    })
    const first = await turn(gateway, 2, { [header]: '1' })
    const second = await turn(gateway, 3, { [header]: '1' })
    expect([first, second].map(({ status }) => status)).toEqual([200, 200])
    expect([first, second].map(({ headers }) => headers.get('x-prehend-skipped'))).toEqual(['outcome', 'outcome'])
  })

  it.each(['good', '1.5', '-1', '', '0x1', '1e-1', '0.8, 0.9'])('%j is a 400 that names it', async (value) => {
    const gateway = await testGateway({ script: () => 'done' })
    const session = { 'x-session-id': 'job', [header]: value }
    const response = await post(gateway, anthropicFixture, anthropicFixture.body(2), session)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(header)
  })

  it('never goes to a provider', async () => {
    const gateway = await socketGateway()
    const say = (text: string, more: Record<string, string> = {}) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-session-id': 'job', ...more },
        body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: text }] }),
      }).then((response) => response.text())
    await say('one')
    await say('two', { [header]: '0.8' })
    expect(gateway.arrived).toHaveLength(2)
    for (const { headers } of gateway.arrived) expect(headers).not.toHaveProperty(header)
  })
})
