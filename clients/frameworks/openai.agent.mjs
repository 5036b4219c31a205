import OpenAI from 'openai'
import { answer, fileTools, job, mostTurns, schemaOf } from './file-tools.mjs'

const openai = new OpenAI()

const tools = Object.entries(fileTools).map(([name, tool]) => ({
  type: 'function',
  function: { name, description: tool.description, parameters: schemaOf(tool), strict: true },
}))

const messages = [{ role: 'user', content: job.prompt }]
for (let turn = 0; turn < mostTurns; turn += 1) {
  const stream = openai.chat.completions.stream({
    model: 'gpt-4o',
    messages,
    tools,
    stream_options: { include_usage: true },
  })
  const { message } = (await stream.finalChatCompletion()).choices[0]
  messages.push(message)
  if (message.content) console.log(message.content)
  if (!message.tool_calls) break
  for (const { id, function: called } of message.tool_calls) {
    messages.push({ role: 'tool', tool_call_id: id, content: answer(called.name, JSON.parse(called.arguments)) })
  }
}
