import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseMessage } from '@langchain/core/messages'
import { createAgent, tool } from 'langchain'
import type { AgentMiddleware } from 'langchain'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { FileWork } from '../file-work.fixture.ts'
import { asExpected, comparison, fileWork, finalAnswer, ours, rules, task } from '../file-work.fixture.ts'
import { prehendMiddleware } from './index.ts'

function agentOf(work: FileWork, middleware: AgentMiddleware[]) {
  const model = new ChatAnthropic({
    model: 'claude-sonnet-4-5',
    apiKey: 'k',
    clientOptions: { fetch: work.provider.fetch, maxRetries: 0 },
    maxRetries: 0,
  })
  const readFile = tool(({ path }: { path: string }) => work.read(path), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
  })
  return createAgent({ model, tools: [readFile], systemPrompt: rules, middleware })
}

const asked = { messages: [{ role: 'user', content: task }] }
const limits = { recursionLimit: 100 }

type Run = (work: FileWork, middleware: AgentMiddleware[]) => Promise<readonly BaseMessage[]>

const invoked: Run = async (work, middleware) => (await agentOf(work, middleware).invoke(asked, limits)).messages

/** What the nodes of its graph have written, one after another. */
const updated: Run = async (work, middleware) => {
  const updates = await agentOf(work, middleware).stream(asked, { ...limits, streamMode: 'updates' })
  const written = await Array.fromAsync(updates)
  return written.flatMap((update) => Object.values(update).flatMap(({ messages }) => messages as BaseMessage[]))
}

it.each([
  ['invoked', invoked],
  ['as updates of its graph', updated],
])(
  'an agent of LangChain does the same with a shorter prompt, whose bytes stay within an epoch: %s',
  async (_, run) => {
    const [work, plain] = [fileWork(), fileWork()]
    const without = await run(plain, [])
    const messages = await run(work, [prehendMiddleware(work.options)])
    expect([messages, without].map((all) => all.at(-1)?.text.endsWith(finalAnswer))).toEqual([true, true])
    expect(JSON.stringify(messages)).not.toMatch(ours)
    expect(await comparison(work, plain)).toEqual(asExpected)
  },
)
