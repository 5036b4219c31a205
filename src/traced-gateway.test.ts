import { afterEach, describe, expect, it } from 'vitest'
import {
  anthropicFixture,
  closeTestGateways,
  longResult,
  openaiFixture,
  post,
  testGateway,
} from './gateway/on-the-wire/test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from './gateway/on-the-wire/threads.fixture.ts'
import type { Layer } from './gateway/index.ts'
import { simulatedProvider } from './providers/index.ts'
import { telemetry } from './tracing/telemetry.fixture.ts'

afterEach(async () => {
  await closeTestGateways()
  await closeThreadedGateways()
})

const remote = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }
const traceparent = `00-${remote.trace}-${remote.span}-01`

async function ended(told: ReturnType<typeof telemetry>, name = 'prehend.request messages'): Promise<void> {
  for (let tries = 0; tries < 200 && !told.spans().some((span) => span.name === name); tries += 1)
    await new Promise((done) => setTimeout(done, 5))
}

describe.each([openaiFixture, anthropicFixture])('spans of a gateway: $name', (dialect) => {
  it('C-021: each layer is a span, with the compile and its stages within the session, and the call of the provider', async () => {
    const told = telemetry()
    const own: Layer = { name: 'own', failure: 'open', handle: (exchange, next) => next(exchange) }
    const gateway = await testGateway({ host: { tracing: told.tracing, layers: [own] } })
    const response = await post(gateway, dialect, dialect.body(3))
    await response.text()
    await ended(told)
    const { named, within } = told
    const request = named('prehend.request messages')
    expect(within(request)).toEqual(['prehend.layer own'])
    const session = named('prehend.layer session')
    expect(within(session).slice(0, 1)).toEqual(['prehend.compile'])
    expect(within(named('prehend.compile'))).toEqual(
      ['filter', 'rank', 'allocate', 'compress', 'assemble', 'validate'].map((stage) => `prehend.stage ${stage}`),
    )
    const [receipt] = await gateway.store.receipts('default', { limit: 1 })
    expect(session.attributes['prehend.tokens.out']).toBe(receipt?.packTokens)
    expect(request.attributes).toMatchObject({
      'http.response.status_code': 200,
      'prehend.request.id': response.headers.get('x-prehend-request-id'),
      'prehend.tokens.out': receipt?.packTokens,
    })
    const { model } = dialect.body(0) as unknown as { model: string }
    const call = named(`chat ${model}`)
    expect(call.kind).toBe(2)
    expect(call.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.provider.name': 'simulated',
      'gen_ai.usage.input_tokens': request.attributes['gen_ai.usage.input_tokens'],
    })
    expect(call.attributes['gen_ai.usage.output_tokens']).toBeGreaterThan(0)
    expect(call.status.code).toBe(0)
  })

  it('C-021: a stream is a span until its last piece, with what it has used', async () => {
    const told = telemetry()
    const gateway = await testGateway({ host: { tracing: told.tracing } })
    const asks = dialect === openaiFixture ? { stream_options: { include_usage: true } } : {}
    const body = dialect.body(1, { stream: true, ...asks })
    await (await post(gateway, dialect, body)).text()
    await ended(told)
    const call = told.spans().find(({ name }) => name.startsWith('chat '))
    expect(call?.attributes['gen_ai.usage.output_tokens']).toBeGreaterThan(0)
  })

  it('C-021: nothing that was said stands in a span', async () => {
    const told = telemetry()
    const gateway = await testGateway({ host: { tracing: told.tracing } })
    await (await post(gateway, dialect, dialect.body(3))).text()
    await ended(told)
    const all = JSON.stringify(told.spans().map(({ name, attributes, events }) => [name, attributes, events]))
    for (const line of [...longResult(1).split('\n'), 'Find the value.', 'You are an agent.', 'Reads a file.'])
      expect(all).not.toContain(line)
  })
})

describe('trace context', () => {
  it('C-021: the span of a request is a child of the one that its client names, and the provider is told of it', async () => {
    const told = telemetry()
    const gateway = await testGateway({ host: { tracing: told.tracing } })
    const more = { traceparent, tracestate: 'vendor=1' }
    await (await post(gateway, openaiFixture, openaiFixture.body(1), more)).text()
    await ended(told)
    const request = told.named('prehend.request messages')
    expect(request.spanContext().traceId).toBe(remote.trace)
    expect(request.parentSpanContext?.spanId).toBe(remote.span)
    const { headers } = gateway.provider.requests.at(-1)!
    expect(headers).toMatchObject({
      traceparent: `00-${remote.trace}-${request.spanContext().spanId}-01`,
      tracestate: 'vendor=1',
    })
  })

  it('where nobody traces, trace context goes on as it came', async () => {
    const gateway = await testGateway()
    await (await post(gateway, openaiFixture, openaiFixture.body(1), { traceparent })).text()
    expect(gateway.provider.requests.at(-1)!.headers).toMatchObject({ traceparent })
  })

  it('a trace that its client does not record is not recorded here, and goes on', async () => {
    const told = telemetry()
    const gateway = await testGateway({ host: { tracing: told.tracing } })
    const unsampled = traceparent.replace(/01$/, '00')
    await (await post(gateway, openaiFixture, openaiFixture.body(1), { traceparent: unsampled })).text()
    expect(gateway.provider.requests.at(-1)!.headers['traceparent']).toMatch(
      new RegExp(`^00-${remote.trace}-\\w{16}-00$`),
    )
    expect(told.spans()).toEqual([])
  })

  it('C-021: a layer that fails, and a provider that refuses, are failures of their spans by code', async () => {
    const told = telemetry()
    const failing: Layer = { name: 'failing', failure: 'open', handle: () => Promise.reject(new TypeError('secret')) }
    const gateway = await testGateway({
      script: [{ fault: { kind: 'error', status: 429 } }],
      host: { tracing: told.tracing, layers: [failing] },
    })
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    await ended(told)
    expect(told.named('prehend.layer failing').attributes['error.type']).toBe('TypeError')
    expect(told.named('chat gpt-5.1').attributes['error.type']).toBe('429')
    expect(JSON.stringify(told.spans().map(({ attributes, status }) => [attributes, status]))).not.toContain('secret')
  })
})

it('C-021: what another thread carries is traced like all else', async () => {
  const told = telemetry()
  const server = await simulatedProvider({ script: () => 'done' }).listen(0)
  const gateway = await threadedGateway(server.url, {}, { tracing: told.tracing })
  await startedThread(gateway)
  const carried = gateway.carried()
  await (await post(gateway, openaiFixture, openaiFixture.body(2), { traceparent })).text()
  const ofClient = () => told.spans().find(({ parentSpanContext }) => parentSpanContext?.spanId === remote.span)
  for (let tries = 0; tries < 200 && !ofClient(); tries += 1) await new Promise((done) => setTimeout(done, 5))
  expect(ofClient()?.name).toBe('prehend.request messages')
  expect(gateway.carried()).toBe(carried + 1)
  const names = told
    .spans()
    .filter((span) => span.spanContext().traceId === remote.trace)
    .map(({ name }) => name)
  expect(names).toContain('prehend.stage compress')
  expect(names).toContain('chat gpt-5.1')
  await server.close()
})
