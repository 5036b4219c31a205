import { afterEach, describe, expect, it, vi } from 'vitest'
import { decodeLimits } from '../../codecs/index.ts'
import { sha256 } from '../../host/index.ts'
import type { Upstream } from '../../providers/index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** A provider that takes anything and keeps the bytes. */
function anyUpstream(): { readonly upstream: Upstream; readonly bodies: string[] } {
  const bodies: string[] = []
  const upstream: Upstream = {
    name: 'any',
    close: async () => undefined,
    async send({ body = '' }) {
      bodies.push(String(body))
      return { status: 200, headers: { 'content-type': 'application/json' }, body: pieces('{}') }
    },
  }
  return { upstream, bodies }
}

async function* pieces(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

const listOf = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(',')
const head = '{"model":"gpt-5.1","max_tokens":9,'
const user = '{"role":"user","content":"go"}'
const spoken = (index: number): string => `{"role":"${index % 2 ? 'assistant' : 'user'}","content":"${index}"}`
const { values, messages, tools, lines } = decodeLimits

const beyond: readonly (readonly [string, string])[] = [
  ['values', `${head}"messages":[${user}],"x":[${'[],'.repeat(values)}0]}`],
  ['objects', `${head}"messages":[${user}],"x":[${'{"":0},'.repeat(values / 2)}0]}`],
  ['messages', `${head}"messages":[${listOf(messages + 1, spoken)}]}`],
  ['tools', `${head}"messages":[${user}],"tools":[${listOf(tools + 1, (i) => `{"name":"t${i}"}`)}]}`],
  ['lines', `${head}"messages":[{"role":"user","content":"${String.raw`\n`.repeat(lines + 1)}"}]}`],
  ['characters', `${head}"messages":[{"role":"user","content":"${'a '.repeat(5_000_001)}"}]}`],
  [
    'lines in another spelling',
    `${head}"messages":[{"role":"user","content":"${String.raw`\u000a`.repeat(lines + 1)}"}]}`,
  ],
]

describe.each([openaiFixture, anthropicFixture])('a body of too many parts: $name', (dialect) => {
  it.each(beyond)(
    '%s: goes on byte for byte, and answer and receipt say that it was not compiled',
    async (name, body) => {
      const { upstream, bodies } = anyUpstream()
      const gateway = await testGateway({ upstream })
      const response = await post(gateway, dialect, body)
      await response.text()
      expect(response.status).toBe(200)
      expect(response.headers.get('x-prehend-skipped')).toBe('too-large')
      expect(response.headers.has('x-prehend-pack-id')).toBe(false)
      expect(bodies[0] === body).toBe(true)
      await vi.waitFor(async () => {
        const [filed] = await gateway.store.read('receipts').list('default', { limit: 1 })
        expect(filed?.result).toMatchObject({ status: 200, skipped: ['too-large'] })
        expect(filed).toMatchObject({ mode: 'unpacked', packId: sha256(body), model: 'gpt-5.1' })
        // The one that could be read has a session of its own.
        const isRead = name === 'characters'
        expect([filed?.session === 'unread', filed?.lane.endsWith('.unpacked')]).toEqual([!isRead, isRead])
        const whole = await gateway.store.read('receipts').get('default', filed?.requestId ?? '')
        expect(whole?.request?.body).toBe(body.length > 1_048_576 ? undefined : body)
      })
    },
  )
})

it('a session that grows beyond what is read goes on uncompiled from there', async () => {
  const { upstream, bodies } = anyUpstream()
  const gateway = await testGateway({ upstream })
  const bodyOf = (count: number): string => `${head}"messages":[${listOf(count, spoken)}]}`
  const skipped: (string | null)[] = []
  for (const count of [messages - 3, messages - 1, messages + 1]) {
    const response = await post(gateway, openaiFixture, bodyOf(count))
    await response.text()
    skipped.push(response.headers.get('x-prehend-skipped'))
  }
  expect(skipped).toEqual([null, null, 'too-large'])
  expect(bodies.at(-1) === bodyOf(messages + 1)).toBe(true)
})
