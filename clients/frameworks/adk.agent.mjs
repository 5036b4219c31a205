import { FunctionTool, InMemoryRunner, LlmAgent, StreamingMode } from '@google/adk'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'

const tools = Object.entries(fileTools).map(
  ([name, { description, parameters }]) =>
    new FunctionTool({
      name,
      description,
      parameters: z.object(Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))),
      execute: (input) => ({ output: answer(name, input) }),
    }),
)

const agent = new LlmAgent({
  name: 'notes',
  model: 'gemini-2.5-pro',
  instruction: 'You look after a project.',
  tools,
})
const runner = new InMemoryRunner({ agent })
const events = runner.runEphemeral({
  userId: 'ann',
  newMessage: { role: 'user', parts: [{ text: job.prompt }] },
  runConfig: { streamingMode: StreamingMode.SSE, maxLlmCalls: mostTurns },
})
for await (const { partial, content, errorMessage } of events) {
  if (errorMessage) throw new Error(errorMessage)
  if (partial) process.stdout.write((content?.parts ?? []).map(({ text = '' }) => text).join(''))
}
