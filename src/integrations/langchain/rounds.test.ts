import { AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import type { BaseMessage } from '@langchain/core/messages'
import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { prehendMiddleware } from './index.ts'
import type { Handler, ModelRequest, WrapModelCall } from './types.ts'

const look = { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }

/** The hook of a middleware, with a model that gives these answers, and what it was asked. */
function modelOf(answers: (AIMessage | Error)[], options: Parameters<typeof prehendMiddleware>[0] = {}) {
  const asked: Parameters<Handler>[0][] = []
  const wrap = prehendMiddleware({ model: 'claude-sonnet-4-5', policy: 'thrifty', ...options })
    .wrapModelCall as WrapModelCall
  const handler: Handler = async (request) => {
    asked.push(request)
    const answer = answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
  const ask = async (messages: BaseMessage[]): Promise<AIMessage> => {
    const request = {
      model: {},
      messages,
      systemPrompt: 'Rules.',
      systemMessage: new SystemMessage('Rules.'),
      tools: [look],
    }
    return (await wrap(request as unknown as ModelRequest, handler)) as AIMessage
  }
  return { asked, ask }
}

const signed = { type: 'thinking', thinking: 'I should look again.', signature: 'c2ln' }
/** The class's type forbids what its own models give. */
const usage = (input: number) => ({ input_tokens: input, output_tokens: 5, total_tokens: input + 5 }) as never

const asksForMore = () => [
  new AIMessage({
    content: [signed, { type: 'text', text: 'One moment. ' }],
    tool_calls: [{ id: 'toolu_h', name: 'rehydrate', args: { handle: 'deadbeef' } }],
    usage_metadata: usage(100),
  }),
  new AIMessage({
    content: [
      { type: 'text', text: 'Here. ' },
      { type: 'tool_use', id: 'toolu_c', name: 'look', input: { at: 'x' } },
    ],
    tool_calls: [{ id: 'toolu_c', name: 'look', args: { at: 'x' } }],
    usage_metadata: usage(130),
  }),
]

it('a hidden round goes to the model with what it thought, as it was signed, and its answer', async () => {
  const { ask, asked } = modelOf(asksForMore())
  await ask([new HumanMessage('Look.')])
  const [said, answer] = asked[1]?.messages.slice(1) ?? []
  expect(said?.content).toEqual([signed, { type: 'text', text: 'One moment. ' }])
  expect((said as AIMessage).tool_calls).toMatchObject([{ id: 'toolu_h', name: 'rehydrate' }])
  expect(answer).toMatchObject({ tool_call_id: 'toolu_h' })
  expect(asked[1]?.messages[0]).toBe(asked[0]?.messages[0])
})

it('the caller gets one message: the words of all rounds, his own calls, the usage of the last', async () => {
  const { ask } = modelOf(asksForMore())
  const message = await ask([new HumanMessage('Look.')])
  expect(message.text).toBe('One moment. Here. ')
  expect(message.tool_calls?.map(({ name }) => name)).toEqual(['look'])
  expect(message.usage_metadata).toMatchObject({ input_tokens: 130 })
})

it('the caller of a model that streams gets no piece of a call of ours', async () => {
  const piece = (id: string, name: string) =>
    ({ id, name, args: '{"handle":"deadbeef"}', type: 'tool_call_chunk' }) as const
  const streamed = new AIMessageChunk({
    content: 'Here. ',
    tool_call_chunks: [piece('call_c', 'look'), piece('call_h', 'rehydrate')],
  })
  const message = await modelOf([streamed]).ask([new HumanMessage('Look.')])
  expect(message.tool_calls?.map(({ name }) => name)).toEqual(['look'])
  expect(JSON.stringify(message)).not.toContain('rehydrate')
})

it('a later request has the hidden round again, in front of what the model went on to say', async () => {
  const { ask, asked } = modelOf([...asksForMore(), new AIMessage('Done.')])
  const question = new HumanMessage('Look.')
  const message = await ask([question])
  await ask([question, message, new ToolMessage({ content: 'x', tool_call_id: 'toolu_c' })])
  const sent = asked[2]?.messages ?? []
  expect(sent.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai', 'tool'])
  expect(sent.slice(0, 3).map(({ content }) => content)).toEqual(asked[1]?.messages.map(({ content }) => content))
  expect(sent[3]?.text).toBe('Here. ')
})

it('A-039: messages and tools that are shown as they came are the very ones, and so is a reply that is whole', async () => {
  const answer = new AIMessage('Hi.')
  const { ask, asked } = modelOf([answer], { rehydrate: false })
  const messages = [
    new HumanMessage('Hi.'),
    new AIMessage({ content: [signed] }),
    new HumanMessage({ content: [{ type: 'text', text: 'Go.' }] }),
  ]
  expect(await ask(messages)).toBe(answer)
  expect(asked[0]?.messages).toHaveLength(messages.length)
  expect(asked[0]?.messages.every((message, index) => message === messages[index])).toBe(true)
  expect(asked[0]?.tools).toEqual([look])
})

it('what a provider refuses is filed with its status, and the error is the caller’s', async () => {
  const store = memoryStore()
  const refused = Object.assign(new Error('no'), { status: 429 })
  await expect(modelOf([refused], { store }).ask([new HumanMessage('Hi.')])).rejects.toBe(refused)
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect(receipt?.result?.status).toBe(429)
})
