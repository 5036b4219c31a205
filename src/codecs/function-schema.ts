import type { JsonObject, JsonValue } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'

/** Ways of saying which members go together, which providers refuse at the top of a function's schema. */
const choices = ['anyOf', 'oneOf', 'allOf'] as const

/** A schema that every provider takes for the input of a function, and whether it says less than it did. */
export interface FunctionSchema {
  readonly schema: JsonObject
  readonly isFolded: boolean
}

/** An object with properties at the top; what its choices name are properties, too. */
export function functionSchema(schema: JsonValue): FunctionSchema {
  const given = isJsonObject(schema) ? withoutReference(schema) : {}
  const { anyOf, oneOf, allOf, ...rest } = given
  const folded = [anyOf, oneOf, allOf].some((choice) => choice !== undefined)
  const said = folded ? withChoices(rest, given) : rest
  const type = said['type'] === 'object' ? {} : { type: 'object' }
  const properties = isJsonObject(said['properties']) ? {} : { properties: {} }
  const isObject = said['type'] === undefined || said['type'] === 'object'
  return { schema: { ...said, ...type, ...properties }, isFolded: folded || !isObject }
}

/** What the top refers to, since nothing may stand beside a reference. */
function withoutReference(schema: JsonObject): JsonObject {
  const meant = definitionOf(schema, schema)
  if (meant === schema) return schema
  const { $ref: _, ...rest } = schema
  return { ...meant, ...rest }
}

function withChoices(rest: JsonObject, given: JsonObject): JsonObject {
  const branches = choices.flatMap((name) => branchesOf(given[name], given))
  const properties = Object.assign({}, ...branches.map(propertiesOf), propertiesOf(rest)) as JsonObject
  const all = branchesOf(given['allOf'], given).flatMap(requiredOf)
  const required = [...new Set([...requiredOf(rest), ...all])]
  return { ...rest, properties, ...(required.length > 0 && { required }) }
}

/** The objects among which a choice is, also those that are choices themselves, or are named. */
function branchesOf(choice: JsonValue | undefined, root: JsonObject, depth = 0): readonly JsonObject[] {
  if (!Array.isArray(choice) || depth > 3) return []
  return choice.filter(isJsonObject).flatMap((branch) => {
    const own = definitionOf(branch, root)
    return [own, ...choices.flatMap((name) => branchesOf(own[name], root, depth + 1))]
  })
}

function definitionOf(branch: JsonObject, root: JsonObject): JsonObject {
  const [, member = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(branch['$ref'] ?? '')) ?? []
  const definitions = root[member]
  const found = isJsonObject(definitions) ? definitions[name] : undefined
  return isJsonObject(found) ? found : branch
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
