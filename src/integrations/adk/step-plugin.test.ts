import { FunctionTool, InMemoryRunner, LlmAgent, setLogger } from '@google/adk'
import type { LlmRequest } from '@google/adk'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimStep, taskBoard } from '../../core/index.ts'
import type { HostState, StepReceipt } from '../../sessions/index.ts'
import { memoryBlobs, memoryStore } from '../../stores/index.ts'
import { prehendSteps } from './index.ts'
import type { AdkCall, StepOptions } from './index.ts'
import { ScriptedLlm, calls, says, toolsOf } from './scripted-llm.fixture.ts'
import { lastUserText, withStepPack } from './step-request.ts'
import type { Content } from './types.ts'

beforeAll(() => setLogger(null))

const board = taskBoard({
  taskId: 'release',
  goal: 'A release',
  steps: [{ id: 'find', goal: 'Find the change', checklist: ['Names one commit'], tools: ['look'] }],
})

const state: HostState = {
  plan: { instructions: 'Work in small steps.', board: claimStep(board, 'find', 'ann') },
  tools: ['write', 'look'].map((name) => ({ name, description: `${name}.`, schema: { type: 'object' } })),
  knowledge: {
    memory: [{ id: 'm1', text: 'The build takes ten minutes.', learntAt: '2026-11-20T10:00:00Z' }],
    artifacts: [{ uri: 'artifact://build.log', text: 'error: no such module' }],
  },
  events: [{ id: 'e1', role: 'user', text: 'The build is red.' }],
}
const step = (): ReturnType<StepOptions['step']> => ({
  state,
  stepId: 'find',
  by: 'ann',
  budget: { windowTokens: 8000 },
})

const tools = ['write', 'look'].map(
  (name) =>
    new FunctionTool({
      name,
      description: `${name}.`,
      parameters: z.object({ at: z.string() }),
      execute: ({ at }) => ({ output: `seen at ${at}` }),
    }),
)

const picture = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }

async function asked(newMessage: Content, options: Partial<StepOptions> = {}) {
  const llm = new ScriptedLlm([[says([calls('look', { at: 'x' })])], [says([{ text: 'It was 3f2a.' }])]])
  const agent = new LlmAgent({ name: 'reader', instruction: 'Rules of the host.', model: llm, tools })
  const plugins = [prehendSteps({ step, now: () => new Date('2026-11-22T12:00:00Z'), ...options })]
  const runner = new InMemoryRunner({ agent, appName: 'desk', plugins })
  for await (const _ of runner.runEphemeral({ userId: 'ann', newMessage })) continue
  return llm.asked
}

