import { afterEach, describe, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, post, testGateway } from './gateway/on-the-wire/test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from './gateway/on-the-wire/test-gateway.fixture.ts'
import { telemetry } from './tracing/telemetry.fixture.ts'
import type { Telemetry } from './tracing/telemetry.fixture.ts'

afterEach(closeTestGateways)

const stages = ['filter', 'rank', 'allocate', 'compress', 'assemble', 'validate']

/** A gateway that has served three requests of one conversation. */
async function served(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await testGateway({ ...options, script: () => 'done' })
  for (const results of [3, 4, 5]) {
    const response = await post(gateway, anthropicFixture, anthropicFixture.body(results))
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  }
  return gateway
}

const named = ({ spans }: Telemetry, start: string) => spans().filter(({ name }) => name.startsWith(start))

describe('C-001: what a gateway does around a request has a switch and a measure', () => {
  it('the pipeline of stages runs for every request, each with its time and tokens, and for none where it is off', async () => {
    const [on, off] = [telemetry(), telemetry()]
    await served({ host: { tracing: on.tracing } })
    await served({ host: { tracing: off.tracing }, config: { mode: 'off' } })
    const ran = named(on, 'prehend.stage ')
    expect(ran.map(({ name }) => name)).toEqual([1, 2, 3].flatMap(() => stages.map((name) => `prehend.stage ${name}`)))
    for (const { duration, attributes } of ran) {
      expect(duration[0] * 1e9 + duration[1]).toBeGreaterThan(0)
      expect(attributes['prehend.tokens.in']).toBeGreaterThan(0)
    }
    expect(named(off, 'prehend.stage ')).toEqual([])
  })

  it('telemetry: spans where tracing is handed in, none where it is not, and the same bytes either way', async () => {
    const told = telemetry()
    const watched = await served({ host: { tracing: told.tracing } })
    const spans = told.spans().length
    const alone = await served({})
    const sent = ({ provider }: TestGateway) => provider.requests.map(({ body }) => body)
    expect(sent(alone)).toEqual(sent(watched))
    expect(named(told, 'prehend.request')).toHaveLength(3)
    expect(told.spans()).toHaveLength(spans)
    const metrics = await (await fetch(`${alone.url}/metrics`)).text()
    expect(Number(/^prehend_requests_total\{.*\} (\d+)$/m.exec(metrics)?.[1])).toBe(3)
  })
})
