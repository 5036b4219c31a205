import {
  FunctionTool,
  InMemoryMemoryService,
  InMemorySessionService,
  LlmAgent,
  LogLevel,
  PRELOAD_MEMORY,
  Runner,
  SequentialAgent,
  setLogLevel,
} from '@google/adk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { filesRead, fileWork, ours, readsFiles, rules, task } from '../file-work.fixture.ts'
import { prehendPlugin } from './index.ts'
import { SimulatedGemini } from './simulated-gemini.fixture.ts'

beforeAll(() => setLogLevel(LogLevel.ERROR))
const work = fileWork(readsOrWrites)
let server: Awaited<ReturnType<typeof work.provider.listen>>
beforeAll(async () => {
  server = await work.provider.listen()
})
afterAll(() => server.close())

function readsOrWrites(request: SimulatedRequest): ScriptEntry {
  return isWriters(request) ? 'Written.' : readsFiles(request)
}

function isWriters({ body }: SimulatedRequest): boolean {
  return body.includes('You write it up.')
}

const place = { appName: 'desk', userId: 'ann', sessionId: 's-1' }
const sessionService = new InMemorySessionService()
const memoryService = new InMemoryMemoryService()

/** All that a process has of its own; what the host and we keep is elsewhere. */
function processOf() {
  const prehend = prehendPlugin(work.options)
  const model = prehend.model(new SimulatedGemini(server.url))
  const readFile = new FunctionTool({
    name: 'read_file',
    description: 'Reads a file.',
    parameters: z.object({ path: z.string() }),
    execute: async ({ path }) => ({ output: await work.read(path) }),
  })
  const reader = new LlmAgent({ name: 'reader', instruction: rules, model, tools: [readFile, PRELOAD_MEMORY] })
  const writer = new LlmAgent({ name: 'writer', instruction: 'You write it up.', model, tools: [PRELOAD_MEMORY] })
  const agent = new SequentialAgent({ name: 'desk', subAgents: [reader, writer] })
  return new Runner({ appName: place.appName, agent, plugins: [prehend], sessionService, memoryService })
}

async function remember(text: string): Promise<void> {
  const session = await sessionService.createSession({ ...place, sessionId: 'older' })
  const events = [{ author: 'user', timestamp: 1, content: { role: 'user', parts: [{ text }] } }]
  await memoryService.addSessionToMemory({ ...session, events: events as typeof session.events })
}

async function runUntil(text: string, isEnough: () => boolean): Promise<string> {
  const events: unknown[] = []
  const newMessage = { role: 'user', parts: [{ text }] }
  for await (const event of processOf().runAsync({ ...place, newMessage })) {
    events.push(event)
    if (isEnough()) break
  }
  return JSON.stringify(events)
}

const contentsOf = ({ json }: SimulatedRequest) => [json?.['contents'] ?? []].flat().map((one) => JSON.stringify(one))
const systemOf = ({ json }: SimulatedRequest) => JSON.stringify(json?.['systemInstruction'])

it('A-037: agents whose process ends in the middle of their work go on in another, under the host’s session, with its memory', async () => {
  await remember('Ann said: all files matter.')
  await sessionService.createSession(place)
  await runUntil(task, () => work.paths.length === filesRead - 4)
  const before = work.provider.requests.length
  const shown = await runUntil('All files, please. Go on.', () => false)
  const { requests } = work.provider
  const [last, first] = [requests[before - 1]!, requests[before]!].map(contentsOf)
  // On where the first process left off, with what it had folded and fetched.
  expect(last?.every((content, at) => first?.[at] === content)).toBe(true)
  expect(ours.test(String(last))).toBe(true)
  expect([ours.test(shown), shown.includes('Written.')]).toEqual([false, true])
  expect(work.paths).toHaveLength(filesRead)
  expect(requests.every((request) => systemOf(request).includes('all files matter'))).toBe(true)
  const receipts = (await work.store.read('receipts').list('default', { limit: 100 })).toReversed()
  const sessions = receipts.map(({ session }) => session)
  expect(new Set(sessions)).toEqual(new Set(['adk/desk/ann/s-1/reader//', 'adk/desk/ann/s-1/writer//']))
  expect(sessions.filter((name) => name.includes('writer'))).toHaveLength(requests.filter(isWriters).length)
})
