import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, SimulatedRequest, ScriptEntry, Upstream } from '../../providers/index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  handleIn,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
} from './test-gateway.fixture.ts'
import type { Body } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const says = (text: string): AnswerPart => ({ type: 'text', text })

/** Reads a stream in the background; `text` is what has come so far. */
function reading(response: Response): { text: string; readonly ended: Promise<void> } {
  const read = { text: '', ended: Promise.resolve() }
  const decoder = new TextDecoder()
  read.ended = (async () => {
    for await (const chunk of response.body ?? []) read.text += decoder.decode(chunk, { stream: true })
  })()
  return read
}

describe.each([openaiFixture, anthropicFixture])('streams: $name', (dialect) => {
  it('come as they are written, one piece at a time', async () => {
    const script: ScriptEntry[] = [{ text: 'one two three', tokensPerSecond: 1 }]
    const gateway = await testGateway({ script })
    const response = post(gateway, dialect, dialect.body(1, { stream: true }))
    await expect.poll(() => gateway.provider.requests.length).toBe(1)
    await gateway.clock.advance(1500)
    const read = reading(await response)
    await expect.poll(() => read.text).toContain('"one"')
    expect(read.text).not.toContain('"two"')
    await gateway.clock.advance(1000)
    await expect.poll(() => read.text).toContain(' two')
    expect(read.text).not.toContain('three')
    await gateway.clock.advance(60_000)
    await read.ended
    expect(read.text).toContain('three')
  })

  it('headroom#3071: what the model says before it rehydrates does not wait for what it says after', async () => {
    const script = ({ body }: SimulatedRequest, turn: number): ScriptEntry => {
      if (turn < 2) return 'done'
      if (turn === 3) return { text: 'after', firstByteMs: 10_000 }
      return {
        parts: [
          says('before '),
          { type: 'tool-call', name: 'rehydrate', arguments: { handle: handleIn(body, 1) ?? '' } },
        ],
      }
    }
    const gateway = await testGateway({ script })
    await shortenedSession(gateway, dialect)
    const read = reading(await post(gateway, dialect, dialect.body(9, { stream: true })))
    await expect.poll(() => gateway.provider.requests.length).toBe(4)
    await expect.poll(() => read.text).toContain('before')
    expect(read.text).not.toContain('after')
    await gateway.clock.advance(10_000)
    await read.ended
    expect(read.text).toContain('after')
    expect(read.text).not.toContain('rehydrate')
  })

  it("are the provider's bytes where the tool is not offered", async () => {
    const gateway = await testGateway({ script: () => ({ text: 'a few words' }), config: { rehydrate: false } })
    const body = dialect.body(0, { stream: true })
    const through = await (await post(gateway, dialect, body)).text()
    const direct = await gateway.provider.fetch(`http://simulated${dialect.path}`, {
      method: 'POST',
      headers: dialect.headers,
      body: JSON.stringify(body),
    })
    const plain = (text: string): string => text.replaceAll(/sim\d{8}/g, 'id')
    expect(plain(through)).toBe(plain(await direct.text()))
  })

  it("PR#2968: no status is sent before the provider's is known", async () => {
    const gateway = await testGateway({ script: [{ text: 'late', firstByteMs: 5000 }] })
    let answered = false
    const response = post(gateway, dialect, dialect.body(1, { stream: true })).finally(() => (answered = true))
    await expect.poll(() => gateway.provider.requests.length).toBe(1)
    await gateway.clock.advance(4000)
    expect(answered).toBe(false)
    await gateway.clock.advance(1000)
    await (await response).text()
  })
})

