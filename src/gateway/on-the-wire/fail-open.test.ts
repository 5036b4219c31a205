import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import type { Store, Unit } from '../../stores/index.ts'
import { withReads } from '../../testing/index.ts'
import { PrehendError } from '../../core/index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  handleIn,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const fails = async (): Promise<never> => {
  throw new PrehendError('store-failed', 'The disk is full.', { remedy: 'Make room.' })
}
/** A store whose disk is full once it is open: the secret of the installation is there. */
function fullStore(): Store {
  const plain = memoryStore()
  return { ...plain, commit: (unit) => (unit.scope.tenant === '' ? plain.commit(unit) : fails()) }
}
const hangs = (): Promise<never> => new Promise(() => undefined)

describe.each([openaiFixture, anthropicFixture])('a stage that fails is skipped: $name', (dialect) => {
  it.each([
    [
      'a store that cannot be read',
      withReads(memoryStore(), { sessions: { get: fails }, results: { sessions: fails } }),
      'session',
    ],
    [
      'a store that never answers',
      withReads(memoryStore(), { sessions: { get: hangs }, results: { sessions: hangs } }),
      'session',
    ],
  ])('%s', async (_, store, stage) => {
    const gateway = await testGateway({ store, config: { limits: { stageMs: 20 } }, script: () => 'done' })
    const body = JSON.stringify(dialect.body(8), undefined, 1)
    const response = await post(gateway, dialect, body)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-skipped')).toBe(stage)
    expect(gateway.provider.requests[0]!.body).toBe(body)
    expect(gateway.log.find(({ event }) => event === 'stage-skipped')?.fields).toMatchObject({ stage })
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toContain(`prehend_stages_skipped_total{stage="${stage}"} 1`)
  })

  it.each([
    ['cannot be written', fails],
    ['takes for ever to write', hangs],
  ])('no pointer without its original: a store that %s gets the request through in full', async (_, commit) => {
    const plain = memoryStore()
    const store: Store = {
      ...plain,
      commit: (work: Unit) => (work.writes.some(({ table }) => table === 'originals') ? commit() : plain.commit(work)),
    }
    const gateway = await testGateway({ store, config: { limits: { stageMs: 20 } }, script: () => 'done' })
    await (await post(gateway, dialect, dialect.body(7))).text()
    await gateway.clock.advance(anHourMs)
    const body = JSON.stringify(dialect.body(8))
    const response = await post(gateway, dialect, body)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-skipped')).toBe('store')
    expect(gateway.provider.requests.at(-1)!.body).toBe(body)
  })

  it('recovers when the store does (headroom#2360)', async () => {
    let broken = true
    const plain = memoryStore()
    const store = withReads(plain, {
      sessions: { get: (scope) => (broken ? fails() : plain.read('sessions').get(scope)) },
      results: { sessions: (tenant, query) => (broken ? fails() : plain.read('results').sessions(tenant, query)) },
    })
    const gateway = await testGateway({ store, script: () => 'done' })
    const skipped = await post(gateway, dialect, dialect.body(7))
    await skipped.text()
    expect(skipped.headers.get('x-prehend-skipped')).toBe('session')
    broken = false
    await gateway.clock.advance(anHourMs)
    const response = await post(gateway, dialect, dialect.body(8))
    expect(response.headers.has('x-prehend-skipped')).toBe(false)
    expect(handleIn(gateway.provider.requests.at(-1)!.body, 1)).toBeDefined()
  })

  it('a receipt that cannot be written does not stop a reply', async () => {
    const gateway = await testGateway({ store: fullStore(), script: () => 'done' })
    const { tools: _, ...body } = dialect.body(0)
    const response = await post(gateway, dialect, body)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('done')
    expect(gateway.log.filter(({ event }) => event === 'stage-skipped').length).toBeGreaterThan(0)
  })

  it('the log holds no word of the conversation and no key', async () => {
    const gateway = await testGateway({ store: fullStore(), script: () => 'a secret reply' })
    const response = await post(gateway, dialect, dialect.body(8), { authorization: 'Bearer hush-hush-key' })
    await response.text()
    await post(gateway, dialect, '{"broken secret')
    await post(gateway, dialect, dialect.body(1, { model: 'secret-model' }))
    const log = JSON.stringify(gateway.log)
    for (const word of ['secret', 'needle', 'module', 'You are an agent', 'hush']) expect(log).not.toContain(word)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    for (const word of ['secret', 'needle', 'hush']) expect(metrics).not.toContain(word)
  })
})
