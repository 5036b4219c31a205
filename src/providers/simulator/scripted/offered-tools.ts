import type { JsonObject } from '../../../core/index.ts'
import { listOf, objectOf, objectsOf, textOf } from '../read-json.ts'
import { toolsInCode } from './code-tool.ts'
import type { OfferedTool } from './offered-tool.ts'

/** All tools of a request, those among them that another tool calls by code. */
export function offeredTools(body: JsonObject): readonly OfferedTool[] {
  return objectsOf(body['tools']).flatMap((tool): readonly OfferedTool[] => {
    if (tool['custom'] !== undefined) return textTools(objectOf(tool['custom']))
    const definition = tool['function'] === undefined ? tool : objectOf(tool['function'])
    const schema = objectOf(definition['parameters'] ?? definition['input_schema'])
    const parameters = objectOf(schema['properties'])
    const required = listOf(schema['required']).filter((name) => typeof name === 'string')
    return [{ name: textOf(definition['name']) ?? '', parameters, schema, required }]
  })
}

/** A tool that takes a text, and the tools that this text may call where it is code. */
function textTools(definition: JsonObject): readonly OfferedTool[] {
  const name = textOf(definition['name']) ?? ''
  const inCode = toolsInCode(textOf(definition['description']) ?? '')
  const own: OfferedTool = { name, parameters: {}, required: [], takesText: true }
  return inCode.length === 0 ? [own] : inCode.map((tool) => ({ ...tool, via: name }))
}
