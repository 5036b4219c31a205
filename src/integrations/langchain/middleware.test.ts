import { ChatAnthropic } from '@langchain/anthropic'
import { createAgent, tool } from 'langchain'
import { expect, it } from 'vitest'
import type { AgentMiddleware } from 'langchain'
import { z } from 'zod'
import type { FileWork } from '../file-work.fixture.ts'
import { asExpected, comparison, fileWork, finalAnswer, ours, rules, task } from '../file-work.fixture.ts'
import { prehendMiddleware } from './index.ts'

async function run(work: FileWork, middleware: AgentMiddleware[]) {
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
  const agent = createAgent({ model, tools: [readFile], systemPrompt: rules, middleware })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task }] }, { recursionLimit: 100 })
  return messages
}

it('an agent of LangChain does the same with a shorter prompt, whose bytes stay within an epoch', async () => {
  const [work, plain] = [fileWork(), fileWork()]
  const without = await run(plain, [])
  const messages = await run(work, [prehendMiddleware(work.options)])
  expect([messages, without].map((all) => all.at(-1)?.text.endsWith(finalAnswer))).toEqual([true, true])
  expect(JSON.stringify(messages)).not.toMatch(ours)
  expect(await comparison(work, plain)).toEqual(asExpected)
})
