import { isJsonObject, shape, toolLevels } from '../../core/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { longestPurpose } from './purpose.ts'
import { toolMethods, toolTimeouts } from './registry-tool.ts'
import type { HttpBinding, KnownToolError, SourcedTool, ToolEntry } from './registry-tool.ts'

const { flag, list, name, object, oneOf, optional, record, text } = shape

const longestDescription = 16_384
const longestName = 128

const jsonSchema: shape.Shape<JsonValue> = {
  about: 'a JSON Schema',
  schema: { type: 'object', description: 'A JSON Schema.' },
  problem: (value) =>
    isJsonObject(value)
      ? undefined
      : { field: '', message: 'is not a JSON Schema', remedy: 'Give an object such as {"type":"object"}.' },
}

function upTo(most: number, of: shape.Shape<string> = name): shape.Shape<string> {
  const about = `${of.about} of at most ${most} characters`
  return {
    about,
    schema: { ...of.schema, maxLength: most },
    problem: (value, options) =>
      typeof value === 'string' && value.length > most
        ? { field: '', message: `has ${value.length} characters`, remedy: `Give ${about}.` }
        : of.problem(value, options),
  }
}

const httpUrl: shape.Shape<string> = {
  about: 'an address such as https://api.example/items/{id}',
  schema: { type: 'string', pattern: '^https?://' },
  problem: (value) =>
    typeof value === 'string' && isHttpUrl(value)
      ? undefined
      : {
          field: '',
          message: 'is no http or https address',
          remedy: 'Give one such as https://api.example/items/{id}.',
        },
}

function isHttpUrl(address: string): boolean {
  return /^https?:\/\/[^\s/{}@]+(?:[/?][^\s]*)?$/.test(address)
}

const bindingShape = object<HttpBinding>({
  url: httpUrl,
  method: optional(oneOf(toolMethods)),
  headers: optional(record(text)),
})

const errorShape = object<KnownToolError>({ code: name, message: optional(text), retryable: optional(flag) })

const entryMembers: shape.Members<ToolEntry> = {
  description: upTo(longestDescription, text),
  inputSchema: optional(jsonSchema),
  outputSchema: optional(jsonSchema),
  errors: optional(list(errorShape)),
  level: optional(oneOf(toolLevels)),
  purpose: optional(upTo(longestPurpose)),
  scopes: optional(list(upTo(longestName))),
  timeout: optional(oneOf(toolTimeouts)),
  examples: optional(list(upTo(longestDescription))),
  categories: optional(list(upTo(longestName))),
  idempotent: optional(flag),
  http: optional(bindingShape),
}

/** A tool as a request states it; its id stands in the path. */
export const toolEntryShape = object<ToolEntry>(entryMembers)

/** The same with its name, as files have it. */
export const sourcedToolShape = object<SourcedTool>({ name: upTo(longestName), ...entryMembers })

/** Reads a tool strictly. Throws `invalid-input` that names the member and the remedy. */
export function readToolEntry(value: unknown, at: string): ToolEntry {
  shape.check(toolEntryShape, value, at, { strict: true })
  return value as ToolEntry
}

/** Reads a list of named tools, as a file has it: a list, or an object with `tools`. */
export function readToolList(value: unknown, at: string): readonly SourcedTool[] {
  const tools = isJsonObject(value) && Object.keys(value).length === 1 ? value['tools'] : value
  shape.check(list(sourcedToolShape), tools, at, { strict: true })
  return tools as readonly SourcedTool[]
}
