import { isJsonObject } from '../../../core/index.ts'
import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { toolMethods } from '../../../tools/index.ts'
import type { HttpBinding, SourcedTool } from '../../../tools/index.ts'
import type { HttpPlaces } from './http-call.ts'
import { schemaWriter } from './openapi-schemas.ts'
import type { SchemaWriter } from './openapi-schemas.ts'

/** An operation as a tool, and how it is called. */
export interface OpenApiOperation {
  readonly tool: SourcedTool
  readonly binding: HttpBinding
  readonly places: HttpPlaces
}

/** Methods whose second call changes nothing more, by the standard of HTTP. */
const idempotent: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE'])

/** Every operation of a document that takes and gives what a tool can; paths in their order. */
export function openApiOperations(document: JsonObject, base: string): readonly OpenApiOperation[] {
  const paths = isJsonObject(document['paths']) ? document['paths'] : {}
  return Object.entries(paths).flatMap(([path, item]) =>
    isJsonObject(item)
      ? toolMethods.flatMap((method) => {
          const operation = item[method.toLowerCase()]
          if (!isJsonObject(operation)) return []
          return [operationOf({ document, base, path, method, operation, common: item['parameters'] })]
        })
      : [],
  )
}

interface Stated {
  readonly document: JsonObject
  readonly base: string
  readonly path: string
  readonly method: NonNullable<HttpBinding['method']>
  readonly operation: JsonObject
  /** Parameters of all operations of the path. */
  readonly common: JsonValue | undefined
}

function operationOf({ document, base, path, method, operation, common }: Stated): OpenApiOperation {
  const writer = schemaWriter(document)
  const parameters = parametersOf(writer, [common, operation['parameters']])
  const body = bodyOf(writer, operation['requestBody'])
  const bodyName = body && freeName('body', new Set(parameters.map(({ name }) => name)))
  const properties = Object.fromEntries([
    ...parameters.map(({ name, schema }) => [name, schema] as const),
    ...(body && bodyName !== undefined ? [[bodyName, body.schema] as const] : []),
  ])
  const required = [
    ...parameters.flatMap((parameter) => (parameter.isRequired ? [parameter.name] : [])),
    ...(body?.isRequired && bodyName !== undefined ? [bodyName] : []),
  ]
  const $defs = writer.definitions()
  const inputSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
  const [summary, description, tags] = [operation['summary'], operation['description'], operation['tags']]
  const words = [summary, description].filter((text) => typeof text === 'string' && text !== '')
  return {
    tool: {
      name: nameOf(operation['operationId'], method, path),
      description: words.join('\n') || `${method} ${path}`,
      inputSchema,
      ...(idempotent.has(method) && { idempotent: true }),
      ...(Array.isArray(tags) && { categories: tags.filter((tag) => typeof tag === 'string') }),
    },
    binding: { url: `${base}${path}`, method },
    places: {
      query: parameters.flatMap(({ name, place }) => (place === 'query' ? [name] : [])),
      headers: parameters.flatMap(({ name, place }) => (place === 'header' ? [name] : [])),
      ...(bodyName !== undefined && { body: bodyName }),
    },
  }
}

function nameOf(id: JsonValue | undefined, method: string, path: string): string {
  const said = typeof id === 'string' && id !== '' ? id : `${method.toLowerCase()}_${path.replace(/^\//, '')}`
  return said
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/^[_.-]+|_+$/g, '')
    .slice(0, 128)
}

interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly schema: JsonValue
  readonly isRequired: boolean
}

/** Headers that are not a caller's to choose. */
const fixedHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization', 'host', 'cookie'])

/** Those of an operation take the place of those of its path. Cookies are left out. */
function parametersOf(writer: SchemaWriter, lists: readonly (JsonValue | undefined)[]): readonly Parameter[] {
  const found = new Map<string, Parameter>()
  for (const list of lists)
    for (const stated of Array.isArray(list) ? list : []) {
      const parameter = writer.resolved(stated)
      if (!isJsonObject(parameter) || typeof parameter['name'] !== 'string') continue
      const { name, in: place, schema = {}, description } = parameter
      if (place !== 'path' && place !== 'query' && place !== 'header') continue
      if (place === 'header' && fixedHeaders.has(name.toLowerCase())) continue
      const written = writer.write(schema)
      const described = typeof description === 'string' && isJsonObject(written) ? { description, ...written } : written
      found.set(name, {
        name,
        place,
        schema: described,
        isRequired: place === 'path' || parameter['required'] === true,
      })
    }
  return [...found.values()]
}

function bodyOf(
  writer: SchemaWriter,
  stated: JsonValue | undefined,
): { schema: JsonValue; isRequired: boolean } | undefined {
  const body = writer.resolved(stated ?? null)
  const content = isJsonObject(body) ? body['content'] : undefined
  if (!isJsonObject(body) || !isJsonObject(content)) return undefined
  const type = Object.keys(content).find((name) => /^application\/(?:[\w.+-]+\+)?json\b/i.test(name))
  const media = type === undefined ? undefined : content[type]
  if (!isJsonObject(media)) return undefined
  return { schema: writer.write(media['schema'] ?? {}), isRequired: body['required'] === true }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}_`, taken) : name
}
