import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'
import { inProcess } from './in-process.mjs'

const tools = Object.fromEntries(
  Object.entries(fileTools).map(([id, { description, parameters }]) => [
    id,
    createTool({
      id,
      description,
      inputSchema: z.object(Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))),
      execute: async (input) => answer(id, input),
    }),
  ]),
)

const agent = new Agent({
  id: 'notes',
  name: 'notes',
  instructions: 'You look after a project.',
  model: { id: 'openai-compatible/gpt-4o', url: process.env.OPENAI_BASE_URL, apiKey: process.env.OPENAI_API_KEY },
  inputProcessors: await inProcess('mastra', ({ prehendProcessor }, options) => [prehendProcessor(options)]),
  tools,
})
const { fullStream } = await agent.stream(job.prompt, { maxSteps: mostTurns })
for await (const { type, payload } of fullStream) {
  if (/^(?:text|reasoning|tool|error)/.test(type)) console.log(JSON.stringify([type, payload]))
}
