import type { JsonObject, JsonValue, ToolDefinition } from '../../core/index.ts'
import { invalidInput, isJsonObject, jsonValue } from '../../core/index.ts'

import type { Trace } from '../trace.ts'

const remedy = 'Give a list of tools as JSON, or one on each line, each with a name, a description and a schema.'

/** Definitions of tools as providers, SDKs and MCP servers write them: a list, a list under `tools`, or one on each line. */
export function readCatalogue(text: string, field: string): readonly ToolDefinition[] {
  const whole = jsonValue(text)
  const given = isJsonObject(whole) && Array.isArray(whole['tools']) ? whole['tools'] : whole
  const list: readonly unknown[] = Array.isArray(given)
    ? given
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(jsonValue)
  if (list.length === 0) throw invalidInput(field, 'holds no tools', remedy)
  const names = new Set<string>()
  return list.map((one, index) => {
    const tool = toolOf(one)
    if (tool === undefined) throw invalidInput(`${field}[${index}]`, 'is no tool', remedy)
    if (names.has(tool.name))
      throw invalidInput(`${field}[${index}].name`, `${tool.name} is there twice`, 'Name each tool once.')
    names.add(tool.name)
    return tool
  })
}

/** The tools of a recorded session, as far as its first request defines them. */
export function tracedTools({ requests }: Trace): readonly ToolDefinition[] {
  const items = requests[0]?.messages.flatMap((message) => message.items) ?? []
  return items.flatMap(({ kind, text }) => (kind === 'tool-schema' ? (toolOf(jsonValue(text)) ?? []) : []))
}

function toolOf(value: unknown): ToolDefinition | undefined {
  if (!isJsonObject(value)) return undefined
  const body = isJsonObject(value['function']) ? value['function'] : value
  const { name, description } = body
  if (typeof name !== 'string' || name === '') return undefined
  return { name, description: typeof description === 'string' ? description : '', schema: schemaIn(body) }
}

function schemaIn(body: JsonObject): JsonValue {
  const names = ['schema', 'inputSchema', 'input_schema', 'parameters', 'parametersJsonSchema'] as const
  return names.map((name) => body[name]).find(isJsonObject) ?? { type: 'object', properties: {} }
}