describe('a slow client', () => {
  it('gets the rest of its answer from a gateway that stops', async () => {
    const body = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x'.repeat(16_000_000) } }] })
    const upstream: Upstream = {
      name: 'long',
      send: async () => {
        const bytes = (async function* () {
          yield Buffer.from(body)
        })()
        return { status: 200, headers: { 'content-type': 'application/json' }, body: bytes }
      },
      close: async () => undefined,
    }
    const gateway = await testGateway({ upstream })
    const response = await post(gateway, openaiFixture, openaiFixture.body(1))
    const stopped = gateway.close(60_000)
    await new Promise((done) => setTimeout(done, 100))
    expect((await response.text()) === body).toBe(true)
    await stopped
  })

  it('learns that the gateway stops when it reads on, and holds up nobody that waits for that', async () => {
    const piece = Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(60_000)}"}}]}\n\n`)
    const upstream: Upstream = {
      name: 'endless',
      send: async ({ signal }) => {
        const body = (async function* () {
          while (!signal.aborted) yield piece
          throw signal.reason
        })()
        return { status: 200, headers: { 'content-type': 'text/event-stream' }, body }
      },
      close: async () => undefined,
    }
    const gateway = await testGateway({ upstream })
    const ask = () => post(gateway, openaiFixture, openaiFixture.body(1, { stream: true }))
    const [reader, sleeper] = [await ask(), await ask()]
    const stopped = gateway.close()
    expect((await reader.text()).split('\n\n').at(-2)).toMatch(/^data: \{"error":\{"message":"This gateway is stopping/)
    await stopped
    await sleeper.body?.cancel()
  })

  it.each([true, false])(
    'holds the provider back instead of filling our memory (tool offered: %s)',
    async (rehydrate) => {
      let pulled = 0
      let left = false
      async function* endless(): AsyncGenerator<Uint8Array> {
        const chunk = Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(60_000)}"}}]}\n\n`)
        try {
          for (; ; pulled += 1) yield chunk
        } finally {
          left = true
        }
      }
      const upstream: Upstream = {
        name: 'endless',
        send: async ({ signal }) => {
          const body = endless()
          signal.addEventListener('abort', () => void body.return(undefined))
          return { status: 200, headers: { 'content-type': 'text/event-stream' }, body }
        },
        close: async () => undefined,
      }
      const gateway = await testGateway({ upstream, config: { rehydrate } })
      const response = await post(gateway, openaiFixture, openaiFixture.body(1, { stream: true }))
      await expect.poll(() => pulled).toBeGreaterThan(10)
      let before = -1
      await expect.poll(() => [pulled === before, (before = pulled)][0], { interval: 200 }).toBe(true)
      expect(pulled).toBeLessThan(1000)
      await response.body?.cancel()
      await expect.poll(() => left).toBe(true)
    },
  )
})

describe('thinking blocks', () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 } as const

  it.each([false, true])(
    'come back as they were and are accepted again, hidden rounds included (streamed: %s)',
    async (stream) => {
      const script = ({ body }: SimulatedRequest, turn: number): ScriptEntry => {
        if (turn < 2) return 'done'
        if (turn === 2) {
          const handle = handleIn(body, 1) ?? ''
          return {
            parts: [
              { type: 'thinking', text: 'What was it?' },
              { type: 'tool-call', name: 'rehydrate', arguments: { handle } },
            ],
          }
        }
        if (turn === 3) {
          return {
            parts: [
              { type: 'thinking', text: 'Ah, now read on.' },
              says('Reading. '),
              { type: 'tool-call', name: 'read', arguments: { path: 'f' } },
            ],
          }
        }
        return 'All done.'
      }
      const gateway = await testGateway({ script })
      const more = { thinking, max_tokens: 4096, model: 'claude-sonnet-4-5' }
      const conversation = (results: number): Body => {
        const body = anthropicFixture.body(results, more)
        const end = [{ role: 'assistant', content: 'Noted.' }, anthropicFixture.says('Go on.')]
        return { ...body, messages: [...body.messages, ...end] }
      }
      for (const results of [7, 8]) {
        await (await post(gateway, anthropicFixture, conversation(results))).text()
        await gateway.clock.advance(3_600_000)
      }
      const client = new Anthropic({ baseURL: gateway.url, apiKey: 'key', maxRetries: 0 })
      const body = conversation(9) as unknown as Anthropic.MessageCreateParamsNonStreaming
      const message = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body)
      expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'text', 'tool_use'])
      const call = message.content.find((block) => block.type === 'tool_use')
      const next = await client.messages.create({
        ...body,
        messages: [
          ...body.messages,
          { role: 'assistant', content: message.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call!.id, content: 'read' }] },
        ],
      })
      expect(next.stop_reason).toBe('end_turn')
      const sent = JSON.parse(gateway.provider.requests.at(-1)!.body) as {
        messages: { role: string; content: { type: string }[] }[]
      }
      const tail = sent.messages.slice(-4).map(({ role, content }) => [role, ...content.map(({ type }) => type)])
      expect(tail).toEqual([
        ['assistant', 'thinking', 'tool_use'],
        ['user', 'tool_result'],
        ['assistant', 'thinking', 'text', 'tool_use'],
        ['user', 'tool_result'],
      ])
    },
  )
})
