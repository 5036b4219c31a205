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
import type { CompileResult } from './core/index.ts'
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
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(session.attributes['prehend.tokens.out']).toBe(receipt?.packTokens)
    expect(request.attributes).toMatchObject({
      'http.response.status_code': 200,
      'prehend.request.id': response.headers.get('x-prehend-request-id'),
      'prehend.tenant': 'default',
      'prehend.key.id': 'anonymous',
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

describe('POST /v1/compile', () => {
  const document = (windowTokens: number, policy = 'careful'): string =>
    JSON.stringify({
      schema: 'prehend.compile/1',
      items: [
        { id: 'a', section: 'evidence', kind: 'evidence', text: longResult(1), provenance: { sourceId: 'file:a' } },
      ],
      budget: { windowTokens },
      policy,
      frame: { request: 'Find the value.' },
    })

  it.each([
    ['here', false],
    ['on another thread', true],
  ])('C-021: is traced like all else, with its stages: %s', async (_, isThreaded) => {
    const told = telemetry()
    const server = await simulatedProvider({ script: () => 'done' }).listen(0)
    const gateway = isThreaded
      ? await threadedGateway(server.url, {}, { tracing: told.tracing })
      : await testGateway({ host: { tracing: told.tracing } })
    if (isThreaded) await startedThread(gateway as Awaited<ReturnType<typeof threadedGateway>>)
    const headers = { 'content-type': 'application/json', traceparent }
    const response = await fetch(`${gateway.url}/v1/compile`, { method: 'POST', headers, body: document(20_000) })
    expect(response.status).toBe(200)
    await ended(told, 'prehend.request compile')
    const { named, within } = told
    const request = named('prehend.request compile')
    expect(request.parentSpanContext?.spanId).toBe(remote.span)
    expect(request.attributes['http.response.status_code']).toBe(200)
    expect(within(request)).toEqual(['prehend.compile'])
    expect(within(named('prehend.compile'))).toEqual(
      ['filter', 'rank', 'allocate', 'compress', 'assemble', 'validate'].map((stage) => `prehend.stage ${stage}`),
    )
    const { manifest } = (await response.json()) as CompileResult
    expect(named('prehend.compile').attributes).toMatchObject({
      'prehend.pack.id': manifest.packHash,
      'prehend.tokens.out': manifest.packTokens,
    })
    await server.close()
  })

  it('C-021: what does not fit and what is not understood say so in their span', async () => {
    const told = telemetry()
    const gateway = await testGateway({ host: { tracing: told.tracing } })
    const send = (body: string) =>
      fetch(`${gateway.url}/v1/compile`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await send(document(500, 'quality-first'))).status).toBe(422)
    expect((await send('{}')).status).toBe(400)
    const spans = told.spans().filter(({ name }) => name === 'prehend.request compile')
    expect(spans.map(({ attributes }) => attributes['http.response.status_code'] ?? attributes['error.type'])).toEqual([
      422,
      'invalid-input',
    ])
  })

  it('V-067: tells whoever follows the events what has happened', async () => {
    const gateway = await testGateway()
    const headers = { 'content-type': 'application/json', 'x-session-id': 'packs' }
    const events = await fetch(`${gateway.url}/v1/events?session=packs`, { signal: AbortSignal.timeout(20_000) })
    await fetch(`${gateway.url}/v1/compile`, { method: 'POST', headers, body: document(20_000) })
    let text = ''
    for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('context:assembled')) break
    }
    expect(text).toContain('context:assembled')
  })
})

it('A-037, M-20: spans have the URIs of artifacts, beside the id of the pack', async () => {
  const told = telemetry()
  const gateway = await testGateway({ host: { tracing: told.tracing }, script: () => 'It was 3f2a.' })
  const prehend = { taskId: '42', stepId: '1' }
  await (await post(gateway, openaiFixture, openaiFixture.body(1, { prehend }))).text()
  await ended(told)
  const place = 'artifact://tasks/42/step-1'
  expect(told.named('prehend.layer session').attributes).toMatchObject({
    'prehend.pack.id': expect.stringMatching(/^[0-9a-f]{64}$/),
    'prehend.artifact.uris': [`${place}/response.md`, `${place}/manifest.json`],
  })
})
