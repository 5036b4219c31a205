import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { prehendProcessor } from './index.ts'

interface Part {
  readonly type: string
  readonly [name: string]: unknown
}

interface Params {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly { readonly name: string }[]
}

const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 5, totalTokens: inputTokens + 5 })
const text = (id: string, delta: string): Part[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]
const call = (toolCallId: string, toolName: string, input: object): Part => {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }
}

/** How version 2 of the specification ends a stream, and version 3. */
const finishes = {
  v2: (reason: string, tokens: number): Part => ({ type: 'finish', finishReason: reason, usage: usage(tokens) }),
  v3: (reason: string, total: number): Part => ({
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: { inputTokens: { total }, outputTokens: { total: 5 } },
  }),
}

/** A model as Mastra has it, with a secret that only its own methods may read. */
class ScriptedModel {
  readonly specificationVersion: 'v2' | 'v3'
  readonly provider = 'openai.chat'
  readonly modelId = 'gpt-5.1'
  readonly asked: Params[] = []
  readonly #answers: Part[][]

  constructor(version: 'v2' | 'v3') {
    this.specificationVersion = version
    const finish = finishes[version]
    this.#answers = [
      [...text('0', 'One moment. '), call('c_h', 'rehydrate', { handle: 'deadbeef' }), finish('tool-calls', 100)],
      [...text('0', 'Here. '), call('c_1', 'look', { at: 'x' }), finish('tool-calls', 130)],
    ]
  }

  left(): number {
    return this.#answers.length
  }

  async doStream(params: Params) {
    this.asked.push(params)
    return { stream: ReadableStream.from(this.#answers.shift() ?? []) }
  }

  async doGenerate(params: Params) {
    return this.doStream(params)
  }
}

const params: Params = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }],
  tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object' } } as unknown as { readonly name: string }],
}

it.each([
  ['v2', 'doStream'],
  ['v2', 'doGenerate'],
  ['v3', 'doStream'],
  ['v3', 'doGenerate'],
] as const)(
  'a step’s model answers hidden calls itself, in its own version of streams: %s, %s',
  async (version, way) => {
    const scripted = new ScriptedModel(version)
    const { model } = prehendProcessor({ policy: 'thrifty' }).processInputStep({ model: scripted })
    const parts = await Array.fromAsync((await model[way](params)).stream)
    expect(parts.map(({ type, delta, toolName }) => delta ?? toolName ?? type)).toEqual([
      'text-start',
      'One moment. ',
      'text-end',
      'text-start',
      'Here. ',
      'text-end',
      'look',
      'finish',
    ])
    expect(parts.at(-1)).toEqual(finishes[version]('tool-calls', 130))
    expect(scripted.asked[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  },
)

it('what the model is stays as it is, and a step that begins with a packed model does not pack it twice', () => {
  const scripted = new ScriptedModel('v2')
  const processor = prehendProcessor({ policy: 'thrifty' })
  const { model } = processor.processInputStep({ model: scripted })
  expect(model).toBeInstanceOf(ScriptedModel)
  expect([model.modelId, model.left()]).toEqual(['gpt-5.1', 2])
  expect(processor.processInputStep({ model }).model).toBe(model)
  expect(processor.processInputStep({ model: scripted }).model).toBe(model)
})

it('each call has a receipt, with the usage that its model told', async () => {
  const store = memoryStore()
  const { model } = prehendProcessor({ policy: 'thrifty', store }).processInputStep({ model: new ScriptedModel('v2') })
  for await (const _ of (await model.doStream(params)).stream);
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect([receipt?.model, receipt?.result?.usage?.inputTokens, receipt?.result?.rehydrations]).toEqual([
    'gpt-5.1',
    230,
    1,
  ])
})
