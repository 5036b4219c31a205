import { isJsonObject, type JsonValue } from '../../core/index.ts'
import type { Framing } from './framing.ts'
import type { ToolShape } from './request-shape.ts'
import { typescriptSignature } from './typescript-signature.ts'

/** The text by which a tool definition is measured, close to what the provider shows its model. */
export function toolText(tool: ToolShape, form: Framing['toolForm']): string {
  if (form === 'typescript') return typescriptSignature(tool)
  if (form === 'names') return [tool.name, tool.description ?? '', ...wordsOf(tool.schema)].join('\n')
  return JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.schema })
}

/** Names and descriptions of a schema's properties, and the values of its enums. */
function wordsOf(schema: JsonValue | undefined): string[] {
  if (Array.isArray(schema)) return schema.flatMap((part: JsonValue) => wordsOf(part))
  if (!isJsonObject(schema)) return []
  const { properties, description, enum: values, ...others } = schema
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : []),
    ...(isJsonObject(properties)
      ? Object.entries(properties).flatMap(([name, property]) => [name, ...wordsOf(property)])
      : []),
    ...Object.values(others).flatMap((part) => wordsOf(part)),
  ]
}
