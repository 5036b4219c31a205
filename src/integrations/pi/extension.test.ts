import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { prehendExtension } from './index.ts'
import type {
  AssistantMessage,
  ExtensionApi,
  ExtensionContext,
  Message,
  Provider,
  Said,
  StreamEvent,
  SystemMessage,
  Transcript,
} from './types.ts'

const model = { id: 'gpt-5.1', api: 'openai-completions', provider: 'openai' }

function says(content: Said[], input = 100, stopReason = 'toolUse'): AssistantMessage {
  return { role: 'assistant', content, usage: { input, output: 5, cacheRead: 10, cacheWrite: 0 }, stopReason }
}

/** The events of a reply, as pi's own providers send them. */
function* eventsOf(message: AssistantMessage): Generator<StreamEvent> {
  const partial = { ...message, content: [] as Said[] }
  yield { type: 'start', partial }
  for (const [contentIndex, part] of message.content.entries()) {
    partial.content.push(part)
    const kind = part.type === 'toolCall' ? 'toolcall' : part.type
    for (const phase of ['start', 'delta', 'end'] as const) yield { type: `${kind}_${phase}`, contentIndex, partial }
  }
  if (message.stopReason === 'error') yield { type: 'error', reason: 'error', error: message }
  else yield { type: 'done', reason: message.stopReason, message }
}

/** A provider of pi's that gives these answers, and what it was asked. */
function scripted(answers: AssistantMessage[]) {
  const asked: Transcript[] = []
  const streamSimple: Provider['streamSimple'] = (_, context) => {
    asked.push(context)
    const answer = answers.shift()
    if (answer === undefined) throw new Error('no key')
    return {
      result: async () => answer,
      async *[Symbol.asyncIterator]() {
        yield* eventsOf(answer)
      },
    }
  }
  return { asked, provider: { id: 'openai', stream: streamSimple, streamSimple } satisfies Provider }
}

/** What pi has in place of a provider, once the extension is told that a session begins. */
function packedBy(given: Provider, options: Parameters<typeof prehendExtension>[0] = {}): Provider {
  let provider = given
  const pi: ExtensionApi = {
    on(_, handler: (event: object, context: ExtensionContext) => void) {
      handler({}, { model, modelRegistry: { getProvider: () => provider } })
    },
    registerProvider: (made) => void (provider = made),
  }
  prehendExtension({ policy: 'thrifty', ...options })(pi)
  return provider
}

async function ask(provider: Provider, messages: Message[]) {
  const stream = provider.streamSimple(model, { messages })
  const events = await Array.fromAsync(stream)
  return { events, message: await stream.result() }
}

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }
const system: SystemMessage = { role: 'system', content: 'Rules.', toolsAdded: [look], timestamp: 1 }
const question: Message = { role: 'user', content: 'Look.' }
const thought: Said = { type: 'thinking', thinking: 'Again?', thinkingSignature: 'c2ln' }
const hidden: Said = { type: 'toolCall', id: 'call_h', name: 'rehydrate', arguments: { handle: 'deadbeef' } }
const visible: Said = { type: 'toolCall', id: 'call_c', name: 'look', arguments: { at: 'x' } }
const text = (words: string): Said => ({ type: 'text', text: words })

const asksForMore = () => [
  says([thought, text('One moment. '), hidden]),
  says([text('Here. '), visible], 130),
  says([text('Done.')], 150, 'stop'),
]
const answer: Message = {
  role: 'toolResult',
  toolCallId: 'call_c',
  toolName: 'look',
  content: [{ type: 'text', text: 'x' }],
  isError: false,
}

it('a hidden round goes to the model with what it thought, as it was signed, and its answer', async () => {
  const { asked, provider } = scripted(asksForMore())
  await ask(packedBy(provider), [system, question])
  expect(asked[1]?.messages.slice(1)).toMatchObject([
    question,
    { role: 'assistant', content: [thought, text('One moment. '), hidden], provider: 'openai', model: 'gpt-5.1' },
    { role: 'toolResult', toolCallId: 'call_h', toolName: 'rehydrate' },
  ])
})

it('pi sees one reply: the words of all rounds as they come, then its own calls, the usage of the last', async () => {
  const { events, message } = await ask(packedBy(scripted(asksForMore()).provider), [system, question])
  expect(message.content).toEqual([thought, text('One moment. '), text('Here. '), visible])
  expect(message.usage.input).toBe(130)
  const seen = events.map((event) => ('contentIndex' in event ? `${event.type} ${event.contentIndex}` : event.type))
  expect(seen.filter((event) => !event.includes('delta'))).toEqual([
    'start',
    'thinking_start 0',
    'thinking_end 0',
    'text_start 1',
    'text_end 1',
    'text_start 2',
    'text_end 2',
    'toolcall_start 3',
    'toolcall_end 3',
    'done',
  ])
  expect(JSON.stringify(events)).not.toContain('rehydrate')
})

it('a later request has the hidden round again, in front of what the model went on to say', async () => {
  const { asked, provider } = scripted(asksForMore())
  const packed = packedBy(provider)
  const { message } = await ask(packed, [system, question])
  await ask(packed, [system, question, message, answer])
  const [, second, third] = asked.map(({ messages }) => messages)
  expect(third?.slice(0, second?.length)).toEqual(second)
  expect(third?.slice(second?.length)).toMatchObject([{ content: [text('Here. '), visible] }, answer])
})

it('A-039: messages that are shown as they came are the very ones, changes of tools among them', async () => {
  const { asked, provider } = scripted([says([text('Hi.')], 9, 'stop')])
  const more: SystemMessage = { role: 'system', content: '', toolsAdded: [{ ...look, name: 'listen' }], timestamp: 2 }
  const messages: Message[] = [system, question, says([thought, visible]), answer, more, question]
  await ask(packedBy(provider, { rehydrate: false }), messages)
  expect(asked[0]?.messages).toHaveLength(messages.length)
  expect(asked[0]?.messages.every((message, index) => message === messages[index])).toBe(true)
})

it('what is offered stands beside the tools that there are', async () => {
  const { asked, provider } = scripted([says([text('Hi.')], 9, 'stop')])
  await ask(packedBy(provider), [system, question])
  const [leading] = asked[0]?.messages ?? []
  expect(leading).toMatchObject({ ...system, toolsAdded: [look, { name: 'rehydrate' }] })
})

it('what a provider refuses is filed, and ends the stream as pi expects it', async () => {
  const store = memoryStore()
  const refused = { ...says([], 0, 'error'), errorMessage: 'slow down' }
  const packed = packedBy(scripted([refused]).provider, { store })
  const stated = await ask(packed, [system, question])
  const thrown = await ask(packed, [system, { role: 'user', content: 'And now?' }])
  expect(stated.message).toMatchObject({ stopReason: 'error', errorMessage: 'slow down' })
  expect(thrown.message).toMatchObject({ stopReason: 'error', errorMessage: 'no key', provider: 'openai' })
  const receipts = await store.read('receipts').list('default', { limit: 9 })
  expect(receipts.map(({ result }) => result?.status)).toEqual([502, 502])
})

it('a provider that pi sets over a packed one is packed once', async () => {
  const store = memoryStore()
  const once = packedBy(scripted([says([text('Hi.')], 9, 'stop')]).provider, { store })
  await ask(packedBy({ ...once, streamSimple: (...asked) => once.streamSimple(...asked) }, { store }), [
    system,
    question,
  ])
  expect(await store.read('receipts').list('default', { limit: 9 })).toHaveLength(1)
})
