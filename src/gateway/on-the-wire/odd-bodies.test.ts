import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { rawRequest } from './raw-request.fixture.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import type { SocketGateway } from './socket-gateway.fixture.ts'
import { oddBodies } from './odd-bodies.fixture.ts'
import { anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'
import type { Layer } from '../index.ts'

afterEach(closeSocketGateways)

const dialects = [openaiFixture, anthropicFixture]
const modes = ['on', 'observe', 'off'] as const
const json = { 'content-type': 'application/json' }

const send = ({ url }: SocketGateway, { path, headers }: DialectFixture, body: string | Buffer) =>
  rawRequest(url, { method: 'POST', path, headers: { ...json, ...headers }, body })

describe.each(dialects)('odd bodies: $name', (dialect) => {
  it('there are 48 of them, and the codec reads those that are said to be read', () => {
    const odd = oddBodies(dialect)
    expect(odd).toHaveLength(48)
    for (const { name, body, isRead } of odd) {
      let found = true
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body))
        const { extension } = codecFor(dialect.name).decode({ body: text }).wire
        found = extension === undefined
      } catch {
        found = false
      }
      expect([name, found]).toEqual([name, isRead])
    }
  })

  it.each(modes)('every one goes on in mode %s, and what nobody could read byte for byte', async (mode) => {
    const gateway = await socketGateway({ config: { mode } })
    for (const { name, body, isRead } of oddBodies(dialect)) {
      const { status, headers, text } = await send(gateway, dialect, body)
      expect([name, status, text]).toEqual([name, 200, expect.stringContaining('provider')])
      expect([name, headers['x-prehend-skipped']]).toEqual([name, isRead ? undefined : 'decode'])
      expect(headers['x-prehend-mode']).toBe(mode)
      if (!isRead || mode !== 'on') expect([name, gateway.arrived.at(-1)!.body]).toEqual([name, Buffer.from(body)])
    }
    expect(gateway.arrived).toHaveLength(48)
  })

  it.each(modes)('what is ours in them is heeded and goes no further, in mode %s', async (mode) => {
    const gateway = await socketGateway({ config: { mode } })
    const odd = oddBodies(dialect).filter(({ body }) => body.toString().startsWith('{'))
    for (const { name, body } of odd) {
      const bytes = Buffer.from(body)
      const said = Buffer.concat([Buffer.from('{"prehend": {"mode": "off"}, '), bytes.subarray(1)])
      const { status, headers } = await send(gateway, dialect, said)
      expect([name, status, headers['x-prehend-mode']]).toEqual([name, 200, 'off'])
      if (!body.includes('bardo')) expect([name, gateway.arrived.at(-1)!.body]).toEqual([name, bytes])
    }
    const wrong = await send(
      gateway,
      dialect,
      '{"prehend": {"mode": "fast"}, "messages": [{"role": "critic"}], "model": "m"',
    )
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('prehend.mode')
    expect(gateway.arrived).toHaveLength(odd.length)
  })

  it('are counted and logged as not decoded, and have no receipt', async () => {
    const gateway = await socketGateway()
    await send(gateway, dialect, '{"messages": [')
    expect(await gateway.store.receipts('default', { limit: 1 })).toEqual([])
    expect(gateway.log.find(({ event }) => event === 'stage-skipped')?.fields).toMatchObject({ stage: 'decode' })
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toContain('prehend_stages_skipped_total{stage="decode"} 1')
    expect(metrics).toContain(`prehend_requests_total{route="${dialect.name}",status="2xx"} 1`)
  })

  it('go to the provider of their model as far as that can be told', async () => {
    const gateway = await socketGateway({ providers: ['openai', 'anthropic', 'deepseek'] })
    const model = dialect === openaiFixture ? 'deepseek-v4-pro' : 'claude-sonnet-4-6'
    await send(gateway, dialect, `{"model": "${model}", "messages": [{"role": "critic"}], "deep": ${'['.repeat(600)}`)
    expect(gateway.arrived[0]!.provider).toBe(dialect === openaiFixture ? 'deepseek' : 'anthropic')
  })

  it('a body that is compressed goes on as it came', async () => {
    const gateway = await socketGateway()
    const body = Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0xff])
    const headers = { ...json, ...dialect.headers, 'content-encoding': 'gzip' }
    const { status } = await rawRequest(gateway.url, { method: 'POST', path: dialect.path, headers, body })
    expect(status).toBe(200)
    expect(gateway.arrived[0]).toMatchObject({ body, headers: { 'content-encoding': 'gzip' } })
  })

  it.each(modes)('a layer that fails closed lets none of them past, in mode %s', async (mode) => {
    const mask: Layer = { name: 'mask', failure: 'closed', handle: (exchange, next) => next(exchange) }
    const gateway = await socketGateway({ config: { mode }, host: { layers: [mask] } })
    for (const { name, body } of oddBodies(dialect).filter(({ isRead }) => !isRead)) {
      const { status } = await send(gateway, dialect, body)
      expect([name, status]).toEqual([name, 400])
    }
    expect(gateway.arrived).toEqual([])
  })
})

it('a count of tokens goes on unread, too, and is never our guess', async () => {
  const gateway = await socketGateway({
    answer: (_, response) => response.writeHead(404).end('{"no": "such route"}'),
  })
  const counting = { ...anthropicFixture, path: '/v1/messages/count_tokens' }
  const { status, text, headers } = await send(gateway, counting, '{"messages": 5}')
  expect([status, text, headers['x-prehend-skipped']]).toEqual([404, '{"no": "such route"}', 'decode'])
})
