import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'

const tools = Object.entries(fileTools).map(([name, { description, parameters }]) =>
  tool((input) => answer(name, input), {
    name,
    description,
    schema: z.object(Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))),
  }),
)

const agent = createAgent({ model: new ChatOpenAI({ model: 'gpt-4o', streaming: true }), tools })
const stream = await agent.stream(
  { messages: [{ role: 'user', content: job.prompt }] },
  { streamMode: 'messages', recursionLimit: 3 * mostTurns },
)
for await (const [{ content, type }] of stream) if (type === 'ai') process.stdout.write(String(content))
