import OpenAI from 'openai'
import { tool } from './one-tool.mjs'

const finishes = { stop: 'end', length: 'length', tool_calls: 'calls', content_filter: 'refused' }
const cuts = { max_output_tokens: 'length', content_filter: 'refused' }

export function reader({ api, model, url }) {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  // Streams were folded in `beta` once.
  const { stream } = client.chat.completions
  const folding = stream === undefined ? client.beta.chat.completions : client.chat.completions

  async function chat({ prompt, offersTool, maxTokens, isStreamed }) {
    const asked = {
      model,
      messages: [{ role: 'user', content: prompt }],
      max_tokens: maxTokens,
      ...(offersTool && { tools: [{ type: 'function', function: tool }] }),
    }
    const { choices, usage } = isStreamed
      ? await folding.stream({ ...asked, stream: true, stream_options: { include_usage: true } }).finalChatCompletion()
      : await client.chat.completions.create(asked)
    const [{ message, finish_reason: finish }] = choices
    const calls = message.tool_calls ?? []
    return {
      text: message.content ?? '',
      calls: calls.map(({ function: { name, arguments: json } }) => ({ name, arguments: JSON.parse(json) })),
      finish: finishes[finish] ?? String(finish),
      input: usage.prompt_tokens,
      output: usage.completion_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    }
  }

  async function responses({ prompt, offersTool, maxTokens, isStreamed }) {
    const tools = offersTool ? { tools: [{ type: 'function', ...tool, strict: false }] } : {}
    const asked = { model, input: prompt, max_output_tokens: maxTokens, ...tools }
    const response = isStreamed
      ? await client.responses.stream(asked).finalResponse()
      : await client.responses.create(asked)
    const { output, usage, incomplete_details: cut } = response
    const calls = output.filter(({ type }) => type === 'function_call')
    const summaries = output.flatMap(({ type, summary }) => (type === 'reasoning' ? summary : []))
    return {
      text: response.output_text,
      thinking: summaries.map(({ text }) => text).join(''),
      calls: calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) })),
      finish: cut ? cuts[cut.reason] : calls.length > 0 ? 'calls' : 'end',
      input: usage.input_tokens,
      output: usage.output_tokens,
      cached: usage.input_tokens_details.cached_tokens,
    }
  }

  const kinds = {
    reply: api === 'chat' ? chat : responses,
    models: async () => ({ ids: (await Array.fromAsync(client.models.list())).map(({ id }) => id) }),
    model: async () => ({ ids: [(await client.models.retrieve(model)).id] }),
    count: async ({ prompt }) => {
      const { input_tokens: tokens } = await client.responses.inputTokens.count({ model, input: prompt })
      return { tokens }
    },
  }
  return (question) => kinds[question.kind](question)
}
