import { generateText, jsonSchema, streamText, wrapLanguageModel } from 'ai'
import type { ToolSet } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { expect, it } from 'vitest'
import { memoryBlobs, memoryStore } from '../../stores/index.ts'
import { prehendMiddleware } from './index.ts'
import type { Content, GenerateResult, Params, StreamPart } from './types.ts'

const usage = (total: number) => ({
  inputTokens: { total, noCache: total - 10, cacheRead: 10, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
})

const call = (toolCallId: string, toolName: string, input: object): Content => {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }
}

function result(content: Content[], unified: 'stop' | 'tool-calls', total = 100): GenerateResult {
  return { content, finishReason: { unified, raw: unified }, usage: usage(total), warnings: [] }
}

/** A model that gives these answers, and what it was asked. */
function modelOf(answers: GenerateResult[], options: Parameters<typeof prehendMiddleware>[0] = {}) {
  const asked: Params[] = []
  const model = new MockLanguageModelV4({
    provider: 'anthropic.messages',
    modelId: 'claude-sonnet-4-5',
    doGenerate: async (params) => {
      asked.push(params)
      return answers.shift()!
    },
    doStream: async (params) => {
      asked.push(params)
      return {
        stream: simulateReadableStream({
          chunks: streamOf(answers.shift()!),
          initialDelayInMs: null,
          chunkDelayInMs: null,
        }),
      }
    },
  })
  return {
    asked,
    model: wrapLanguageModel({ model, middleware: prehendMiddleware({ policy: 'thrifty', ...options }) }),
  }
}

function streamOf({ content, finishReason, usage: used }: GenerateResult): StreamPart[] {
  const parts = content.flatMap((part): StreamPart[] => {
    if (part.type === 'text' || part.type === 'reasoning') {
      const { type, text, providerMetadata } = part
      return [
        { type: `${type}-start`, id: '0' },
        { type: `${type}-delta`, id: '0', delta: text },
        { type: `${type}-end`, id: '0', ...(providerMetadata && { providerMetadata }) },
      ]
    }
    if (part.type !== 'tool-call') return [part]
    const { toolCallId: id, toolName, input: delta } = part
    return [
      { type: 'tool-input-start', id, toolName },
      { type: 'tool-input-delta', id, delta },
      { type: 'tool-input-end', id },
      part,
    ]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage: used }]
}

const tools: ToolSet = { look: { description: 'Looks.', inputSchema: jsonSchema<{ at: string }>({ type: 'object' }) } }

const signed = { anthropic: { signature: 'c2ln' } }
const thought: Content = { type: 'reasoning', text: 'I should look again.', providerMetadata: signed }
const asksForMore = (): GenerateResult[] => [
  result(
    [thought, { type: 'text', text: 'One moment. ' }, call('toolu_h', 'rehydrate', { handle: 'deadbeef' })],
    'tool-calls',
  ),
  result([{ type: 'text', text: 'Here. ' }, call('toolu_c', 'look', { at: 'x' })], 'tool-calls', 130),
]

it('a hidden round goes to the provider with the signature of what the model thought, and its answer', async () => {
  const { model, asked } = modelOf(asksForMore())
  await generateText({ model, tools, prompt: 'Look.' })
  const said = { type: 'tool-call', toolCallId: 'toolu_h', toolName: 'rehydrate', input: { handle: 'deadbeef' } }
  const answer = { type: 'tool-result', toolCallId: 'toolu_h', toolName: 'rehydrate', output: { type: 'text' } }
  expect(asked[1]?.prompt.slice(0, -2)).toEqual(asked[0]?.prompt)
  expect(asked[1]?.prompt.slice(-2)).toMatchObject([
    {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'I should look again.', providerOptions: signed }, { type: 'text' }, said],
    },
    { role: 'tool', content: [answer] },
  ])
})

it('of several rounds the caller gets the words of all, the calls that are his, and the usage of the last', async () => {
  const generated = await generateText({ model: modelOf(asksForMore()).model, tools, prompt: 'Look.' })
  const streamed = streamText({ model: modelOf(asksForMore()).model, tools, prompt: 'Look.' })
  for (const { text, toolCalls, usage: used } of [
    generated,
    { text: await streamed.text, toolCalls: await streamed.toolCalls, usage: await streamed.usage },
  ]) {
    expect(text).toMatch(/Here\. $/)
    expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['look'])
    expect(used.inputTokens).toBe(130)
  }
})

it('a later request has the hidden round again, in front of what the model went on to say', async () => {
  const { model, asked } = modelOf([...asksForMore(), result([{ type: 'text', text: 'Done.' }], 'stop')])
  const first = await generateText({ model, tools, prompt: 'Look.' })
  const seen = {
    type: 'tool-result',
    toolCallId: 'toolu_c',
    toolName: 'look',
    output: { type: 'text', value: 'x' },
  } as const
  await generateText({
    model,
    tools,
    messages: [{ role: 'user', content: 'Look.' }, ...first.response.messages, { role: 'tool', content: [seen] }],
  })
  const kinds = asked[2]?.prompt.map(({ role, content }) =>
    [role, ...(typeof content === 'string' ? [] : content.map(({ type }) => type))].join(' '),
  )
  expect(kinds).toEqual([
    'user text',
    'assistant reasoning text tool-call',
    'tool tool-result',
    'assistant text tool-call',
    'tool tool-result',
  ])
  expect(asked[2]?.prompt.slice(0, 3).map(unmarked)).toEqual(asked[1]?.prompt.map(unmarked))
})

