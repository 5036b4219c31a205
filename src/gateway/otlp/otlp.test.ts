import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { closeTestGateways, openaiFixture, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import type { OtlpMetric } from './otlp-metrics.ts'
import type { OtlpSpan } from './otlp-tracing.ts'

interface Export {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly resourceSpans?: readonly { resource: object; scopeSpans: readonly { spans: readonly OtlpSpan[] }[] }[]
    readonly resourceMetrics?: readonly { scopeMetrics: readonly { metrics: readonly OtlpMetric[] }[] }[]
  }
}

let collector: Server
let exports: Export[]
let statuses: number[]
beforeEach(async () => {
  exports = []
  statuses = []
  collector = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as Export['body']
      exports.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 200).end('{}')
    })()
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
})
afterEach(async () => {
  await closeTestGateways()
  collector.close()
})

const endpoint = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const gatewayTo = (more: object = {}) =>
  testGateway({
    config: { otlp: { endpoint: endpoint(), headers: { 'api-key': 'k' }, ...more } },
    script: () => 'done',
  })
const spansIn = (all: readonly Export[]): readonly OtlpSpan[] =>
  all
    .flatMap(({ body }) => body.resourceSpans ?? [])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
const metricsIn = (all: readonly Export[]): readonly OtlpMetric[] =>
  all.flatMap(({ body }) => body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics[0]?.metrics ?? [])
const attributeOf = (span: OtlpSpan | undefined, name: string): unknown =>
  span?.attributes.find(({ key }) => key === name)?.value

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

it('a request goes to the collector as spans of one trace, with usage, cost, and the time to the first chunk', async () => {
  const gateway = await gatewayTo({ serviceName: 'gate', resource: { 'deployment.environment': 'test' } })
  const streamed = { ...openaiFixture.body(3), stream: true, stream_options: { include_usage: true } }
  await (await post(gateway, openaiFixture, streamed, { traceparent })).text()
  await gateway.close()
  const spans = spansIn(exports)
  const root = spans.find(({ name }) => name === 'prehend.request messages')
  expect(root).toMatchObject({ parentSpanId: 'b7ad6b7169203331', kind: 2, status: {} })
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']))
  const ids = new Set(spans.map(({ spanId }) => spanId))
  expect(ids.size).toBe(spans.length)
  for (const span of spans) if (span !== root) expect(ids).toContain(span.parentSpanId)
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(startTimeUnixNano).toMatch(/^\d{19}$/)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  }
  const call = spans.find(({ name }) => name === 'chat gpt-5.1')
  expect(call?.kind).toBe(3)
  expect(attributeOf(call, 'gen_ai.usage.input_tokens')).toEqual({ intValue: expect.stringMatching(/^\d+$/) })
  expect(attributeOf(call, 'gen_ai.usage.cost')).toEqual({ doubleValue: expect.any(Number) })
  expect(attributeOf(call, 'gen_ai.response.time_to_first_chunk')).toEqual({ doubleValue: expect.any(Number) })
  expect(attributeOf(call, 'gen_ai.request.stream')).toEqual({ boolValue: true })
  const [first] = exports.filter(({ path }) => path === '/v1/traces')
  expect(first?.headers).toMatchObject({ 'api-key': 'k', 'content-type': 'application/json' })
  const resource = JSON.stringify(first?.body.resourceSpans?.[0]?.resource)
  for (const said of ['"gate"', '"deployment.environment"', '"service.instance.id"']) expect(resource).toContain(said)
  expect(JSON.stringify(exports)).not.toContain('You are an agent')
})

it('metrics go there too: those of /metrics, and those of the conventions for generative AI', async () => {
  const gateway = await gatewayTo({ traces: false })
  await (await post(gateway, openaiFixture, openaiFixture.body(2))).text()
  await gateway.close()
  expect(spansIn(exports)).toEqual([])
  const metrics = new Map(metricsIn(exports).map((metric) => [metric.name, metric]))
  const requests = metrics.get('prehend.requests')?.sum
  expect(requests).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 })
  expect(requests?.dataPoints.map(({ asDouble }) => asDouble)).toEqual([1])
  const duration = metrics.get('prehend.request')
  expect(duration?.unit).toBe('s')
  for (const name of ['prehend.request', 'gen_ai.client.operation.duration', 'gen_ai.client.token.usage']) {
    const points = metrics.get(name)?.histogram?.dataPoints ?? []
    expect(points.length).toBeGreaterThan(0)
    for (const { count, bucketCounts, explicitBounds } of points) {
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1)
      expect(bucketCounts.reduce((sum, each) => sum + Number(each), 0)).toBe(Number(count))
    }
  }
  const types = metrics
    .get('gen_ai.client.token.usage')
    ?.histogram?.dataPoints.map(({ attributes }) => attributes.find(({ key }) => key === 'gen_ai.token.type'))
  expect(types).toEqual([
    { key: 'gen_ai.token.type', value: { stringValue: 'input' } },
    { key: 'gen_ai.token.type', value: { stringValue: 'output' } },
  ])
})

it('what a caller has not sampled is not exported, and a collector that is away costs no request', async () => {
  const gateway = await gatewayTo({ metrics: false })
  const unsampled = { traceparent: traceparent.replace(/01$/, '00') }
  await (await post(gateway, openaiFixture, openaiFixture.body(2), unsampled)).text()
  expect(gateway.provider.requests.at(-1)?.headers['traceparent']).toMatch(/-00$/)
  statuses.push(400)
  expect((await post(gateway, openaiFixture, openaiFixture.body(2))).status).toBe(200)
  await gateway.close()
  expect(exports).toHaveLength(1)
  expect(gateway.log.filter(({ event }) => event.startsWith('otlp'))).toMatchObject([
    { level: 'warn', event: 'otlp-refused', fields: { path: '/v1/traces', status: 400 } },
  ])
})

it('a collector that is overloaded gets the same once more', async () => {
  const gateway = await gatewayTo({ metrics: false })
  await (await post(gateway, openaiFixture, openaiFixture.body(2))).text()
  statuses.push(503)
  await gateway.close()
  expect(exports).toHaveLength(2)
  expect(exports[1]?.body).toEqual(exports[0]?.body)
  expect(gateway.log.filter(({ event }) => event.startsWith('otlp'))).toEqual([])
})

it('a collector of a wrong address is named when the configuration is read', async () => {
  await expect(testGateway({ config: { otlp: { endpoint: 'collector:4318' } } })).rejects.toThrow(/otlp\.endpoint/)
})
