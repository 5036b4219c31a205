import { afterEach, describe, expect, it } from 'vitest'
import { careful, guarded } from '../../compiler/index.ts'
import type { Policy } from '../../core/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Store, Unit } from '../../stores/index.ts'
import { withReads } from '../../testing/index.ts'
import type { GatewayConfigInput, Layer } from '../index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const broken = async (): Promise<never> => {
  throw new Error('The disk is full.')
}
const hangs = (): Promise<never> => new Promise(() => undefined)
const late: GatewayConfigInput['limits'] = { stageMs: 20 }

/** As a host could hand one in: no check of a configuration has seen it. */
function impossible(policy: Policy): Policy {
  return { ...policy, pressure: { ...policy.pressure, compress: 0.1 } }
}

function choosing(policy: Policy): Layer {
  return {
    name: 'choosing',
    failure: 'closed',
    takesUnread: true,
    handle: (exchange, next) => next({ ...exchange, settings: { ...exchange.settings, policy } }),
  }
}

const secret = 'a secret text of the user'

describe.each([openaiFixture, anthropicFixture])('P-065: a request that could not be searched: $name', (dialect) => {
  const body = dialect.body(2, { metadata: { note: secret } })

  it.each<[string, Store]>([
    [
      'a store that cannot be read',
      withReads(memoryStore(), { sessions: { get: broken }, results: { sessions: broken } }),
    ],
    [
      'a store that never answers',
      withReads(memoryStore(), { sessions: { get: hangs }, results: { sessions: hangs } }),
    ],
  ])('is refused under a policy that defends, and goes as it came under another: %s', async (_, store) => {
    for (const policy of ['guarded', 'careful']) {
      const gateway = await testGateway({ store, config: { policy, limits: late }, script: () => 'done' })
      const response = await post(gateway, dialect, body)
      const said = await response.text()
      const isRefused = policy === 'guarded'
      expect([policy, response.status]).toEqual([policy, isRefused ? 503 : 200])
      if (isRefused) expect(said).toContain('lets none pass unsearched')
      expect(gateway.provider.requests).toHaveLength(isRefused ? 0 : 1)
      await gateway.close()
    }
  })

  it('is refused where originals cannot be written within the deadline of a stage', async () => {
    const plain = memoryStore()
    const store: Store = {
      ...plain,
      commit: (work: Unit) => (work.writes.some(({ table }) => table === 'originals') ? hangs() : plain.commit(work)),
    }
    const policy = { extends: 'thrifty', id: 'house', version: '1.0.0', defense: { ...guarded.defense } }
    const gateway = await testGateway({ store, config: { policy, limits: late }, script: () => 'done' })
    const response = await post(gateway, dialect, dialect.body(8))
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('unsearched')])
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ stage: 'store' }) as object }),
    )
    expect(gateway.provider.requests).toHaveLength(0)
  })

  it('is refused where its compile fails; the log names field and remedy, and no word of the request', async () => {
    for (const [policy, status] of [
      [impossible(guarded), 503],
      [impossible(careful), 200],
    ] as const) {
      const gateway = await testGateway({ script: () => 'done', host: { layers: [choosing(policy)] } })
      const response = await post(gateway, dialect, body)
      const said = await response.text()
      expect(response.status).toBe(status)
      expect(gateway.provider.requests).toHaveLength(status === 200 ? 1 : 0)
      if (status === 503)
        expect(JSON.parse(said)).toMatchObject({ error: { message: expect.stringContaining('searched') as string } })
      const alarm = gateway.log.find(({ event }) => event === 'stage-skipped')
      expect(alarm).toMatchObject({
        level: 'error',
        fields: { stage: 'compile', field: 'policy.pressure', remedy: 'Let prepare, compress and evict rise.' },
      })
      expect(JSON.stringify(gateway.log)).not.toContain(secret)
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
      expect(metrics).toContain('prehend_stages_skipped_total{stage="compile"} 1')
      const health = (await (await fetch(`${gateway.url}/v1/health`)).json()) as {
        state: string
        checks: { name: string }[]
      }
      expect(health.state).toBe('warning')
      expect(health.checks.find(({ name }) => name === 'packing')).toEqual({
        name: 'packing',
        state: 'warning',
        about: 'The compile of 1 of 1 requests in the last two hours failed.',
        remedy: 'Look for stage-skipped in the log: it names the field and what to do.',
      })
      await gateway.close()
    }
  })

  it('is refused where nobody can read it, or it is too large to be packed', async () => {
    const zipped = { 'content-encoding': 'gzip' }
    for (const [policy, status] of [
      ['guarded', 400],
      ['careful', 200],
    ] as const) {
      const gateway = await testGateway({ config: { policy }, script: () => 'done' })
      const unread = await post(gateway, dialect, body, zipped)
      expect(gateway.provider.requests).toHaveLength(status === 200 ? 1 : 0)
      if (status === 400)
        expect([unread.status, await unread.text()]).toEqual([400, expect.stringContaining('uncompressed')])
      const huge = await post(gateway, dialect, { ...body, messages: [dialect.says('x '.repeat(5_100_000))] })
      const said = await huge.text()
      if (status === 200) expect(huge.headers.get('x-prehend-skipped')).toBe('too-large')
      else expect([huge.status, said]).toEqual([503, expect.stringContaining('unsearched')])
      await gateway.close()
    }
  })

  it('is refused where it does not fit and so has no pack', async () => {
    const models = { 'gpt-5.1': { windowTokens: 900 }, 'claude-sonnet-4-6': { windowTokens: 900 } }
    for (const policy of ['guarded', 'careful']) {
      const gateway = await testGateway({ config: { policy, models }, script: () => 'done' })
      const response = await post(gateway, dialect, { ...body, messages: [dialect.says('word '.repeat(3000))] })
      await response.text()
      if (policy === 'guarded') expect(response.status).toBe(400)
      expect([policy, gateway.provider.requests.length]).toEqual([policy, policy === 'guarded' ? 0 : 1])
      await gateway.close()
    }
  })
})

it('G-066: what a slot does not take is refused with the reason, and not with figures of another unit', async () => {
  const gateway = await testGateway({ config: { policy: 'gateway-128k' }, script: () => 'done' })
  const tools = Array.from({ length: 60 }, (_, index) => ({
    type: 'function',
    function: { name: `tool_${index}`, parameters: { type: 'object' } },
  }))
  const response = await post(gateway, openaiFixture, { ...openaiFixture.body(1), tools })
  const said = await response.text()
  expect(response.status).toBe(400)
  expect(said).toMatch(/Section tools must show 6\d items and may show 12\. Send less/)
  expect(said).not.toContain('the window has')
})
