import { isJsonObject } from '../../../core/index.ts'
import type { JsonObject } from '../../../core/index.ts'
import type { AgentCall, AgentDialect } from './agent-dialect.ts'

const marker = { type: 'ephemeral' } as const

/** Marks what stays the same for the provider's cache, as agents do: without, the baseline would pay for everything again and again. */
export const anthropicAgent: AgentDialect = {
  dialect: 'anthropic-messages',
  headers: { 'anthropic-version': '2023-06-01' },
  path: () => '/v1/messages',
  body: ({ model, instructions, tools, maxOutputTokens }, entries) => ({
    model,
    max_tokens: maxOutputTokens,
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    system: [{ type: 'text', text: instructions, cache_control: marker }],
    messages: [...entries.slice(0, -1), ...entries.slice(-1).map(marked)],
  }),
  asked: (prompt) => ({ role: 'user', content: [{ type: 'text', text: prompt }] }),
  heard({ content }) {
    if (!Array.isArray(content)) return undefined
    const calls = content.filter(isJsonObject).filter(({ type }) => type === 'tool_use')
    return { entry: { role: 'assistant', content }, calls: calls.map(callOf) }
  },
  answered: (results) => [
    {
      role: 'user',
      content: results.map(({ call: { id = '' }, text, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: text,
        ...(isError && { is_error: true }),
      })),
    },
  ],
}

function callOf({ id, name, input }: JsonObject): AgentCall {
  return { id: String(id), name: String(name), arguments: input ?? {} }
}

function marked(entry: JsonObject): JsonObject {
  const content = Array.isArray(entry['content']) ? entry['content'].filter(isJsonObject) : []
  const last = content.at(-1)
  return last === undefined
    ? entry
    : { ...entry, content: [...content.slice(0, -1), { ...last, cache_control: marker }] }
}
