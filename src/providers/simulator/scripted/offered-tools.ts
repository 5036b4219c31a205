import type { JsonObject } from '../../../core/index.ts'
import { listOf, objectOf, objectsOf, textOf } from '../read-json.ts'

/** A tool that a client offers, in whatever dialect. */
export interface OfferedTool {
  readonly name: string
  /** JSON Schemas of its parameters, by name. */
  readonly parameters: JsonObject
  readonly required: readonly string[]
}

export function offeredTools(body: JsonObject): readonly OfferedTool[] {
  return objectsOf(body['tools']).map((tool) => {
    const definition = tool['function'] === undefined ? tool : objectOf(tool['function'])
    const schema = objectOf(definition['parameters'] ?? definition['input_schema'])
    return {
      name: textOf(definition['name']) ?? '',
      parameters: objectOf(schema['properties']),
      required: listOf(schema['required']).filter((name) => typeof name === 'string'),
    }
  })
}
