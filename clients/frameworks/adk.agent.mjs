import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, StreamingMode } from '@google/adk'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'
import { inProcess } from './in-process.mjs'

const tools = Object.entries(fileTools).map(
  ([name, { description, parameters }]) =>
    new FunctionTool({
      name,
      description,
      parameters: z.object(Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))),
      execute: (input) => ({ output: answer(name, input) }),
    }),
)

const plugin = await inProcess('adk', ({ prehendPlugin }, options) => prehendPlugin(options))
const model = new Gemini({ model: 'gemini-2.5-pro' })
const agent = new LlmAgent({
  name: 'notes',
  model: plugin?.model(model) ?? model,
  instruction: 'You look after a project.',
  tools,
})
const runner = new InMemoryRunner({ agent, plugins: plugin ? [plugin] : [] })
const events = runner.runEphemeral({
  userId: 'ann',
  newMessage: { role: 'user', parts: [{ text: job.prompt }] },
  runConfig: { streamingMode: StreamingMode.SSE, maxLlmCalls: mostTurns },
})
for await (const { content, errorMessage } of events) {
  if (errorMessage) throw new Error(errorMessage)
  console.log(JSON.stringify(content))
}
