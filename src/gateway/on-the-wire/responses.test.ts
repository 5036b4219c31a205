import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, ScriptEntry } from '../../providers/index.ts'
import { differences, hashesOf, receiptsOf, sentHashes } from './proven.fixture.ts'
import { anHourMs, closeTestGateways, longResult, needleOf, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

type Input = OpenAI.Responses.ResponseInputItem
type Asked = OpenAI.Responses.ResponseCreateParamsNonStreaming
type Answered = OpenAI.Responses.Response

const read = {
  type: 'function' as const,
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  strict: false,
}

/** An agent that has read that many files. */
function bodyOf(results: number, more: readonly Input[] = []): Asked {
  const steps = Array.from({ length: results }, (_, index): Input[] => {
    const number = index + 1
    return [
      { type: 'function_call', call_id: `call_${number}`, name: 'read', arguments: `{"path":"f${number}"}` },
      { type: 'function_call_output', call_id: `call_${number}`, output: longResult(number) },
    ]
  })
  const input: Input[] = [{ role: 'user', content: 'Find the value.' }, ...steps.flat(), ...more]
  return { model: 'gpt-5.1', instructions: 'You are an agent.', tools: [read], store: false, input }
}

function clientOf(gateway: TestGateway): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key', maxRetries: 0 })
}

interface Seen {
  readonly response: Answered
  /** The id that it began with. */
  readonly begun: string
  readonly numbers: readonly number[]
}

async function ask(gateway: TestGateway, body: Asked, stream: boolean): Promise<Seen> {
  const { responses } = clientOf(gateway)
  if (!stream) {
    const response = await responses.create(body)
    expect(JSON.stringify(response)).not.toContain('rehydrate')
    return { response, begun: response.id, numbers: [] }
  }
  const numbers: number[] = []
  let begun = ''
  const running = responses.stream({ ...body, stream: true })
  for await (const event of running) {
    numbers.push(event.sequence_number)
    if (event.type === 'response.created') begun = event.response.id
  }
  const response = await running.finalResponse()
  expect(JSON.stringify(response)).not.toContain('rehydrate')
  return { response, begun, numbers }
}

/** The items that a client sends back. */
function itemsOf({ output }: Answered): Input[] {
  return output as Input[]
}

const call = (name: string, args: object): AnswerPart => ({ type: 'tool-call', name, arguments: args as never })

function handleIn(body: string): string {
  return /rehydrate\(\\+"([\w-]+)/.exec(body)?.[1] ?? 'none'
}

describe.each([false, true])('an agent that speaks Responses, streamed: %s', (stream) => {
  it('is answered, and the count of its tokens too', async () => {
    const gateway = await testGateway({ script: ['Hello there.'] })
    const { response, numbers } = await ask(gateway, { model: 'gpt-5.1', input: 'Hi.' }, stream)
    expect([response.output_text, response.status]).toEqual(['Hello there.', 'completed'])
    expect(numbers).toEqual(numbers.map((_, index) => index))
    expect(JSON.parse(gateway.provider.requests[0]?.body ?? '')).toMatchObject({ input: 'Hi.' })
    const counted = await clientOf(gateway).responses.inputTokens.count({ model: 'gpt-5.1', input: 'Hi.' })
    expect(counted.input_tokens).toBeGreaterThan(0)
  })

  it('gets back what a pack left out, and never sees how', async () => {
    const script = ({ body }: { readonly body: string }, turn: number): ScriptEntry => {
      if (turn === 2)
        return { parts: [{ type: 'text', text: 'Let me look. ' }, call('rehydrate', { handle: handleIn(body) })] }
      if (turn === 3) return body.includes(needleOf(1)) ? `It says: ${needleOf(1)}.` : 'It is not there.'
      return 'done'
    }
    const gateway = await testGateway({ script })
    for (const results of [7, 8]) {
      await ask(gateway, bodyOf(results), stream)
      await gateway.clock.advance(anHourMs)
    }
    const { response, numbers } = await ask(gateway, bodyOf(8, [{ role: 'user', content: 'And?' }]), stream)
    expect(response.output_text).toBe(`Let me look. It says: ${needleOf(1)}.`)
    expect(numbers).toEqual(numbers.map((_, index) => index))
    expect(JSON.stringify(response)).not.toContain('rehydrate')
    expect(gateway.provider.requests).toHaveLength(4)
    const lengths = gateway.provider.requests.map(({ body }) => body.length)
    expect(lengths[2]).toBeLessThan(JSON.stringify(bodyOf(8)).length * 0.55)

    const next = bodyOf(8, [
      { role: 'user', content: 'And?' },
      ...itemsOf(response),
      { role: 'user', content: 'Thanks.' },
    ])
    await ask(gateway, next, stream)
    const { input } = JSON.parse(gateway.provider.requests.at(-1)?.body ?? '') as {
      input: { type?: string; name?: string }[]
    }
    const types = input.slice(-6).map(({ type, name }) => name ?? type)
    expect(types).toEqual([undefined, 'message', 'rehydrate', 'function_call_output', 'message', undefined])
    await proven(gateway)
  })

  it('keeps its own calls, and reasoning as it came', async () => {
    const script: readonly ScriptEntry[] = [
      {
        parts: [
          { type: 'thinking', text: 'Which file?' },
          call('read', { path: 'a.ts' }),
          call('read', { path: 'b.ts' }),
        ],
      },
    ]
    const gateway = await testGateway({ script })
    const { response } = await ask(gateway, bodyOf(0), stream)
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'function_call', 'function_call'])
    const calls = response.output.filter((item) => item.type === 'function_call')
    const results = calls.map(({ call_id }): Input => ({ type: 'function_call_output', call_id, output: 'text' }))
    const body = bodyOf(0, [...itemsOf(response), ...results])
    await ask(gateway, body, stream)
    const sent = JSON.parse(gateway.provider.requests.at(-1)?.body ?? '') as Asked
    expect(sent.input).toEqual(body.input)
  })

  it('is refused in its own words', async () => {
    const gateway = await testGateway()
    const orphan: Input = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' }
    await expect(ask(gateway, { model: 'gpt-5.1', input: [] }, stream)).rejects.toMatchObject({
      status: 400,
      param: 'input',
    })
    await expect(ask(gateway, bodyOf(0, [orphan]), stream)).rejects.toThrow(/No tool output found/)
  })
})

