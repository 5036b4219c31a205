import type { JsonObject } from '../../../core/index.ts'
import type { RequestShape } from '../../../tokens/index.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import { callsOf, toolName } from './message.ts'

export function openaiShape(body: JsonObject): RequestShape {
  const choice = body['tool_choice']
  return {
    messages: objectsOf(body['messages']).map((message) => {
      const name = textOf(message['name'])
      const toolCalls = callsOf(message).length
      return { role: textOf(message['role']) ?? 'user', toolCalls, ...(name === undefined ? {} : { name }) }
    }),
    tools: objectsOf(body['tools']).map((tool) => {
      const definition = objectOf(tool['function'] ?? tool['custom'])
      const description = textOf(definition['description']) ?? ''
      return { name: toolName(tool), description, schema: objectOf(definition['parameters'] ?? definition['format']) }
    }),
    toolChoice: choice == null || choice === 'auto' || choice === 'none' ? 'auto' : 'forced',
  }
}
