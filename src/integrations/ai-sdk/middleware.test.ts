import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import type { LanguageModelMiddleware } from 'ai'
import * as six from 'ai6'
import { createAnthropic as createAnthropicOfSix } from 'anthropic-ai6'
import { expect, it } from 'vitest'
import type { FileWork } from '../file-work.fixture.ts'
import { asExpected, comparison, fileWork, finalAnswer, ours, rules, task } from '../file-work.fixture.ts'
import { prehendMiddleware } from './index.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } } } as const
const description = 'Reads a file.'

/** What a run of an agent has shown its caller. */
interface Shown {
  readonly text: string
  /** Everything, as JSON. */
  readonly all: string
}

/** Of a stream; what its steps say of the request is what the provider got. */
function seen(parts: readonly { readonly type: string }[]): readonly unknown[] {
  return parts.filter(({ type }) => type !== 'start-step').map(({ type, ...part }) => [type, part])
}

type Run = (work: FileWork, middleware: LanguageModelMiddleware[]) => Promise<Shown>

function agentOf(work: FileWork, middleware: LanguageModelMiddleware[]) {
  const anthropic = createAnthropic({ apiKey: 'k', fetch: work.provider.fetch })
  const execute = ({ path }: { path: string }): Promise<string> => work.read(path)
  return {
    model: wrapLanguageModel({ model: anthropic('claude-sonnet-4-5'), middleware }),
    instructions: rules,
    prompt: task,
    stopWhen: stepCountIs(40),
    tools: { read_file: tool({ description, inputSchema: jsonSchema<{ path: string }>(schema), execute }) },
  }
}

const whole: Run = async (work, middleware) => {
  const { text, response } = await generateText(agentOf(work, middleware))
  return { text, all: JSON.stringify(response.messages) }
}

const streamed: Run = async (work, middleware) => {
  const result = streamText(agentOf(work, middleware))
  const parts = await Array.fromAsync(result.fullStream)
  return {
    text: await result.text,
    all: JSON.stringify([seen(parts), (await result.response).messages]),
  }
}

const versionSix: Run = async (work, middleware) => {
  const anthropic = createAnthropicOfSix({ apiKey: 'k', fetch: work.provider.fetch })
  const execute = ({ path }: { path: string }): Promise<string> => work.read(path)
  const result = six.streamText({
    // In a project with version 6, its types are those of version 6.
    model: six.wrapLanguageModel({
      model: anthropic('claude-sonnet-4-5'),
      middleware: middleware as unknown as six.LanguageModelMiddleware[],
    }),
    system: rules,
    prompt: task,
    stopWhen: six.stepCountIs(40),
    tools: { read_file: six.tool({ description, inputSchema: six.jsonSchema<{ path: string }>(schema), execute }) },
  })
  const parts = await Array.fromAsync(result.fullStream)
  return { text: await result.text, all: JSON.stringify(seen(parts)) }
}

it.each([
  ['answers in one piece', whole],
  ['streams', streamed],
  ['version 6, streams', versionSix],
])('an agent does the same with a shorter prompt, whose bytes stay within an epoch: %s', async (_, run) => {
  const [work, plain] = [fileWork(), fileWork()]
  const without = await run(plain, [])
  const shown = await run(work, [prehendMiddleware(work.options)])
  expect([shown.text, without.text].map((text) => text.endsWith(finalAnswer))).toEqual([true, true])
  expect(shown.all).not.toMatch(ours)
  expect(await comparison(work, plain)).toEqual(asExpected)
})
