import type { JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { termsOf } from '../../knowledge/index.ts'
import { askedIn } from './query-weights.ts'
import type { SearchedTool } from './searched-tool.ts'

/** How a field counts beside the others, and how much its length holds it back. */
interface FieldRule {
  readonly weight: number
  readonly lengthShare: number
}

/**
 * What a tool says of itself, by field. A name tells most for each word; what is said of parameters and servers tells half as much as the
 * description. Past queries are many and short, and say how often a tool is asked for, too: their length holds them back less. They count little each, so
 * that tools without any are still found.
 */
export const fieldRules = {
  name: { weight: 2, lengthShare: 0.6 },
  description: { weight: 1, lengthShare: 0.6 },
  parameterNames: { weight: 0.5, lengthShare: 0.6 },
  parameterTexts: { weight: 0.5, lengthShare: 0.6 },
  allowedValues: { weight: 0.5, lengthShare: 0.6 },
  examples: { weight: 0.5, lengthShare: 0.6 },
  categories: { weight: 0.5, lengthShare: 0.6 },
  server: { weight: 1, lengthShare: 0.6 },
  serverText: { weight: 0.5, lengthShare: 0.6 },
  pastQueries: { weight: 0.35, lengthShare: 0.3 },
} as const satisfies Readonly<Record<string, FieldRule>>

export type ToolField = keyof typeof fieldRules

export const toolFields = Object.keys(fieldRules) as readonly ToolField[]

/** The terms of each field, in their order and as often as they stand. */
export function fieldsOf(tool: SearchedTool): Readonly<Record<ToolField, readonly string[]>> {
  const schema = textsOf(tool.schema)
  const terms = (texts: readonly string[] = []): readonly string[] => termsOf(texts.join(' '))
  return {
    name: terms([wordsOfName(tool.name)]),
    description: terms([tool.description]),
    parameterNames: terms(schema.names),
    parameterTexts: terms(schema.texts),
    allowedValues: terms(schema.values),
    examples: terms(tool.examples),
    categories: terms(tool.categories),
    server: terms([wordsOfName(tool.server ?? '')]),
    serverText: terms([tool.serverDescription ?? '']),
    pastQueries: terms(tool.pastQueries?.map(askedIn)),
  }
}

/** `getUserHTTPProxies_v2` as `get User HTTP Proxies v2`. */
export function wordsOfName(name: string): string {
  return name
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .replaceAll(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
}

interface SchemaTexts {
  readonly names: string[]
  readonly texts: string[]
  readonly values: string[]
}

/** Schemas may be of any size: what lies deeper, or comes later, is not searched. */
const deepest = 8
const mostProperties = 400
const mostValues = 40

function textsOf(schema: JsonValue): SchemaTexts {
  const found: SchemaTexts = { names: [], texts: [], values: [] }
  readSchema(schema, found, 0)
  return found
}

function readSchema(schema: JsonValue | undefined, found: SchemaTexts, depth: number): void {
  if (depth > deepest || found.names.length >= mostProperties) return
  if (Array.isArray(schema)) for (const part of schema as readonly JsonValue[]) readPart(part, found, depth)
  if (!isJsonObject(schema)) return
  const { properties, enum: values, items } = schema
  if (isJsonObject(properties))
    for (const [name, property] of Object.entries(properties)) readNamed(name, property, found, depth)
  if (Array.isArray(values)) found.values.push(...allowedIn(values))
  readSchema(items, found, depth + 1)
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[key]
    if (Array.isArray(parts)) readSchema(parts, found, depth + 1)
  }
}

/** Some catalogues list arguments by name in place of a schema. */
function readPart(part: JsonValue, found: SchemaTexts, depth: number): void {
  const name = isJsonObject(part) ? part['name'] : undefined
  if (typeof name === 'string') readNamed(name, part, found, depth)
  else readSchema(part, found, depth + 1)
}

function readNamed(name: string, property: JsonValue | undefined, found: SchemaTexts, depth: number): void {
  if (found.names.length >= mostProperties) return
  found.names.push(wordsOfName(name))
  const text = isJsonObject(property) ? (property['description'] ?? property['desc']) : undefined
  if (typeof text === 'string') found.texts.push(text)
  readSchema(property, found, depth + 1)
}

function allowedIn(values: readonly JsonValue[]): readonly string[] {
  return values
    .slice(0, mostValues)
    .filter((value) => typeof value === 'string')
    .map(wordsOfName)
}
