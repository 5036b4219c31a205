import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.ts'
import type { ToolShape } from './request-shape.ts'

const MAX_DEPTH = 24

/**
 * A function as OpenAI shows it to its models: a TypeScript signature, in which most of a schema's punctuation is
 * gone. Descriptions become comments, enums unions; keywords that TypeScript has no word for are left out.
 */
export function typescriptSignature(tool: ToolShape): string {
  const members = isJsonObject(tool.schema) ? membersOf(tool.schema, 0) : ''
  const parameters = members === '' ? '' : `_: {\n${members}}`
  return `${comment(tool.description ?? '', '')}type ${tool.name} = (${parameters}) => any;\n\n`
}

function comment(text: string, indent: string): string {
  if (text === '') return ''
  return text
    .split('\n')
    .map((line) => `${indent}// ${line}\n`)
    .join('')
}

function membersOf(schema: JsonObject, depth: number): string {
  const properties = schema['properties']
  if (!isJsonObject(properties)) return ''
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const indent = '  '.repeat(depth)
  return Object.entries(properties)
    .map(([name, property]) => {
      const mark = required.includes(name) ? '' : '?'
      return `${comment(descriptionOf(property), indent)}${indent}${name}${mark}: ${typeOf(property, depth)},\n`
    })
    .join('')
}

function descriptionOf(schema: JsonValue): string {
  const description = isJsonObject(schema) ? schema['description'] : undefined
  return typeof description === 'string' ? description : ''
}

function typeOf(schema: JsonValue | undefined, depth: number): string {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return 'any'
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(choices)) return choices.map((choice: JsonValue) => typeOf(choice, depth)).join(' | ')
  const type = schema['type']
  if (Array.isArray(type)) return type.map((one: JsonValue) => typeOf({ ...schema, type: one }, depth)).join(' | ')
  if (type === 'array') return `${typeOf(schema['items'], depth)}[]`
  if (type === 'object' || type === undefined) return objectType(schema, depth)
  return type === 'integer' ? 'number' : String(type)
}

function objectType(schema: JsonObject, depth: number): string {
  const members = membersOf(schema, depth + 1)
  if (members !== '') return `{\n${members}${'  '.repeat(depth)}}`
  return schema['type'] === 'object' ? 'object' : 'any'
}
