// Tools that take a text as it is, asked of providers that know functions only: Codex patches files by one.
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { ScriptEntry } from '../../providers/index.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-say("\\n")\n+say("ü 👋", \'\t\')\n*** End Patch'
const second = '*** Begin Patch\n*** Delete File: b.ts\n*** End Patch'
const grammar = 'start: begin_patch hunk+ end_patch\nbegin_patch: "*** Begin Patch" LF'
const description =
  'Use the `apply_patch` tool to edit files. This is a FREEFORM tool, so do not wrap the patch in JSON.'

const script: readonly ScriptEntry[] = [
  {
    text: 'I patch it.',
    toolCalls: [
      { name: 'apply_patch', arguments: { input: patch } },
      { name: 'read', arguments: { path: 'a.ts' } },
      { name: 'apply_patch', arguments: { input: second } },
    ],
  },
  'Patched.',
]

const providers = [
  { provider: 'openai-chat', model: 'deepseek-v4-pro' },
  { provider: 'anthropic-messages', model: 'claude-sonnet-4-6' },
  { provider: 'gemini', model: 'gemini-3.5-flash' },
] as const

function clientOf({ url }: TestGateway): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
}

type Item = OpenAI.Responses.ResponseInputItem

const asked = {
  instructions: 'You are an agent.',
  store: false,
  tools: [
    {
      type: 'custom',
      name: 'apply_patch',
      description,
      format: { type: 'grammar', syntax: 'lark', definition: grammar },
    },
    {
      type: 'function',
      name: 'read',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
      strict: false,
    },
  ] satisfies OpenAI.Responses.Tool[],
}

async function ask(gateway: TestGateway, model: string, input: Item[], stream: boolean) {
  const { responses } = clientOf(gateway)
  if (!stream) return { response: await responses.create({ ...asked, model, input }), pieces: [] }
  const running = responses.stream({ ...asked, model, input, stream: true })
  const pieces: string[] = []
  for await (const event of running)
    if (event.type === 'response.custom_tool_call_input.delta') pieces.push(event.delta)
  return { response: await running.finalResponse(), pieces }
}

const cases = providers.flatMap((one) => [true, false].map((stream) => ({ ...one, stream })))

describe.each(cases)('a Responses client asks $provider (stream: $stream)', ({ provider, model, stream }) => {
  it('G-059: a tool that takes a text crosses as a function, its calls and results both ways', async () => {
    const gateway = await testGateway({ script, speaks: provider })
    const input: Item[] = [{ role: 'user', content: 'Patch a.ts.' }]
    const first = await ask(gateway, model, input, stream)
    const calls = first.response.output.filter(({ type }) => type === 'custom_tool_call' || type === 'function_call')
    expect(calls).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: patch },
      { type: 'function_call', name: 'read', arguments: '{"path":"a.ts"}' },
      { type: 'custom_tool_call', name: 'apply_patch', input: second },
    ])
    if (stream) expect(first.pieces.join('')).toBe(patch + second)
    // Gemini tells calls whole.
    if (stream && provider !== 'gemini') expect(first.pieces.length).toBeGreaterThan(4)
    const results = calls.map((call): Item => {
      const { call_id } = call as { call_id: string }
      const type = call.type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output'
      return { type, call_id, output: 'Done.' }
    })
    const next = await ask(gateway, model, [...input, ...(first.response.output as Item[]), ...results], stream)
    expect(next.response.output_text).toBe('Patched.')

    const { requests } = gateway.provider
    expect(requests.map(({ status }) => status)).toEqual([200, 200])
    const { conversation } = codecFor(provider).decode(requests[1]!)
    const told = conversation.items.filter(({ kind }) => kind === 'tool-call').map(({ text }) => JSON.parse(text))
    expect(told).toEqual([{ input: patch }, { path: 'a.ts' }, { input: second }])
    expect(conversation.items.filter(({ kind }) => kind === 'tool-result').map(({ text }) => text)).toEqual(
      Array.from({ length: 3 }, () => 'Done.'),
    )
    const tool = conversation.tools.find(({ name }) => name === 'apply_patch')
    expect(tool?.schema).toMatchObject({ type: 'object', required: ['input'] })
    expect(tool?.description).toContain(description)
    expect(tool?.description).toContain(grammar)
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result?.crossed?.lost).toContainEqual(
      expect.objectContaining({ kind: 'tool', what: 'apply_patch' }),
    )
  })

  it('a call that is cut off is told as far as it came', async () => {
    const call = { name: 'apply_patch', arguments: { input: patch } }
    const gateway = await testGateway({
      script: [{ toolCalls: [call], fault: { kind: 'truncated-tool-json' } }],
      speaks: provider,
    })
    const answered = ask(gateway, model, [{ role: 'user', content: 'Patch a.ts.' }], stream)
    // Gemini says that it has given up the call: that is an error, and no end.
    if (provider === 'gemini') return expect(answered).rejects.toThrow('MALFORMED_FUNCTION_CALL')
    const { response } = await answered
    const [{ input: told = '' } = {}] = response.output.filter(({ type }) => type === 'custom_tool_call') as [
      OpenAI.Responses.ResponseCustomToolCall?,
    ]
    return expect(['', patch.slice(0, told.length)]).toContain(told)
  })
})

describe.each([true, false])('a Chat Completions client (stream: %s)', (stream) => {
  it('has such a tool as it is where the provider speaks Responses', async () => {
    const gateway = await testGateway({ script, speaks: 'openai-responses' })
    const params: OpenAI.ChatCompletionCreateParamsNonStreaming = {
      model: 'gpt-5.1',
      messages: [{ role: 'user', content: 'Patch a.ts.' }],
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'apply_patch',
            description,
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: grammar } },
          },
        },
      ],
    }
    const { completions } = clientOf(gateway).chat
    let inputs: string[] = []
    if (stream) {
      for await (const { choices } of await completions.create({ ...params, stream: true }))
        for (const { index, custom } of choices[0]?.delta.tool_calls ?? [])
          inputs[index] = (inputs[index] ?? '') + (custom?.input ?? '')
    } else {
      const { choices } = await completions.create(params)
      inputs = (choices[0]!.message.tool_calls ?? []).map((call) => (call.type === 'custom' ? call.custom.input : ''))
    }
    expect(inputs.filter((input) => input !== '')).toEqual([patch, second])
    const sent = JSON.parse(gateway.provider.requests[0]!.body)
    const [tool] = sent.tools
    expect(tool).toEqual({
      type: 'custom',
      name: 'apply_patch',
      description,
      format: { type: 'grammar', syntax: 'lark', definition: grammar },
    })
  })
})
