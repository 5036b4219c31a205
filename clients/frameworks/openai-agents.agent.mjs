import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'
import { inProcess } from './in-process.mjs'

const tools = Object.entries(fileTools).map(([name, { description, parameters }]) =>
  tool({
    name,
    description,
    parameters: z.object(Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))),
    execute: (input) => answer(name, input),
  }),
)

const agent = new Agent({ name: 'notes', model: 'gpt-4o', instructions: 'You look after a project.', tools })
const modelProvider = await inProcess('openai-agents', ({ prehendProvider }, options) =>
  prehendProvider(new OpenAIProvider(), options),
)
const runner = new Runner(modelProvider && { modelProvider })
const result = await runner.run(agent, job.prompt, { stream: true, maxTurns: mostTurns })
for await (const text of result.toTextStream()) process.stdout.write(text)
await result.completed
console.log(JSON.stringify(result.history))
