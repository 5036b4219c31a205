import Anthropic from '@anthropic-ai/sdk'
import { answer, fileTools, job, mostTurns, schemaOf } from './file-tools.mjs'

const anthropic = new Anthropic()

const tools = Object.entries(fileTools).map(([name, tool]) => ({
  name,
  description: tool.description,
  input_schema: schemaOf(tool),
}))

const messages = [{ role: 'user', content: job.prompt }]
for (let turn = 0; turn < mostTurns; turn += 1) {
  const stream = anthropic.messages.stream({ model: 'claude-sonnet-4-5', max_tokens: 8000, messages, tools })
  const { content } = await stream.finalMessage()
  messages.push({ role: 'assistant', content })
  for (const block of content) if (block.type === 'text') console.log(block.text)
  const calls = content.filter(({ type }) => type === 'tool_use')
  if (calls.length === 0) break
  messages.push({
    role: 'user',
    content: calls.map(({ id, name, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: answer(name, input),
    })),
  })
}