describe('A-043: before a call', () => {
  it.each([
    ['text', [{ text: 'What broke the build?' }]],
    ['text and a picture', [{ text: 'What broke the build?' }, picture]],
  ])('the last user message is rewritten with the pack, and other parts are kept: %s', async (_, parts) => {
    const [first, second] = await asked({ role: 'user', parts })
    const last = first!.contents.at(-1)!
    const [words, ...others] = last.parts!
    for (const part of ['A release', 'Find the change', 'Names one commit', 'no such module', 'What broke the build?'])
      expect(words!.text).toContain(part)
    expect(others).toEqual(parts.slice(1))
    expect(first!.contents.filter(({ parts: [part] = [] }) => part?.text === 'What broke the build?')).toEqual([])
    // What the agent has done in the step since stays behind it.
    expect(second!.contents.slice(0, first!.contents.length)).toEqual(first!.contents)
    expect(second!.contents.slice(first!.contents.length)).toMatchObject([
      { role: 'model', parts: [{ functionCall: { name: 'look' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look' } }] },
    ])
  })

  it("the tools are those of the step, and the system text is the pack's", async () => {
    const [first] = await asked({ role: 'user', parts: [{ text: 'What broke the build?' }] })
    expect(toolsOf(first!)).toEqual(['look'])
    expect(first!.config?.systemInstruction).toContain('Work in small steps.')
    expect(first!.config?.systemInstruction).not.toContain('Rules of the host.')
  })

  it('A-042: the hook is told the URI of the manifest, which is stored', async () => {
    const told: (string | undefined)[] = []
    const artifacts = { store: memoryStore(), blobs: memoryBlobs(), clock: () => 0, tenant: 'desk' }
    const onPacked: StepOptions['onPacked'] = ({ manifestUri }) => void told.push(manifestUri)
    await asked({ role: 'user', parts: [{ text: 'What broke the build?' }] }, { artifacts, onPacked })
    expect(new Set(told)).toEqual(new Set(['artifact://tasks/release/step-find/manifest.json']))
    const stored = await artifacts.store.read('artifacts').list({ tenant: 'desk', versions: false, limit: 9 })
    expect(stored.map(({ path }) => `artifact://${path}`)).toEqual([told[0]])
  })

  it('doing it twice changes nothing', async () => {
    const plugin = prehendSteps({ step })
    const llmRequest: LlmRequest = {
      model: 'gemini-2.5-pro',
      contents: [{ role: 'user', parts: [{ text: 'What broke the build?' }] }],
      config: { tools: [{ functionDeclarations: [{ name: 'write' }, { name: 'look' }] }] },
      toolsDict: {},
      liveConnectConfig: {},
    }
    const session = { id: 's1', appName: 'desk', userId: 'ann', events: [] }
    const callbackContext = { agentName: 'reader', invocationContext: { session, invocationId: 'i1' } } as never
    expect(await plugin.beforeModelCallback({ callbackContext, llmRequest })).toBeUndefined()
    const once = structuredClone({ contents: llmRequest.contents, config: llmRequest.config })
    expect(lastUserText(llmRequest)).toContain('Find the change')
    await plugin.beforeModelCallback({ callbackContext, llmRequest })
    expect({ contents: llmRequest.contents, config: llmRequest.config }).toEqual(once)
  })
})

it('V-073: memory that stays the same moves into the instructions between questions, and never between the calls for one', async () => {
  const plugin = prehendSteps({ step: () => ({ ...step()!, state: { ...state, events: [] } }) })
  const instructions: string[] = []
  for (const question of ['One?', 'Two?', 'Three?', 'Four?', 'Five?', 'Six?']) {
    for (const _ of ['call', 'call again', 'and again']) {
      const contents = [{ role: 'user', parts: [{ text: question }] }]
      const llmRequest: LlmRequest = { model: 'gemini-2.5-pro', contents, toolsDict: {}, liveConnectConfig: {} }
      const session = { id: 's1', appName: 'desk', userId: 'ann', events: [] }
      const callbackContext = { agentName: 'reader', invocationContext: { session, invocationId: 'i1' } } as never
      await plugin.beforeModelCallback({ callbackContext, llmRequest })
      instructions.push(String(llmRequest.config?.systemInstruction))
    }
  }
  const moved = instructions.map((text) => text.includes('The build takes ten minutes.'))
  expect(moved).toEqual(Array.from({ length: 18 }, (_, index) => index >= 9))
  expect(new Set(instructions).size).toBe(2)
})

it('the hook is told pack, receipt and call; the receipt names the session of the host', async () => {
  const told: { readonly receipt?: StepReceipt; readonly call: AdkCall }[] = []
  await asked({ role: 'user', parts: [{ text: 'What broke the build?' }] }, { onPacked: (own) => told.push(own) })
  expect(told.map(({ receipt }) => receipt?.stepId)).toEqual(['find', 'find'])
  expect(told[0]!.receipt).toMatchObject({ sessionId: told[0]!.call.sessionId, createdAt: '2026-11-22T12:00:00.000Z' })
})

it('calls without a step, and packs that do not fit, go as they came', async () => {
  const question = { role: 'user', parts: [{ text: 'What broke the build?' }] }
  const [without] = await asked(question, { step: () => undefined })
  expect([without!.contents, toolsOf(without!)]).toEqual([[question], ['write', 'look']])
  const outcomes: string[] = []
  const [tight] = await asked(question, {
    step: () => ({ ...step()!, budget: { windowTokens: 50 } }),
    onPacked: ({ outcome }) => outcomes.push(outcome.kind),
  })
  expect(tight!.contents).toEqual([question])
  expect(outcomes[0]).toBe('budget-exhausted')
})

it('a request without tools and instructions gets none', () => {
  const request = { contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }] } as never
  expect(withStepPack(request, { messages: [{ role: 'user', text: 'Pack.' }] } as never, [])).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Pack.' }] }],
    config: {},
  })
})
