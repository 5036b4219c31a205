import { stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'

const tools = Object.fromEntries(
  Object.entries(fileTools).map(([name, { description, parameters }]) => [
    name,
    tool({
      description,
      inputSchema: z.object(Object.fromEntries(parameters.map((parameter) => [parameter, z.string()]))),
      execute: (input) => answer(name, input),
    }),
  ]),
)

/** The job, by a model of whatever provider. */
export async function work(model) {
  const result = streamText({ model, prompt: job.prompt, tools, stopWhen: stepCountIs(mostTurns) })
  for await (const text of result.textStream) process.stdout.write(text)
}
