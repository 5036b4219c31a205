import { decodeValue, stringAt } from '../core/index.ts'
import type { ToolDefinition } from '../core/index.ts'
import { child } from './read-field.ts'
import type { Field } from './read-field.ts'

/** A function as OpenAI's dialects define it: its description and the schema of its parameters, both of which may be absent. */
export function functionDefinition(field: Field, name: string): ToolDefinition {
  const parameters = child(field, 'parameters')
  return {
    name,
    description: stringAt(field.tree, field.node, 'description') ?? '',
    schema: parameters === undefined ? {} : decodeValue(parameters.tree, parameters.node),
  }
}
