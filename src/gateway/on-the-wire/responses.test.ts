import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, ScriptEntry } from '../../providers/index.ts'
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
  readonly numbers: readonly number[]
}

async function ask(gateway: TestGateway, body: Asked, stream: boolean): Promise<Seen> {
  const { responses } = clientOf(gateway)
  if (!stream) return { response: await responses.create(body), numbers: [] }
  const numbers: number[] = []
  const running = responses.stream({ ...body, stream: true })
  for await (const event of running) numbers.push(event.sequence_number)
  return { response: await running.finalResponse(), numbers }
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
    expect(lengths[2]).toBeLessThan(JSON.stringify(bodyOf(8)).length / 2)

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

describe('what the provider keeps of Responses', () => {
  it('is gone on from as it is: no tool of ours joins', async () => {
    const gateway = await testGateway()
    const kept = { previous_response_id: 'resp_1', input: 'And?', model: 'gpt-5.1', tools: [read] }
    await expect(ask(gateway, kept, false)).rejects.toThrow(/resp_1' not found/)
    expect(JSON.parse(gateway.provider.requests[0]?.body ?? '')).toEqual(kept)
  })
})
