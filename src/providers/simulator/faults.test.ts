import { describe, expect, it } from 'vitest'
import { manualClock } from './clock.ts'
import type { SimulatedProviderOptions } from './simulated-provider.ts'
import { simulatedProvider } from './simulated-provider.ts'

const body = { model: 'claude-opus-5', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hi' }] }
const tools = [{ name: 'look', input_schema: { type: 'object' } }]

function setUp(options: SimulatedProviderOptions) {
  const clock = manualClock()
  const count = (_: string, text: string): number => text.split(/\s+/).filter((word) => word !== '').length
  const provider = simulatedProvider({ clock, count, ...options })
  const ask = (change: object = {}, init: RequestInit = {}) =>
    provider.fetch('http://a/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...body, ...change }),
      ...init,
    })
  return { clock, provider, ask }
}

/** The texts of a stream, with the time at which each arrived. */
async function arrivals(response: Response, now: () => number): Promise<readonly string[]> {
  const seen: string[] = []
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const text = /"text_delta","text":"([^"]+)"/.exec(chunk)?.[1]
    if (text !== undefined) seen.push(`${text.trim()}@${now()}`)
  }
  return seen
}

describe('pace', () => {
  it('lets the first byte and each token take its time', async () => {
    const { clock, ask } = setUp({ script: ['one two three'], firstByteMs: 500, tokensPerSecond: 10 })
    const reading = ask().then((response) => arrivals(response, () => clock.now()))
    await clock.advance(5000)
    expect(await reading).toEqual(['one@600', 'two@700', 'three@800'])
  })

  it('a JSON answer comes when it is finished', async () => {
    const { clock, ask, provider } = setUp({ script: ['one two three'], firstByteMs: 500, tokensPerSecond: 10 })
    const answer = ask({ stream: false })
    await clock.advance(5000)
    expect((await answer).status).toBe(200)
    expect(provider.requests[0]).toMatchObject({ startMs: 0, firstByteMs: 500, endMs: 800, state: 'answered' })
  })

  it('an entry of the script may be slower than the rest', async () => {
    const { clock, ask, provider } = setUp({ script: [{ text: 'slow', firstByteMs: 9000 }, 'fast'] })
    const both = [ask({ stream: false }), ask({ stream: false })]
    await clock.advance(10_000)
    await Promise.all(both)
    expect(provider.requests.map((request) => request.endMs)).toEqual([9000, 0])
  })
})

