import { OpenRouter } from '@openrouter/sdk'
import { tool } from './one-tool.mjs'

const finishes = { stop: 'end', length: 'length', tool_calls: 'calls', content_filter: 'refused' }

export function reader({ model, url }) {
  const client = new OpenRouter({ apiKey: 'any', serverURL: `${url}/api/v1`, retryConfig: { strategy: 'none' } })

  async function chat({ prompt, offersTool, maxTokens, isStreamed: stream }) {
    const tools = offersTool ? { tools: [{ type: 'function', function: tool }] } : {}
    const chatRequest = { model, messages: [{ role: 'user', content: prompt }], maxTokens, ...tools, stream }
    const reply = await client.chat.send({ chatRequest })
    const { message, finish, usage } = stream ? await folded(reply) : wholeOf(reply)
    const calls = message.toolCalls ?? []
    return {
      text: message.content ?? '',
      thinking: message.reasoning ?? '',
      calls: calls.map(({ function: { name, arguments: json } }) => ({ name, arguments: JSON.parse(json) })),
      finish: finishes[finish] ?? String(finish),
      input: usage.promptTokens,
      output: usage.completionTokens,
      cached: usage.promptTokensDetails?.cachedTokens ?? 0,
    }
  }

  const kinds = {
    reply: chat,
    models: async () => ({ ids: (await client.models.list()).result.data.map(({ id }) => id) }),
  }
  return (question) => kinds[question.kind](question)
}

function wholeOf({ choices: [{ message, finishReason: finish }], usage }) {
  return { message, finish, usage }
}

/** The pieces of a stream together; the SDK leaves that to whoever asks. */
async function folded(stream) {
  const message = { content: '', reasoning: '', toolCalls: [] }
  const ends = []
  const usages = []
  for await (const { choices, usage, error } of stream) {
    if (error) throw Object.assign(new Error(error.message), { status: error.code })
    if (usage) usages.push(usage)
    for (const { delta, finishReason } of choices) {
      if (finishReason) ends.push(finishReason)
      message.content += delta.content ?? ''
      message.reasoning += delta.reasoning ?? ''
      for (const { index, function: called } of delta.toolCalls ?? []) {
        const call = (message.toolCalls[index] ??= { function: { name: '', arguments: '' } })
        call.function.name += called.name ?? ''
        call.function.arguments += called.arguments ?? ''
      }
    }
  }
  return { message, finish: ends.at(-1), usage: usages.at(-1) }
}
