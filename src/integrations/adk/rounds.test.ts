import { FunctionTool, InMemoryRunner, LlmAgent, StreamingMode, setLogger } from '@google/adk'
import type { BaseLlm, BasePlugin, Event, LlmResponse } from '@google/adk'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { memoryBlobs, memoryStore } from '../../stores/index.ts'
import { prehendPlugin } from './index.ts'
import type { AdkCall, AdkOptions } from './index.ts'
import { ScriptedLlm, calls, says, stopped, toolsOf } from './scripted-llm.fixture.ts'
import type { Content, Part } from './types.ts'

beforeAll(() => setLogger(null))

const look = new FunctionTool({
  name: 'look',
  description: 'Looks.',
  parameters: z.object({ at: z.string() }),
  execute: ({ at }) => ({ output: `seen at ${at}` }),
})

const hidden = [{ text: 'One moment. ' }, calls('rehydrate', { handle: 'deadbeef' }, 'c2ln')]
const visible = [{ text: 'Here. ' }, calls('look', { at: 'x' })]
const asksForMore = () => [[says(hidden)], [says(visible, 130)], [says([{ text: 'Done.' }], 150)]]

const question: Content = { role: 'user', parts: [{ text: 'Look.' }] }

interface Task {
  readonly llm: BaseLlm
  readonly plugins: BasePlugin[]
  readonly message?: Content
  readonly streamingMode?: StreamingMode
}

async function eventsOf({ llm, plugins, message = question, streamingMode = StreamingMode.NONE }: Task) {
  const agent = new LlmAgent({ name: 'reader', instruction: 'Rules.', model: llm, tools: [look] })
  const runner = new InMemoryRunner({ agent, appName: 'desk', plugins })
  const events: Event[] = []
  const asked = { userId: 'ann', newMessage: message, runConfig: { streamingMode } }
  for await (const event of runner.runEphemeral(asked)) events.push(event)
  return events
}

async function work(answers: (LlmResponse[] | Error)[], options: AdkOptions = {}, more: Partial<Task> = {}) {
  const scripted = new ScriptedLlm(answers)
  const prehend = prehendPlugin({ policy: 'thrifty', ...options })
  const events = await eventsOf({ llm: prehend.model(scripted), plugins: [prehend], ...more })
  return { asked: scripted.asked, events }
}

const partsOf = (events: readonly Event[]) =>
  events.filter(({ partial }) => partial !== true).map(({ content }) => content?.parts ?? [])
it('a hidden round goes to the model as it was signed, with its answer, and the agent sees one reply', async () => {
  const { asked, events } = await work(asksForMore())
  expect(asked[1]?.contents).toMatchObject([
    question,
    { role: 'model', parts: hidden },
    { role: 'user', parts: [{ functionResponse: { name: 'rehydrate' } }] },
  ])
  const [reply] = partsOf(events)
  expect(reply?.map(({ text, functionCall }) => text ?? functionCall?.name)).toEqual(['One moment. Here. ', 'look'])
  expect(events[0]?.usageMetadata?.promptTokenCount).toBe(130)
})

it('a later request has the hidden round again, in front of what the model went on to say', async () => {
  const { asked } = await work(asksForMore())
  expect(asked[2]?.contents.slice(0, 3)).toEqual(asked[1]?.contents)
  expect(asked[2]?.contents.slice(3)).toMatchObject([
    { role: 'model', parts: visible },
    { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'seen at x' } } }] },
  ])
})

it('a stream shows words as they come, and no piece of a call that is not the agent’s', async () => {
  const partial = (part: Part): LlmResponse => ({ content: { role: 'model', parts: [part] }, partial: true })
  const streamed = asksForMore().map(([whole]) => [...(whole?.content?.parts ?? []).map(partial), whole!])
  const { events } = await work(streamed, {}, { streamingMode: StreamingMode.SSE })
  const pieces = events.filter((event) => event.partial === true).flatMap(({ content }) => content?.parts ?? [])
  expect(pieces.map(({ text, functionCall }) => text ?? functionCall?.name)).toEqual([
    'One moment. ',
    'Here. ',
    'look',
    'Done.',
  ])
  expect(JSON.stringify(events)).not.toContain('rehydrate')
})

const usedOnly: LlmResponse = { ...stopped, usageMetadata: { promptTokenCount: 130 }, partial: false }
const piece = (...parts: Part[]): LlmResponse => ({ content: { role: 'model', parts }, partial: false })
const [atX, atY] = [calls('look', { at: 'x' }), calls('look', { at: 'y' })]

it('calls that come in responses of their own stay so, for the host runs those of one together', async () => {
  const answers = () => [[piece({ text: 'Both. ' }), piece(atX), piece(atY), usedOnly], [says([{ text: 'Done.' }])]]
  const streamingMode = StreamingMode.SSE
  const plain = await eventsOf({ llm: new ScriptedLlm(answers()), plugins: [], streamingMode })
  const { events } = await work(answers(), {}, { streamingMode })
  const shape = (all: readonly Event[]) => partsOf(all).map((parts) => parts.map((part) => Object.keys(part)[0]))
  expect(shape(events)).toEqual(shape(plain))
  expect(events.filter(({ customMetadata }) => customMetadata)).toHaveLength(5)
})

it('and so do those of a round that follows on one of ours', async () => {
  const more = calls('rehydrate', { handle: 'feed' })
  const answers = [[piece(...hidden), usedOnly], [piece(atX), piece(atY, more), usedOnly], [says([{ text: 'Done.' }])]]
  const { events } = await work(answers, {}, { streamingMode: StreamingMode.SSE })
  const seen = partsOf(events).map((parts) => parts.map(({ text, functionCall }) => text ?? functionCall?.args?.['at']))
  expect(seen).toEqual([['One moment. '], ['x'], [undefined], ['y'], [undefined], [], ['Done.']])
})

