import { Anthropic } from '@llamaindex/anthropic'
import { agent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
import { answer, fileTools, job, schemaOf } from './file-tools.mjs'

const tools = Object.entries(fileTools).map(([name, own]) =>
  tool({ name, description: own.description, parameters: schemaOf(own), execute: (input) => answer(name, input) }),
)

const llm = new Anthropic({ model: 'claude-4-5-sonnet', maxTokens: 8000 })
const stream = agent({ llm, tools, timeout: 600 }).runStream(job.prompt)
for await (const { data } of stream) {
  // What the model says piece by piece comes once more, whole.
  if (data?.response?.content ?? data?.toolOutput) console.log(JSON.stringify(data))
}
