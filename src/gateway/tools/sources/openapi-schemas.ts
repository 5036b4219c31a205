import { isJsonObject } from '../../../core/index.ts'
import type { JsonObject, JsonValue } from '../../../core/index.ts'

const deepest = 64
/** References that are followed from one to the next. */
const mostHops = 16

/** Writes schemas of an OpenAPI document as JSON Schemas that stand by themselves. */
export interface SchemaWriter {
  /** What a reference names, and everything else as it is. */
  resolved(value: JsonValue): JsonValue | undefined
  write(schema: JsonValue): JsonValue
  /** What the written schemas refer to by `#/$defs/...`. */
  definitions(): JsonObject
}

export function schemaWriter(document: JsonObject): SchemaWriter {
  const names = new Map<string, string>()
  const definitions: Record<string, JsonValue> = {}
  const write = (value: JsonValue, depth = 0): JsonValue => {
    if (depth > deepest) return {}
    if (Array.isArray(value)) return value.map((each) => write(each as JsonValue, depth + 1))
    if (!isJsonObject(value)) return value
    if (typeof value['$ref'] === 'string') return referred(value['$ref'])
    const members = Object.entries(value).flatMap(([name, part]) =>
      leftOut.has(name) ? [] : [[name, write(part, depth + 1)] as const],
    )
    return nullable(Object.fromEntries(members), value['nullable'] === true)
  }
  const referred = (reference: string): JsonValue => {
    const known = names.get(reference)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    const target = targetOf(document, reference)
    if (target === undefined) return {}
    const name = freeName(reference.split('/').at(-1) ?? 'schema', definitions)
    names.set(reference, name)
    definitions[name] = {}
    definitions[name] = write(target)
    return { $ref: `#/$defs/${name}` }
  }
  return {
    resolved(value) {
      let at: JsonValue | undefined = value
      for (let hops = 0; hops < mostHops && isJsonObject(at) && typeof at['$ref'] === 'string'; hops += 1)
        at = targetOf(document, at['$ref'])
      return at
    },
    write: (schema) => write(schema),
    definitions: () => definitions,
  }
}

/** Members that JSON Schema has not. */
const leftOut: ReadonlySet<string> = new Set(['nullable', 'discriminator', 'xml', 'externalDocs', 'example'])

function nullable(schema: JsonObject, isNullable: boolean): JsonObject {
  const { type } = schema
  return isNullable && typeof type === 'string' ? { ...schema, type: [type, 'null'] } : schema
}

function targetOf(document: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith('#/')) return undefined
  let at: JsonValue | undefined = document
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

function freeName(name: string, taken: object): string {
  const plain = name.replaceAll(/\W/g, '_')
  return Object.hasOwn(taken, plain) ? freeName(`${plain}_`, taken) : plain
}
