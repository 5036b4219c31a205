import { isUtf8 } from 'node:buffer'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { sha256 } from '../../host/index.ts'
import { compileAgain, verifyReceipt } from '../../sessions/index.ts'
import type { Receipt } from '../../stores/index.ts'
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

/** Once it says how its request ended. */
const receiptOf = ({ store }: SocketGateway, requestId: string): Promise<Receipt> =>
  vi.waitFor(async () => {
    const receipt = await store.read('receipts').get('default', requestId)
    if (!receipt?.result) throw new Error('not filed yet')
    return receipt
  })

const verified = (receipt: Receipt) =>
  verifyReceipt({
    receipt,
    input: receipt.input!,
    compile: (input) => compileAgain(input, receipt.manifest),
  })

const readable = (dialect: DialectFixture): string =>
  JSON.stringify({
    model: dialect === openaiFixture ? 'gpt-4.1' : 'claude-sonnet-4-6',
    messages: [{ role: 'user', content: 'What does total.ts do?' }],
    max_tokens: 64,
  })

describe.each(dialects)('odd bodies: $name', (dialect) => {
  it('there are 48 of them, and the codec reads those that are said to be read', () => {
    const odd = oddBodies(dialect)
    expect(odd).toHaveLength(47)
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
    expect(gateway.arrived).toHaveLength(47)
  })

  it.each(modes)('what is ours in them is heeded and goes no further, in mode %s', async (mode) => {
    const gateway = await socketGateway({ config: { mode } })
    const odd = oddBodies(dialect).filter(({ body }) => body.toString().startsWith('{'))
    for (const { name, body } of odd) {
      const bytes = Buffer.from(body)
      const said = Buffer.concat([Buffer.from('{"prehend": {"mode": "off"}, '), bytes.subarray(1)])
      const { status, headers } = await send(gateway, dialect, said)
      expect([name, status, headers['x-prehend-mode']]).toEqual([name, 200, 'off'])
      expect([name, gateway.arrived.at(-1)!.body]).toEqual([name, bytes])
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

  it.each(['prehend', 'bardo'])(
    'a member of %s that does not exist is refused by its name, and goes nowhere',
    async (name) => {
      const gateway = await socketGateway()
      const body = oddBodies(dialect)
        .find(({ isRead }) => isRead)!
        .body.toString()
      const { status, text } = await send(gateway, dialect, `{"${name}": {"template": "greeting"}, ${body.slice(1)}`)
      expect([status, gateway.arrived]).toEqual([400, []])
      expect(text).toContain('template')
    },
  )

  it.each(['on', 'observe'] as const)('have receipts that say so, in mode %s', async (mode) => {
    const gateway = await socketGateway({ config: { mode } })
    for (const { name, body, isRead } of oddBodies(dialect).filter((odd) => !odd.isRead)) {
      const { headers } = await send(gateway, dialect, body)
      const bytes = Buffer.from(body)
      const filed = await receiptOf(gateway, String(headers['x-prehend-request-id']))
      expect([name, isRead, filed]).toEqual([
        name,
        false,
        expect.objectContaining({ mode: 'unpacked', session: 'unread' }),
      ])
      expect(filed.packId).toBe(sha256(bytes))
      expect(filed.manifest).toMatchObject({ policyId: 'none', decisions: [], packTokens: 0, outcome: 'ok' })
      expect(filed.result).toMatchObject({ status: 200, skipped: ['decode'] })
      // What is no text is known by its hash alone.
      expect(filed.request?.body).toBe(isUtf8(bytes) ? bytes.toString() : undefined)
      if (filed.input) expect(verified(filed)).toMatchObject({ verified: true, differences: [] })
    }
  })

  it('have receipts that name the field for which nobody could read them', async () => {
    const gateway = await socketGateway()
    const { headers } = await send(gateway, dialect, '{"messages": [')
    const filed = await receiptOf(gateway, String(headers['x-prehend-request-id']))
    expect(filed.result).toMatchObject({ skipped: ['decode'], unreadField: 'body' })
    const one = await send(gateway, dialect, readable(dialect).replace('"user"', '"critic"'))
    const { result } = await receiptOf(gateway, String(one.headers['x-prehend-request-id']))
    expect(result?.unreadField).toMatch(/\[0\]\.role$/)
  })

  it('have none in mode off, hold no content where none is recorded, and are told from bytes that differ', async () => {
    const off = await socketGateway({ config: { mode: 'off' } })
    await send(off, dialect, '{"messages": [')
    expect(await off.store.read('receipts').list('default', { limit: 1 })).toEqual([])
    const bare = await socketGateway({ config: { record: 'receipts' } })
    const { headers } = await send(bare, dialect, '{"messages": [')
    const filed = await receiptOf(bare, String(headers['x-prehend-request-id']))
    expect(filed).toMatchObject({ mode: 'unpacked', packId: sha256('{"messages": [') })
    expect([filed.input, filed.request]).toEqual([undefined, undefined])
    const whole = await socketGateway()
    const sent = await send(whole, dialect, '{"messages": [')
    const read = await receiptOf(whole, String(sent.headers['x-prehend-request-id']))
    const other = { ...read, request: { ...read.request!, body: '{"messages": [[' } }
    expect(verified(other).differences.map(({ field }) => field)).toEqual(['sent'])
  })

  it('stand in the session that their client names, beside its conversation', async () => {
    const gateway = await socketGateway()
    const { path, headers } = dialect
    const named = { ...dialect, headers: { ...headers, 'x-session-id': 'mine' } }
    await send(gateway, named, '{"messages": [')
    await rawRequest(gateway.url, {
      method: 'POST',
      path,
      headers: { ...json, ...named.headers },
      body: readable(dialect),
    })
    await vi.waitFor(async () => {
      const [told] = await gateway.store.read('results').sessions('default', { limit: 1, session: 'mine' })
      expect(told?.cost.requests).toBe(2)
    })
    const list = await gateway.store.read('receipts').list('default', { limit: 9, session: 'mine' })
    expect(list.map(({ mode }) => mode).toSorted()).toEqual(['on', 'unpacked'])
    expect(new Set(list.map(({ lane }) => lane)).size).toBe(2)
  })

  it('are counted and logged as not decoded', async () => {
    const gateway = await socketGateway()
    await send(gateway, dialect, '{"messages": [')
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
