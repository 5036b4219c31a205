import { createAnthropic } from '@ai-sdk/anthropic'
import { stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { answer, fileTools, job, mostTurns } from './file-tools.mjs'

const anthropic = createAnthropic({ baseURL: process.env.ANTHROPIC_BASE_URL })

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

const result = streamText({
  model: anthropic('claude-sonnet-4-5'),
  prompt: job.prompt,
  tools,
  stopWhen: stepCountIs(mostTurns),
})
for await (const text of result.textStream) process.stdout.write(text)
