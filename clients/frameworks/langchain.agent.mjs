import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'
import { inProcess } from './in-process.mjs'

const tools = Object.entries(fileTools).map(([name, { description, parameters }]) =>
  tool((input) => answer(name, input), {
    name,
    description,
    schema: z.object(Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))),
  }),
)

const middleware = await inProcess('langchain', ({ prehendMiddleware }, options) => [prehendMiddleware(options)])
const agent = createAgent({ model: new ChatOpenAI({ model: 'gpt-4o', streaming: true }), tools, middleware })
const stream = await agent.stream(
  { messages: [{ role: 'user', content: job.prompt }] },
  { streamMode: ['messages', 'updates'], recursionLimit: 3 * mostTurns },
)
// Messages as they are written are the model's own; of what the agent knows, the updates tell.
for await (const [mode, update] of stream) if (mode === 'updates') console.log(JSON.stringify(update))
