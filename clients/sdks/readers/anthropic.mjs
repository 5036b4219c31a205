import Anthropic from '@anthropic-ai/sdk'
import { tool } from './one-tool.mjs'

const finishes = { end_turn: 'end', max_tokens: 'length', tool_use: 'calls', refusal: 'refused' }

export function reader({ model, url }) {
  const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 })
  const { name, description, parameters } = tool

  async function message({ prompt, offersTool, thinks, maxTokens, isLong, isStreamed }) {
    const text = { type: 'text', text: prompt, ...(isLong && { cache_control: { type: 'ephemeral' } }) }
    const asked = {
      model,
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: [text] }],
      ...(offersTool && { tools: [{ name, description, input_schema: parameters }] }),
      ...(thinks && { thinking: { type: 'enabled', budget_tokens: 1024 } }),
    }
    const {
      content,
      stop_reason: stop,
      usage,
    } = isStreamed ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked)
    const cached = usage.cache_read_input_tokens ?? 0
    const said = (type) => content.map((block) => (block.type === type ? block[type] : '')).join('')
    const calls = content.filter(({ type }) => type === 'tool_use')
    return {
      text: said('text'),
      thinking: said('thinking'),
      calls: calls.map((call) => ({ name: call.name, arguments: call.input })),
      finish: finishes[stop] ?? String(stop),
      input: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
      output: usage.output_tokens,
      cached,
    }
  }

  const kinds = {
    reply: message,
    models: async () => ({ ids: (await Array.fromAsync(client.models.list())).map(({ id }) => id) }),
    model: async () => ({ ids: [(await client.models.retrieve(model)).id] }),
    count: async ({ prompt }) => {
      const messages = [{ role: 'user', content: prompt }]
      return { tokens: (await client.messages.countTokens({ model, messages })).input_tokens }
    },
  }
  return (question) => kinds[question.kind](question)
}
