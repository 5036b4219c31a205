import { isJsonObject } from '../../../core/index.ts'
import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { AgentCall, AgentDialect } from './agent-dialect.ts'

export const geminiAgent: AgentDialect = {
  dialect: 'gemini',
  headers: {},
  path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
  body: ({ model, instructions, tools, maxOutputTokens }, entries) => ({
    model: `models/${model}`,
    systemInstruction: { parts: [{ text: instructions }] },
    tools: [
      {
        functionDeclarations: tools.map(({ name, description, schema }) => ({
          name,
          description,
          // Google refuses objects without members.
          ...(hasMembers(schema) && { parameters: schema }),
        })),
      },
    ],
    generationConfig: { maxOutputTokens },
    contents: entries,
  }),
  asked: (prompt) => ({ role: 'user', parts: [{ text: prompt }] }),
  heard({ candidates }) {
    const [candidate] = Array.isArray(candidates) ? candidates : []
    const content = isJsonObject(candidate) ? candidate['content'] : undefined
    if (!isJsonObject(content) || !Array.isArray(content['parts'])) return undefined
    const calls = content['parts'].filter(isJsonObject).map(({ functionCall }) => functionCall)
    return { entry: { ...content, role: 'model' }, calls: calls.filter(isJsonObject).map(callOf) }
  },
  answered: (results) => [
    {
      role: 'user',
      parts: results.map(({ call: { id, name }, text, isError }) => ({
        functionResponse: { ...(id !== undefined && { id }), name, response: { [isError ? 'error' : 'output']: text } },
      })),
    },
  ],
}

function callOf({ id, name, args }: JsonObject): AgentCall {
  return { ...(typeof id === 'string' && { id }), name: String(name), arguments: args ?? {} }
}

function hasMembers(schema: JsonValue): boolean {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  return isJsonObject(properties) && Object.keys(properties).length > 0
}