const unmarked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/,?"cacheControl":\{[^}]*\}/g, ''))

it('what is sent as it came is the very object that came, and markers of ours stand behind those of the caller', async () => {
  const { model, asked } = modelOf([result([{ type: 'text', text: 'Hi.' }], 'stop')])
  const cacheControl = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const
  const prompt: Params['prompt'] = [
    { role: 'system', content: 'rules '.repeat(3000), providerOptions: cacheControl },
    { role: 'user', content: [{ type: 'text', text: 'words '.repeat(3000) }] },
  ]
  await model.doGenerate({ prompt })
  expect(asked[0]?.prompt[0]).toBe(prompt[0])
  expect(asked[0]?.prompt[1]).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'words '.repeat(3000), providerOptions: cacheControl }],
  })
})

it('A-039: what is sent takes the place of the prompt: each of its parts stands there once, and nothing else does', async () => {
  const { model, asked } = modelOf([result([{ type: 'text', text: 'Hi.' }], 'stop')])
  const output = { type: 'text', value: 'what was seen' } as const
  const prompt: Params['prompt'] = [
    { role: 'system', content: 'The rules.' },
    { role: 'user', content: [{ type: 'text', text: 'The question.' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'toolu_1', toolName: 'look', input: { at: 'x' } }],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'toolu_1', toolName: 'look', output }] },
  ]
  await model.doGenerate({ prompt })
  expect(asked[0]?.prompt).toEqual(prompt)
})

it('A-042: before a call is sent, a hook is told the receipt by which the store and the log know it, and the pack', async () => {
  const store = memoryStore()
  const told: (string | number)[] = []
  const sent: string[] = []
  const { model, asked } = modelOf([result([{ type: 'text', text: 'Hi.' }], 'stop')], {
    store,
    onPacked({ requestId, packId }, packed) {
      told.push(requestId, packId, asked.length)
      sent.push(JSON.stringify(packed['messages']))
    },
  })
  await model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }] })
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect(told).toEqual([receipt?.requestId, receipt?.packId, 0])
  expect(sent).toEqual([expect.stringContaining('Hi.')])
})

it('A-042: for a step of the host the hook is told the URI of the stored manifest', async () => {
  const host = { store: memoryStore(), blobs: memoryBlobs() }
  const told: (string | undefined)[] = []
  const steps = [{ taskId: '42', stepId: '3' }, undefined]
  const replies = ['Hi.', 'Bye.'].map((text) => result([{ type: 'text', text }], 'stop'))
  const { model } = modelOf(replies, {
    ...host,
    step: () => steps[told.length],
    onPacked: ({ manifestUri }) => void told.push(manifestUri),
  })
  const prompt: Params['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }]
  await model.doGenerate({ prompt })
  await model.doGenerate({ prompt })
  expect(told).toEqual(['artifact://tasks/42/step-3/manifest.json', undefined])
  const [artifact, ...others] = await host.store.read('artifacts').list({ tenant: 'default', versions: true, limit: 9 })
  expect([artifact?.path, others]).toEqual(['tasks/42/step-3/manifest.json', []])
})

it('a prompt that cannot be read goes as it came, and somebody is told', async () => {
  const told: string[] = []
  const { model, asked } = modelOf([result([{ type: 'text', text: 'Hi.' }], 'stop')], {
    onFailure: (stage) => void told.push(stage),
  })
  const output = { type: 'text', value: 'x' } as const
  const prompt: Params['prompt'] = [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'nobody', toolName: 'look', output }] },
  ]
  const { content } = await model.doGenerate({ prompt })
  expect([asked[0]?.prompt, content, told]).toEqual([prompt, [{ type: 'text', text: 'Hi.' }], ['read']])
})

it('what a provider refuses is filed with its status, and the error is the caller’s', async () => {
  const store = memoryStore()
  const refused = Object.assign(new Error('no'), { statusCode: 429 })
  const model = new MockLanguageModelV4({ modelId: 'claude-sonnet-4-5', doGenerate: () => Promise.reject(refused) })
  const wrapped = wrapLanguageModel({ model, middleware: prehendMiddleware({ policy: 'thrifty', store }) })
  await expect(
    wrapped.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }] }),
  ).rejects.toBe(refused)
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect(receipt?.result?.status).toBe(429)
})

it('text of a stream flows before its round is over, and giving it up ends the provider’s', async () => {
  let cancelled = false
  const source = new ReadableStream<StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'text-start', id: '0' })
      controller.enqueue({ type: 'text-delta', id: '0', delta: 'Now' })
    },
    cancel: () => void (cancelled = true),
  })
  const model = new MockLanguageModelV4({ modelId: 'claude-sonnet-4-5', doStream: async () => ({ stream: source }) })
  const wrapped = wrapLanguageModel({ model, middleware: prehendMiddleware({ policy: 'thrifty' }) })
  const { stream } = await wrapped.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }] })
  const reader = stream.getReader()
  await reader.read()
  expect((await reader.read()).value).toMatchObject({ type: 'text-delta', delta: 'Now' })
  await reader.cancel()
  expect(cancelled).toBe(true)
})
