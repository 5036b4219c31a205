import { FunctionTool, InMemoryRunner, LlmAgent, LogLevel, StreamingMode, setLogLevel } from '@google/adk'
import type { BaseLlm, Event } from '@google/adk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { FileWork } from '../file-work.fixture.ts'
import { asExpected, comparison, fileWork, finalAnswer, ours, rules, task } from '../file-work.fixture.ts'
import { prehendPlugin } from './index.ts'
import { SimulatedGemini } from './simulated-gemini.fixture.ts'

beforeAll(() => setLogLevel(LogLevel.ERROR))
const servers: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

async function geminiOf(work: FileWork): Promise<SimulatedGemini> {
  const server = await work.provider.listen()
  servers.push(server)
  return new SimulatedGemini(server.url)
}

function agentOf(work: FileWork, model: BaseLlm): LlmAgent {
  const readFile = new FunctionTool({
    name: 'read_file',
    description: 'Reads a file.',
    parameters: z.object({ path: z.string() }),
    execute: async ({ path }) => ({ output: await work.read(path) }),
  })
  return new LlmAgent({ name: 'reader', instruction: rules, model, tools: [readFile] })
}

async function run(runner: InMemoryRunner, streamingMode: StreamingMode) {
  const events: Event[] = []
  const newMessage = { role: 'user', parts: [{ text: task }] }
  const runConfig = { streamingMode, maxLlmCalls: 40 }
  for await (const event of runner.runEphemeral({ userId: 'ann', newMessage, runConfig })) events.push(event)
  const text = events
    .at(-1)
    ?.content?.parts?.map((part) => part.text ?? '')
    .join('')
  return { text, all: JSON.stringify(events) }
}

it.each([
  ['in one piece', StreamingMode.NONE],
  ['streamed', StreamingMode.SSE],
])('an agent of ADK does the same with a shorter prompt, whose bytes stay within an epoch: %s', async (_, mode) => {
  const [work, plain] = [fileWork(), fileWork()]
  const without = await run(new InMemoryRunner({ agent: agentOf(plain, await geminiOf(plain)) }), mode)
  const prehend = prehendPlugin(work.options)
  const agent = agentOf(work, prehend.model(await geminiOf(work)))
  const shown = await run(new InMemoryRunner({ agent, plugins: [prehend] }), mode)
  expect([shown.text, without.text].map((text) => text?.endsWith(finalAnswer))).toEqual([true, true])
  expect(shown.all).not.toMatch(ours)
  expect(await comparison(work, plain)).toEqual(asExpected)
})
