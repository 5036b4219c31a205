import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'
import { inProcess } from './in-process.mjs'

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
export async function work(given) {
  const middleware = await inProcess('ai-sdk', ({ prehendMiddleware }, options) => prehendMiddleware(options))
  const model = middleware ? wrapLanguageModel({ model: given, middleware }) : given
  const result = streamText({ model, prompt: job.prompt, tools, stopWhen: stepCountIs(mostTurns) })
  for await (const part of result.fullStream) {
    if (/^(?:text|reasoning|tool|error)/.test(part.type)) console.log(JSON.stringify(part))
  }
}