it('A-039: contents and tools that are shown as they came are sent once and unchanged, pictures among them', async () => {
  const picture: Part = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
  const message: Content = { role: 'user', parts: [{ text: 'Look at this.' }, picture] }
  const answers = () => [[says(visible)], [says([{ text: 'Done.' }])]]
  const plain = new ScriptedLlm(answers())
  await eventsOf({ llm: plain, plugins: [], message })
  const { asked } = await work(answers(), { rehydrate: false }, { message })
  expect(asked).toEqual(plain.asked)
})

it('A-043: packing what is packed changes nothing', async () => {
  const prehend = prehendPlugin({ policy: 'thrifty' })
  const states: string[] = []
  const twice = new Proxy(prehend, {
    get: (plugin, name) => (name === 'beforeModelCallback' ? packTwice : (Reflect.get(plugin, name) as unknown)),
  })
  const packTwice: BasePlugin['beforeModelCallback'] = async (asked) => {
    for (let time = 0; time < 2; time += 1) {
      await prehend.beforeModelCallback(asked)
      states.push(JSON.stringify([asked.llmRequest.contents, asked.llmRequest.config]))
    }
    return undefined
  }
  const scripted = new ScriptedLlm(asksForMore())
  await eventsOf({ llm: prehend.model(scripted), plugins: [twice] })
  expect([states[1], states[3]]).toEqual([states[0], states[2]])
  expect([states.length, scripted.asked.length]).toEqual([4, 3])
})

it('an agent whose model is not wrapped is offered no tool of ours, and its receipts tell what was used', async () => {
  const store = memoryStore()
  const scripted = new ScriptedLlm([[says(visible)], [says([{ text: 'Done.' }], 150)]])
  const events = await eventsOf({ llm: scripted, plugins: [prehendPlugin({ policy: 'thrifty', store })] })
  const receipts = (await store.read('receipts').list('default', { limit: 9 })).toReversed()
  expect(scripted.asked.map(toolsOf)).toEqual([['look'], ['look']])
  expect(receipts.map(({ result }) => result?.usage?.inputTokens)).toEqual([100, 150])
  expect(events.filter(({ customMetadata }) => customMetadata)).toHaveLength(2)
})

it.each([
  ['wrapped', true],
  ['not wrapped', false],
])('what a provider refuses is filed with its status, and the error is the host’s: model %s', async (_, isWrapped) => {
  const store = memoryStore()
  const prehend = prehendPlugin({ policy: 'thrifty', store })
  const scripted = new ScriptedLlm([Object.assign(new Error('slow down'), { status: 429 })])
  const events = await eventsOf({ llm: isWrapped ? prehend.model(scripted) : scripted, plugins: [prehend] })
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect([receipt?.result?.status, events.at(-1)?.errorMessage]).toEqual([429, 'slow down'])
})

it('A-042, A-047: the hook tells where in the host’s records a call stands, and the host’s event names its pack', async () => {
  const told: [string, AdkCall][] = []
  const sent: string[] = []
  const onPacked: AdkOptions['onPacked'] = ({ packId }, packed, call) => {
    told.push([packId, call])
    sent.push(JSON.stringify(packed['contents']))
  }
  const { events } = await work([[says(visible)], [says([{ text: 'Done.' }])]], { onPacked })
  const named = events.flatMap(({ customMetadata, invocationId, author }) =>
    customMetadata === undefined ? [] : { ...(customMetadata['prehend'] as object), invocationId, author },
  )
  expect(named).toMatchObject(
    told.map(([packId, { invocationId, agent: author }]) => ({ packId, invocationId, author })),
  )
  expect(told.map(([, call]) => call)).toMatchObject([
    { appName: 'desk', userId: 'ann', agent: 'reader', eventCount: 1, tools: ['look'] },
    { appName: 'desk', userId: 'ann', agent: 'reader', eventCount: 3, lastEventId: events[1]?.id, tools: ['look'] },
  ])
  expect(new Set(told.map(([, { sessionId }]) => sessionId)).size).toBe(1)
  expect(sent.map((contents) => contents.includes('Here. '))).toEqual([false, true])
})

it('A-042: for a step of the host, hook and event have the URI of the stored manifest', async () => {
  const host = { store: memoryStore(), blobs: memoryBlobs() }
  const told: (string | undefined)[] = []
  const { events } = await work([[says([{ text: 'Done.' }])]], {
    ...host,
    step: ({ agent }) => ({ taskId: 'release', stepId: agent }),
    onPacked: ({ manifestUri }) => void told.push(manifestUri),
  })
  const uri = 'artifact://tasks/release/step-reader/manifest.json'
  expect(told).toEqual([uri])
  expect(events[0]?.customMetadata?.['prehend']).toMatchObject({ manifestUri: uri })
  const [artifact] = await host.store.read('artifacts').list({ tenant: 'default', versions: true, limit: 9 })
  expect(artifact?.path).toBe('tasks/release/step-reader/manifest.json')
})

it('a conversation that the provider keeps goes as it came, without a receipt', async () => {
  const store = memoryStore()
  const scripted = Object.assign(new ScriptedLlm([[says([{ text: 'Hi.' }])]]), { useInteractionsApi: true })
  const prehend = prehendPlugin({ policy: 'thrifty', store })
  await eventsOf({ llm: prehend.model(scripted), plugins: [prehend] })
  expect(scripted.asked.map(toolsOf)).toEqual([['look']])
  expect(await store.read('receipts').list('default', { limit: 1 })).toEqual([])
})
