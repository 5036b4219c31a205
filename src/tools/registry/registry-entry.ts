import { stableJson } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { boundedSchema } from './bounded-schema.ts'
import { purposeOf } from './purpose.ts'
import type { RegistryTool, SourcedTool, ToolProtocol } from './registry-tool.ts'
import { isToolName, toolId } from './tool-id.ts'

const longestDescription = 16_384

export interface Entering {
  readonly server: string
  readonly protocol: ToolProtocol
}

/** A tool of a source as the registry has it, or why it is not taken. */
export type Entered = { readonly tool: Omit<RegistryTool, 'calledAs'> } | { readonly refused: string }

/** Takes a tool from a source: defaults are applied, and what cannot be used is bounded. */
export function registryEntry(given: SourcedTool, { server, protocol }: Entering): Entered {
  if (!isToolName(given.name)) return { refused: 'Its name has characters that no tool may have.' }
  const [input, output] = [boundedSchema(given.inputSchema), boundedSchema(given.outputSchema)]
  const refused = input.refused ?? output.refused
  if (refused !== undefined) return { refused }
  const description = given.description.slice(0, longestDescription).toWellFormed()
  const warnings = [
    ...(input.warning === undefined ? [] : [input.warning]),
    ...(output.warning === undefined ? [] : [`Of its results: ${output.warning}`]),
    ...(description.length < given.description.length ? ['The description was cut.'] : []),
  ]
  const { name, level = 'protocol', purpose = purposeOf(description), scopes = [], timeout = 'medium' } = given
  const { examples = [], categories = [], idempotent = false, errors, http } = given
  const said = { description, purpose, level, scopes, timeout, examples, categories, idempotent }
  return {
    tool: {
      id: toolId({ server, name }),
      server,
      name,
      protocol,
      ...said,
      inputSchema: input.schema,
      ...(given.outputSchema !== undefined && output.warning === undefined && { outputSchema: output.schema }),
      ...(errors && { errors }),
      ...(http && { http }),
      warnings,
    },
  }
}

/** What of a tool its server must not change unnoticed: what a model reads of it, and what it is given. */
export function definitionText({ name, description, inputSchema, outputSchema }: SourcedTool): string {
  return stableJson({ name, description, inputSchema, outputSchema })
}

/** The schema as providers take it: always that of an object. */
export function offeredSchema({ inputSchema }: Pick<RegistryTool, 'inputSchema'>): JsonObject {
  const schema = inputSchema as JsonObject
  return schema['type'] === 'object' ? schema : { type: 'object', ...schema }
}