/** The first request of a chain, and what a client continues it with: nothing but the name of the reply. */
const chainStart = (results: number): Asked => ({ ...bodyOf(results), store: true })
const after = (id: string, input: string | Input[]): Asked => ({
  model: 'gpt-5.1',
  instructions: 'You are an agent.',
  tools: [read],
  previous_response_id: id,
  input,
})

/** A gateway whose model asks for what was left out as soon as something is; `parts` come with that. */
async function chained(parts: readonly AnswerPart[], stream: boolean) {
  const asks = { done: false }
  const script = ({ body }: { readonly body: string }): ScriptEntry => {
    const handle = handleIn(body)
    if (!body.includes('"store":true') || asks.done)
      return body.includes(needleOf(1)) ? `It says: ${needleOf(1)}.` : 'done'
    asks.done = true
    return { parts: [...parts, call('rehydrate', { handle })] }
  }
  const gateway = await testGateway({ script })
  for (const results of [7, 8]) {
    await ask(gateway, { ...chainStart(results), store: false }, stream)
    await gateway.clock.advance(anHourMs)
  }
  return gateway
}

/** Every request that the provider has got is proven by a receipt, those of hidden rounds as well. */
async function proven(gateway: TestGateway): Promise<void> {
  const receipts = await receiptsOf(gateway)
  expect(receipts.flatMap(hashesOf)).toEqual(sentHashes(gateway))
  expect(receipts.flatMap(differences)).toEqual([])
}

function sentLast(gateway: TestGateway): Asked {
  return JSON.parse(gateway.provider.requests.at(-1)?.body ?? '') as Asked
}

describe.each([false, true])('a client that goes on from what the provider keeps, streamed: %s', (stream) => {
  it('can, after a round that it has not seen, by the name that it knows the reply by', async () => {
    const gateway = await chained([{ type: 'text', text: 'Let me look. ' }], stream)
    const before = gateway.provider.requests.length
    const { response, begun } = await ask(gateway, chainStart(8), stream)
    expect(gateway.provider.requests).toHaveLength(before + 2)
    expect(response.output_text).toBe(`Let me look. It says: ${needleOf(1)}.`)
    // The SDK refuses a stream that ends with another id than it began with, and that one is of the first round.
    expect(begun).toBe(response.id)
    const { response: next } = await ask(gateway, after(response.id, 'Thanks.'), stream)
    expect([next.output_text, sentLast(gateway).input]).toEqual(['done', 'Thanks.'])
    const { response: again } = await ask(gateway, after(next.id, 'Thanks again.'), stream)
    expect(again.output_text).toBe('done')
    await proven(gateway)
  })

  it('can, where the reply called for its own tool, too', async () => {
    const gateway = await chained([call('read', { path: 'a.ts' })], stream)
    const { response } = await ask(gateway, chainStart(8), stream)
    const calls = response.output.filter((item) => item.type === 'function_call')
    expect(calls.map(({ name }) => name)).toEqual(['read'])
    const output: Input = { type: 'function_call_output', call_id: calls[0]?.call_id ?? '', output: 'text' }
    const asked = after(response.id, [output])
    const counted = await clientOf(gateway).responses.inputTokens.count({ ...asked } as never)
    expect(counted.input_tokens).toBeGreaterThan(response.usage?.input_tokens ?? 0)
    const { response: second } = await ask(gateway, asked, stream)
    expect(second.output_text).toBe(`It says: ${needleOf(1)}.`)
    const input = sentLast(gateway).input as Input[]
    expect(input.map(({ type }) => type)).toEqual(['function_call_output', 'function_call_output'])
    expect(input.at(-1)).toEqual(output)
    const { response: third } = await ask(gateway, after(second.id, 'Thanks.'), stream)
    expect(third.output_text).toBe('done')
    await proven(gateway)
  })

  it('can, where the reply was given up because it asked too often', async () => {
    const script = ({ body }: { readonly body: string }): ScriptEntry =>
      body.includes('Find the value') ? { parts: [call('rehydrate', { handle: 'none' })] } : 'done'
    const gateway = await testGateway({ script, config: { limits: { rehydrateRounds: 1 } } })
    const { response } = await ask(gateway, chainStart(0), stream)
    expect([response.output, gateway.provider.requests.length]).toEqual([[], 2])
    const { response: next } = await ask(gateway, after(response.id, 'And?'), stream)
    expect(next.output_text).toBe('done')
  })
})

