import { Usage } from '@openai/agents-core'
import type { AgentInputItem, AgentOutputItem, ModelRequest } from '@openai/agents-core'
import { ScriptedModel } from '@openai/agents-core/testing'
import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { prehendModel, prehendProvider } from './index.ts'

const look: ModelRequest['tools'][number] & { readonly type: 'function' } = {
  type: 'function',
  name: 'look',
  description: 'Looks.',
  strict: false,
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
}

function requestOf(input: ModelRequest['input'], more: Partial<ModelRequest> = {}): ModelRequest {
  return { input, modelSettings: {}, tools: [look], outputType: 'text', handoffs: [], tracing: false, ...more }
}

const thought: AgentOutputItem = {
  type: 'reasoning',
  id: 'rs_1',
  content: [],
  providerData: { encrypted_content: 'c2VhbGVk' },
}
const says = (text: string): AgentOutputItem => {
  return { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }
}
const calls = (callId: string, name: string, input: object): AgentOutputItem => {
  return { type: 'function_call', callId, name, arguments: JSON.stringify(input), status: 'completed' }
}
const response = (inputTokens: number, ...output: AgentOutputItem[]) => {
  return { output, usage: new Usage({ inputTokens, outputTokens: 5, totalTokens: inputTokens + 5 }) }
}

const asksForMore = () => [
  response(100, thought, says('One moment. '), calls('call_h', 'rehydrate', { handle: 'deadbeef' })),
  response(130, says('Here. '), calls('call_c', 'look', { at: 'x' })),
]

const question: AgentInputItem = { type: 'message', role: 'user', content: 'Look.' }

function itemsOf(model: ScriptedModel, call: number): readonly AgentInputItem[] {
  const input = model.calls[call]?.request.input ?? []
  return typeof input === 'string' ? [] : input
}

it('a hidden round goes to the model with what it thought, as it was sealed, and its answer', async () => {
  const scripted = new ScriptedModel(asksForMore())
  const { output, usage } = await prehendModel(scripted, { model: 'gpt-5.1', policy: 'thrifty' }).getResponse(
    requestOf([question]),
  )
  expect(itemsOf(scripted, 1)).toMatchObject([
    question,
    thought,
    { role: 'assistant', content: [{ text: 'One moment. ' }] },
    { type: 'function_call', callId: 'call_h', name: 'rehydrate' },
    { type: 'function_call_result', callId: 'call_h', name: 'rehydrate' },
  ])
  expect(output.map((item) => ('name' in item ? item.name : item.type))).toEqual([
    'reasoning',
    'message',
    'message',
    'look',
  ])
  expect(usage.inputTokens).toBe(130)
})

it('a later request has the hidden round again, in front of what the model went on to say', async () => {
  const scripted = new ScriptedModel([...asksForMore(), response(150, says('Done.'))])
  const model = prehendModel(scripted, { model: 'gpt-5.1', policy: 'thrifty' })
  const { output } = await model.getResponse(requestOf([question]))
  const result: AgentInputItem = {
    type: 'function_call_result',
    callId: 'call_c',
    name: 'look',
    status: 'completed',
    output: 'x',
  }
  await model.getResponse(requestOf([question, ...output, result]))
  expect(itemsOf(scripted, 2).slice(0, 5)).toEqual(itemsOf(scripted, 1))
  expect(itemsOf(scripted, 2).slice(5)).toEqual([says('Here. '), calls('call_c', 'look', { at: 'x' }), result])
})

it('A-039: items and tools that are shown as they came are the very ones, handoffs stay apart, and a text stays a text', async () => {
  const scripted = new ScriptedModel([response(9, says('Hi.')), response(9, says('Hi.'))])
  const model = prehendModel(scripted, { model: 'gpt-5.1', policy: 'thrifty', rehydrate: false })
  const handoffs: ModelRequest['handoffs'] = [
    { toolName: 'to_other', toolDescription: 'Hands over.', inputJsonSchema: look.parameters, strictJsonSchema: false },
  ]
  await model.getResponse(requestOf('Hi.', { handoffs }))
  await model.getResponse(requestOf([question]))
  const [first, second] = scripted.calls.map(({ request }) => request)
  expect([first?.input, first?.handoffs, first?.tools]).toEqual(['Hi.', handoffs, [look]])
  expect(second?.input).toEqual([question])
})

it('what is left of a conversation that the provider keeps goes as it came, without a receipt', async () => {
  const store = memoryStore()
  const scripted = new ScriptedModel([response(9, says('Hi.'))])
  const request = requestOf([question], { previousResponseId: 'resp_1' })
  await prehendModel(scripted, { model: 'gpt-5.1', policy: 'thrifty', store }).getResponse(request)
  expect(scripted.calls[0]?.request).toEqual(request)
  expect(await store.read('receipts').list('default', { limit: 1 })).toEqual([])
})

it('a provider’s models are packed for the model that was asked for', async () => {
  const told: string[] = []
  const scripted = new ScriptedModel([response(9, says('Hi.'))])
  const store = memoryStore()
  const provider = prehendProvider(
    { getModel: (name = '') => (told.push(name), scripted) },
    { policy: 'thrifty', store },
  )
  const model = await provider.getModel('gpt-5.1')
  await model.getResponse(requestOf([question]))
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect([told, receipt?.model]).toEqual([['gpt-5.1'], 'gpt-5.1'])
})