describe('faults (spec 8.6)', () => {
  it.each([
    [429, 'rate_limit_error'],
    [529, 'overloaded_error'],
    [500, 'api_error'],
    [402, 'billing_error'],
  ] as const)('an error %i in the words of the provider', async (status, type) => {
    const { ask, provider } = setUp({ script: [{ fault: { kind: 'error', status, retryAfterSeconds: 12 } }] })
    const response = await ask()
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe('12')
    expect(await response.json()).toMatchObject({ type: 'error', error: { type }, request_id: 'req_sim00000001' })
    expect(response.headers.get('request-id')).toBe('req_sim00000001')
    expect(provider.requests[0]).toMatchObject({ state: 'rejected', status })
  })

  it('an error event in mid-stream, after which nothing comes', async () => {
    const { ask } = setUp({ script: [{ text: 'one two', fault: { kind: 'stream-error', afterChunks: 4 } }] })
    const text = await (await ask()).text()
    expect(text).toContain('"text":"one"')
    expect(text).not.toContain('two')
    expect(text.trimEnd().split('\n').slice(-2)).toEqual([
      'event: error',
      'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ])
  })

  it('a connection that dies in mid-stream, or before anything came', async () => {
    const { ask } = setUp({
      script: [
        { text: 'one two', fault: { kind: 'connection-death', afterChunks: 4 } },
        { fault: { kind: 'connection-death' } },
      ],
    })
    await expect((await ask()).text()).rejects.toThrow('terminated')
    await expect(ask()).rejects.toThrow('terminated')
  })

  it('a refusal', async () => {
    const { ask } = setUp({ script: [{ fault: { kind: 'refusal' } }] })
    expect(await (await ask({ stream: false })).json()).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal' },
    })
  })

  it('tool input that breaks off', async () => {
    const call = { toolCalls: [{ name: 'look', arguments: { where: 'behind the door' } }] }
    const { ask } = setUp({ script: [{ ...call, fault: { kind: 'truncated-tool-json' } }] })
    const text = await (await ask({ tools })).text()
    const pieces = [...text.matchAll(/"partial_json":"((?:[^"\\]|\\.)*)"/g)].map((match) => JSON.parse(`"${match[1]}"`))
    expect(() => JSON.parse(pieces.join(''))).toThrow(SyntaxError)
    expect(pieces.join('')).toBe('{"where":"behind ')
    expect(text).toContain('"stop_reason":"max_tokens"')
  })

  it('silence, until the client gives up', async () => {
    const { ask, provider, clock } = setUp({ script: [{ fault: { kind: 'hang' } }] })
    const abort = new AbortController()
    const asking = ask({}, { signal: abort.signal })
    await clock.advance(60_000)
    abort.abort(new Error('too long'))
    await expect(asking).rejects.toThrow('too long')
    expect(provider.requests[0]).toMatchObject({ state: 'aborted', endMs: 60_000 })
  })

  it('notices a client that stops reading', async () => {
    const { ask, provider } = setUp({ script: ['one two three'] })
    const reader = (await ask()).body!.getReader()
    await reader.read()
    await reader.cancel()
    expect(provider.requests[0]?.state).toBe('aborted')
  })

  it('can be asked for by a header, across a socket', async () => {
    const { ask } = setUp({})
    const headers = {
      'x-api-key': 'k',
      'anthropic-version': '2023-06-01',
      'x-simulate': '{"fault":{"kind":"error","status":503}}',
    }
    expect((await ask({}, { headers })).status).toBe(503)
  })

  it('a request that is refused uses up no entry of the script', async () => {
    const { ask } = setUp({ script: ['the first'] })
    expect((await ask({ max_tokens: -1 })).status).toBe(400)
    expect(await (await ask()).text()).toContain('"text":"the"')
  })
})

describe('answers', () => {
  it('end at max_tokens and at stop sequences', async () => {
    const { ask } = setUp({ script: ['one two three four', 'one two STOP three'] })
    expect(await (await ask({ stream: false, max_tokens: 2 })).json()).toMatchObject({
      content: [{ text: 'one two' }],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 2 },
    })
    expect(await (await ask({ stream: false, stop_sequences: ['STOP'] })).json()).toMatchObject({
      content: [{ text: 'one two ' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'STOP',
    })
  })

  it('call a forced tool with the least that its schema asks for', async () => {
    const { ask } = setUp({})
    const schema = {
      type: 'object',
      properties: { path: { type: 'string' }, mode: { enum: ['r', 'w'] }, depth: { type: 'integer' } },
      required: ['path', 'mode'],
    }
    const forced = { tools: [{ name: 'look', input_schema: schema }], tool_choice: { type: 'any' }, stream: false }
    expect(await (await ask(forced)).json()).toMatchObject({
      content: [{ type: 'tool_use', name: 'look', input: { path: '', mode: 'r' } }],
      stop_reason: 'tool_use',
    })
  })

  it('are the same for the same requests', async () => {
    const run = async () => {
      const { ask } = setUp({ script: ['one', { toolCalls: [{ name: 'look', arguments: {} }] }] })
      return [await (await ask()).text(), await (await ask({ tools })).text(), await (await ask()).text()]
    }
    expect(await run()).toEqual(await run())
  })

  it('refuse a thinking block that was changed in the turn it belongs to', async () => {
    const call = { thinking: 'Look.', toolCalls: [{ id: 'toolu_1', name: 'look', arguments: {} }] }
    const { ask } = setUp({ script: [call] })
    const thinking = { thinking: { type: 'adaptive', display: 'summarized' }, tools, stream: false }
    const first = (await (await ask(thinking)).json()) as { content: { type: string }[] }
    const again = (content: object[]) =>
      ask({
        ...thinking,
        messages: [
          ...body.messages,
          { role: 'assistant', content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }] },
        ],
      })
    expect((await again(first.content)).status).toBe(200)
    const changed = await again(
      first.content.map((block) => (block.type === 'thinking' ? { ...block, thinking: 'Lock.' } : block)),
    )
    expect(changed.status).toBe(400)
    expect(await changed.text()).toContain(
      'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest',
    )
  })
})