describe.each([false, true])('what Responses have cost, streamed: %s', (stream) => {
  it('is in the receipt as the provider has counted it: read from its cache, written, and thought', async () => {
    const script = (_: unknown, turn: number): ScriptEntry => ({
      parts: [
        ...(turn === 1 ? [{ type: 'thinking' as const, text: 'So it is, I think.' }] : []),
        { type: 'text', text: 'done' },
      ],
    })
    const gateway = await testGateway({ script })
    const { response: first } = await ask(gateway, bodyOf(3), stream)
    const { response } = await ask(gateway, bodyOf(4), stream)
    const details = response.usage?.output_tokens_details.reasoning_tokens ?? 0
    const cached = response.usage?.input_tokens_details.cached_tokens ?? 0
    expect(details).toBeGreaterThan(3)
    expect(cached).toBeGreaterThan(1000)
    const [second, before] = await gateway.store.read('receipts').list('default', { limit: 2 })
    expect(second?.result?.usage).toMatchObject({
      inputTokens: response.usage?.input_tokens,
      outputTokens: response.usage?.output_tokens,
      cacheReadTokens: cached,
      reasoningTokens: details,
    })
    // Read at a tenth of the price: the longer prompt was the cheaper one.
    expect(second?.result?.cost?.inputTokens).toBeGreaterThan(first.usage?.input_tokens ?? 0)
    expect(second?.result?.cost?.usd).toBeLessThan(before?.result?.cost?.usd ?? 0)
  })
})

describe('a stream of Responses that breaks off', () => {
  it('ends in an error of ours whose number is the next', async () => {
    const fault = { kind: 'connection-death' as const, afterChunks: 5 }
    const gateway = await testGateway({ script: [{ parts: [{ type: 'text', text: 'One two three four.' }], fault }] })
    const answer = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'authorization': 'Bearer key' },
      body: JSON.stringify({ ...bodyOf(0), stream: true }),
    })
    const told = [...(await answer.text()).matchAll(/^data: (.+)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as { type: string; sequence_number: number },
    )
    expect(told.map(({ sequence_number: number }) => number)).toEqual(told.map((_, index) => index))
    expect(told.at(-1)?.type).toBe('error')
    expect(told.length).toBeGreaterThan(4)
  })
})

describe('what the provider keeps of Responses', () => {
  it('still leads to what was left out of it, and stays in the session that it is of', async () => {
    const handles: string[] = []
    const script = ({ body }: { readonly body: string }): ScriptEntry => {
      handles.push(handleIn(body))
      if (!body.includes('"And?"') || body.includes('function_call_output')) return 'done'
      return { parts: [call('rehydrate', { handle: handles[1] ?? '' })] }
    }
    const gateway = await testGateway({ script })
    const ids: string[] = []
    for (const results of [7, 8]) {
      const { response } = await ask(gateway, chainStart(results), false)
      ids.push(response.id)
      await gateway.clock.advance(anHourMs)
    }
    for (const turn of [1, 2]) {
      const { response } = await ask(gateway, after(ids[turn] ?? '', 'And?'), false)
      ids.push(response.id)
      expect(JSON.stringify(sentLast(gateway).input)).toContain(needleOf(1))
    }
    const sessions = await gateway.store.read('results').sessions('default', { limit: 9 })
    expect(sessions.map(({ cost }) => cost.requests)).toEqual([4])
  })

  it('goes on as it is where it is none of ours, and is refused in the words of the provider', async () => {
    const gateway = await testGateway()
    const kept = { previous_response_id: 'resp_1', input: 'And?', model: 'gpt-5.1' }
    await expect(ask(gateway, kept, false)).rejects.toThrow(/resp_1' not found/)
    expect(JSON.parse(gateway.provider.requests[0]?.body ?? '')).toEqual(kept)
  })

  it.each([{ conversation: 'conv_1' }, { background: true }])(
    'goes on as it came where it cannot be planned, and the receipt says so: %j',
    async (more) => {
      const gateway = await testGateway()
      const asked = JSON.stringify({ ...bodyOf(3), ...more })
      const headers = { 'content-type': 'application/json', 'authorization': 'Bearer key' }
      const answer = await fetch(`${gateway.url}/v1/responses`, { method: 'POST', headers, body: asked })
      await answer.text()
      expect(gateway.provider.requests[0]?.body).toBe(asked)
      const [name] = Object.keys(more)
      expect(answer.headers.get('x-prehend-skipped')).toBe(name)
      const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
      expect(receipt).toMatchObject({ mode: 'observe', result: { skipped: [name] } })
    },
  )
})
