import { afterEach, describe, expect, it } from 'vitest'
import { qualityMeasures } from '../../core/index.ts'
import type { Manifest, QualityPolicy } from '../../core/index.ts'
import { receiptsOf } from './proven.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const policy = (quality: QualityPolicy) => ({ extends: 'careful', id: 'own', version: '1.0.0', quality })
/** Most of an agent's request is output of tools, which nothing isolates. */
const surface = { gates: { surface: {} } } as const

const metricsOf = async ({ url }: TestGateway) => (await fetch(`${url}/metrics`)).text()
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe('P-085: measures of every request', () => {
  it('stand in receipts and in the metrics where a setting asks for them', async () => {
    const config = { settings: { measure_quality: true } }
    const gateway = await testGateway({ config, script: () => 'done' })
    const reply = await post(gateway, openaiFixture, openaiFixture.body(3))
    await reply.text()
    const found = await fetch(`${gateway.url}/v1/packs/${reply.headers.get('x-prehend-pack-id')}`)
    const { quality } = ((await found.json()) as { manifest: Manifest }).manifest
    const measured = qualityMeasures.filter((measure) => measure !== 'provenance')
    expect(Object.keys(quality?.measures ?? {})).toEqual(measured)
    const metrics = await metricsOf(gateway)
    for (const measure of measured) expect(metrics).toContain(`prehend_quality_${snake(measure)}_count 1`)
    expect(metrics).toContain('prehend_quality_provenance_count 0')
  })

  it('are looked for nowhere else', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await (await post(gateway, openaiFixture, openaiFixture.body(3))).text()
    for (const { manifest } of await receiptsOf(gateway)) expect('quality' in manifest).toBe(false)
  })

  it('a breach is counted, logged and told as an event, and the request goes out', async () => {
    const gateway = await testGateway({ config: { policy: policy(surface) }, script: () => 'done' })
    const events = await fetch(`${gateway.url}/v1/events?type=context:quality`)
    expect((await post(gateway, anthropicFixture, anthropicFixture.body(3))).status).toBe(200)
    expect(await metricsOf(gateway)).toContain('prehend_quality_breaches_total{measure="surface",action="warn"} 1')
    const breach = { measure: 'surface', value: expect.any(Number), most: 0.1 }
    expect(gateway.log.filter(({ event }) => event === 'quality').map(({ fields }) => fields)).toMatchObject([breach])
    const reader = events.body!.getReader()
    const told = new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    expect(told).toContain('"measure":"surface"')
  })

  it.each([openaiFixture, anthropicFixture])('a breach is refused where the policy says so: $name', async (dialect) => {
    const config = { policy: policy({ ...surface, onBreach: 'reject' }) }
    const gateway = await testGateway({ config, script: () => 'done' })
    const response = await post(gateway, dialect, dialect.body(3))
    const said = await response.text()
    expect([response.status, JSON.parse(said)]).toMatchObject([422, { error: { type: 'invalid_request_error' } }])
    expect(said).toMatch(/surface is 0\.\d+, at most 0\.100\. .*policy\.quality\.gates\.surface/)
    expect(gateway.provider.requests).toEqual([])
    expect(await metricsOf(gateway)).toContain('prehend_quality_breaches_total{measure="surface",action="reject"} 1')
    expect((await post(gateway, dialect, dialect.body(0))).status).toBe(200)
  })

  it('what cannot be packed is not sent unmeasured, and tasks that are critical for safety are refused by default', async () => {
    const body = openaiFixture.body(3)
    const tight = { ...policy({ onBreach: 'reject' }), contextTokens: 60 }
    const small = await testGateway({ config: { policy: tight }, script: () => 'done' })
    expect((await post(small, openaiFixture, body)).status).toBe(400)
    expect(small.provider.requests).toEqual([])
    const gateway = await testGateway({ config: { policy: policy(surface) }, script: () => 'done' })
    const ask = (taskClass: string) => post(gateway, openaiFixture, body, { 'x-prehend-task-class': taskClass })
    expect([(await ask('safety-critical')).status, (await ask('review')).status]).toEqual([422, 200])
  })
})
