import { z } from 'zod'
import { codecs } from '../../codecs/index.ts'
import { errorPlaces } from '../../core/index.ts'
import type { ErrorCode } from '../../core/index.ts'
import { scopesOf } from './route.ts'
import type { Route } from './route.ts'
import { ownRoutes } from './routes/index.ts'

type Json = Readonly<Record<string, unknown>>

/** What stands in a document that is not the routes' own. */
export interface DocumentHead {
  readonly version: string
}

/** The OpenAPI 3.1 document of every route: ours with all they take and give, those of providers by reference to theirs. */
export function openApiDocument({ version }: DocumentHead): Json {
  const schemas = new Map<string, Json>()
  const paths = new Map<string, Record<string, Json>>()
  const put = (path: string, method: string, operation: Json): void => {
    paths.set(path, { ...paths.get(path), [method]: operation })
  }
  for (const route of ownRoutes) put(route.path, route.method, operationOf(route, schemas))
  for (const { path, method, operation } of modelOperations()) put(path, method, operation)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Prehend',
      version,
      description:
        'The gateway’s own routes. Each asks for a token of the gateway where it has any, and sees what is its tenant’s. Answers are not to be kept by browsers.',
    },
    paths: Object.fromEntries(paths),
    components: {
      schemas: { Error: errorSchema, ...Object.fromEntries(schemas) },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
    security: [{ token: [] }, {}],
  }
}

function operationOf(route: Route, schemas: Map<string, Json>): Json {
  const { name, about, more, body, takesBytes, mayBeEmpty, path, query } = route
  const scopes = scopesOf(route)
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => ({
    name: param,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  return {
    operationId: name,
    summary: about,
    ...(more !== undefined && { description: more }),
    tags: [tagOf(path)],
    security:
      scopes.length === 0
        ? []
        : [...scopes.map((scope) => ({ token: route.readsToo ? [scope, 'read'] : [scope] })), {}],
    parameters: [...inPath, ...(query ? parametersOf(query, schemas) : [])],
    ...(body && { requestBody: { required: mayBeEmpty !== true, content: jsonOf(schemaOf(body, schemas, 'input')) } }),
    ...(takesBytes && { requestBody: { required: true, content: { '*/*': { schema: binary } } } }),
    responses: responsesOf(route, schemas),
  }
}

const binary: Json = { type: 'string', format: 'binary' }

function tagOf(path: string): string {
  return path.split('/').find((part) => part !== '' && part !== 'v1') ?? 'prehend'
}

function parametersOf(query: z.ZodObject, schemas: Map<string, Json>): readonly Json[] {
  const { properties = {}, required = [] } = schemaOf(query, schemas, 'input') as {
    properties?: Readonly<Record<string, Json>>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema,
  }))
}

function responsesOf(
  { answer, media, status = 200, about, errors = [], path }: Route,
  schemas: Map<string, Json>,
): Json {
  const content = answer
    ? jsonOf(schemaOf(answer, schemas, 'output'))
    : { [media ?? 'text/plain']: { schema: media === 'application/octet-stream' ? binary : { type: 'string' } } }
  const failures = ['invalid-input', 'unauthorized', 'forbidden', ...errors] as readonly ErrorCode[]
  const byStatus = Map.groupBy(failures, (code) => errorPlaces[code].httpStatus)
  return {
    [status]: { description: about, content },
    ...(path === '/health/readiness' && { 503: { description: 'Not now.', content } }),
    ...Object.fromEntries(
      [...byStatus].map(([code, names]) => [
        code,
        { description: names.join(', '), content: jsonOf({ $ref: '#/components/schemas/Error' }) },
      ]),
    ),
  }
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** A schema in the document's words; what has a name stands among the components. */
function schemaOf(shape: z.ZodType, schemas: Map<string, Json>, io: 'input' | 'output'): Json {
  const whole = z.toJSONSchema(z.strictObject({ of: shape }), { io, unrepresentable: 'any' }) as unknown as {
    readonly properties: { readonly of: Json }
    readonly $defs?: Readonly<Record<string, Json>>
  }
  for (const [name, { id: _, ...schema }] of Object.entries(whole.$defs ?? {}))
    schemas.set(name, relinked(schema) as Json)
  return relinked(whole.properties.of) as Json
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) =>
      key === '$ref' && typeof member === 'string'
        ? [key, member.replace('#/$defs/', '#/components/schemas/')]
        : [key, relinked(member)],
    ),
  )
}

/** Errors of our own routes are in the words of OpenAI's, which all of their clients read. */
const errorSchema: Json = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'], description: 'The field that is wrong.' },
        code: { type: ['string', 'null'] },
      },
      required: ['message', 'type', 'param', 'code'],
    },
  },
  required: ['error'],
}

const documentation: Readonly<Record<string, string>> = {
  'openai-chat': 'https://platform.openai.com/docs/api-reference/chat',
  'openai-responses': 'https://platform.openai.com/docs/api-reference/responses',
  'anthropic-messages': 'https://docs.anthropic.com/en/api/messages',
  'gemini': 'https://ai.google.dev/api/generate-content',
}

interface ModelOperation {
  readonly path: string
  readonly method: string
  readonly operation: Json
}

/** Routes that a provider answers: what they take and give is the provider's to say. */
function modelOperations(): readonly ModelOperation[] {
  return codecs.flatMap(({ dialect, signs }) =>
    signs.routes.map(({ path, method, kind }) => ({
      path,
      method: method.toLowerCase(),
      operation: {
        operationId: `${method.toLowerCase()} ${path}`.replaceAll(/[^A-Za-z0-9]+/g, '_'),
        summary: kind === 'messages' ? 'Packed, and answered by a model.' : 'Answered by a provider.',
        tags: ['models'],
        parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
        externalDocs: { url: documentation[dialect] ?? '', description: dialect },
        responses: { default: { description: 'As the provider documents it.' } },
      },
    })),
  )
}
