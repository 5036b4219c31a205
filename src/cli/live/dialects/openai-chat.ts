import { isJsonObject } from '../../../core/index.ts'
import type { JsonObject } from '../../../core/index.ts'
import { parsedArguments } from './agent-dialect.ts'
import type { AgentCall, AgentDialect } from './agent-dialect.ts'

export const openaiChatAgent: AgentDialect = {
  dialect: 'openai-chat',
  headers: {},
  path: () => '/v1/chat/completions',
  body: ({ model, instructions, tools, maxOutputTokens, isOpenai }, entries) => ({
    model,
    [isOpenai ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens,
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    messages: [{ role: 'system', content: instructions }, ...entries],
  }),
  asked: (prompt) => ({ role: 'user', content: prompt }),
  heard({ choices }) {
    const [choice] = Array.isArray(choices) ? choices : []
    const message = isJsonObject(choice) ? choice['message'] : undefined
    if (!isJsonObject(message)) return undefined
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isJsonObject) : []
    return { entry: withoutEmpty(message), calls: calls.map(callOf) }
  },
  answered: (results) =>
    results.map(({ call: { id = '' }, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
}

/** Members that a request need not have, and that some servers refuse. */
function withoutEmpty(message: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
  const members = Object.entries(message).filter(([, value]) => !isEmpty(value))
  return { content: '', ...Object.fromEntries(members), role: 'assistant' }
}

function callOf({ id, function: called }: JsonObject): AgentCall {
  const { name, arguments: given } = isJsonObject(called) ? called : {}
  return { id: String(id), name: String(name), arguments: parsedArguments(String(given ?? '')) }
}
