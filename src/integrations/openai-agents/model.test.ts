import { Agent, Runner, tool } from '@openai/agents-core'
import type { Model, StreamEvent } from '@openai/agents-core'
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import type { FileWork } from '../file-work.fixture.ts'
import { asExpected, comparison, fileWork, finalAnswer, ours, rules, task } from '../file-work.fixture.ts'
import { prehendModel } from './index.ts'

const model = 'gpt-5.1'

function clientOf(work: FileWork) {
  return new OpenAI({ apiKey: 'k', fetch: work.provider.fetch, maxRetries: 0 })
}

function agentOf(work: FileWork, made: Model) {
  const readFile = tool({
    name: 'read_file',
    description: 'Reads a file.',
    strict: false,
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: [], additionalProperties: true },
    execute: (input) => work.read((input as { readonly path: string }).path),
  })
  const agent = new Agent({ name: 'Reader', instructions: rules, model: made, tools: [readFile] })
  return { agent, runner: new Runner({ tracingDisabled: true }) }
}

async function whole(work: FileWork, made: Model) {
  const { agent, runner } = agentOf(work, made)
  const result = await runner.run(agent, task, { maxTurns: 40 })
  return { text: result.finalOutput, all: JSON.stringify(result.history) }
}

async function streams(work: FileWork, made: Model) {
  const { agent, runner } = agentOf(work, made)
  const result = await runner.run(agent, task, { maxTurns: 40, stream: true })
  const events: StreamEvent[] = []
  for await (const event of result) if (event.type === 'raw_model_stream_event') events.push(event.data)
  await result.completed
  return { text: result.finalOutput, all: JSON.stringify([result.history, events]) }
}

it.each([
  ['Responses, in one piece', OpenAIResponsesModel, whole],
  ['Responses, streamed', OpenAIResponsesModel, streams],
  ['Chat Completions, in one piece', OpenAIChatCompletionsModel, whole],
  ['Chat Completions, streamed', OpenAIChatCompletionsModel, streams],
])(
  'an agent of OpenAI’s SDK does the same with a shorter prompt, whose bytes stay within an epoch: %s',
  async (_, Made, run) => {
    const [work, plain] = [fileWork(), fileWork()]
    const without = await run(plain, new Made(clientOf(plain), model))
    const shown = await run(work, prehendModel(new Made(clientOf(work), model), { ...work.options, model }))
    expect([shown.text, without.text].map((text) => text?.endsWith(finalAnswer))).toEqual([true, true])
    expect(shown.all).not.toMatch(ours)
    expect(await comparison(work, plain)).toEqual(asExpected)
  },
)
