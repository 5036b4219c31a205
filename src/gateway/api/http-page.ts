import { openApiDocument } from './openapi.ts'
import { ownRoutes } from './routes/index.ts'
import { scopesOf } from './route.ts'
import type { Route } from './route.ts'

/** A schema, as far as a page tells of it. */
interface Shape {
  readonly $ref?: string
  /** The page that has its members. */
  readonly $comment?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Shape
}

interface Operation {
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Shape }>> }>
  >
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> }
}

const inJson = ownRoutes.filter(({ answer }) => answer !== undefined)
const held = inJson.filter(({ path, status = 200 }) => status < 202 && !/^\/v1\/(?:replays\/|keys)/.test(path))

const intro = `# HTTP

What a gateway tells of itself: figures, sessions, requests, policies, health. The command line and the inspector ask for nothing else. This page and
\`GET /openapi.json\` (OpenAPI 3.1) are made from the same statements as the routes; a test asks a gateway with traffic and holds the answers of ${held.length} of ${inJson.length} in JSON to the
published document, to the member (the others are of replays and keys, which have tests of their own). ${ownRoutes.length} routes of ${ownRoutes.length} that are served stand here, as the router's own list says
(\`npx vitest run src/gateway/app/stated-routes.test.ts\`). For the routes that models answer see [the gateway](gateway/routes.md).

\`\`\`sh
curl -s 'http://127.0.0.1:8484/v1/stats?by=day,model&since=2026-11-01T00:00:00Z'
curl -s 'http://127.0.0.1:8484/v1/packs?session=my-session&limit=20' -H 'authorization: Bearer TOKEN'
\`\`\`

- **Whose.** A gateway that has tokens asks for one (\`authorization: Bearer\`, \`x-api-key\`); beyond loopback it does not start without. You see what is your tenant's, and nothing else is found. Each route names the scope that a token or key needs ([tenancy.md](tenancy.md)).
- **Lists** go on with \`cursor\`: the \`next\` of the page before, until it is null. A cursor says nothing to others and stays good when something is added; what it has told it does not tell again.
- **Times** in queries are ISO-8601 or milliseconds since the epoch, those in answers end in \`Ms\` and are milliseconds since the epoch. Dollars end in \`usd\`.
- **Unknown is null**, never 0: a request whose provider told nothing has no cached tokens.
- **Errors** say what is wrong in \`error.message\`, and where in \`error.param\`. A parameter that there is not is an error, too, and so is an \`x-prehend-\` header that nobody reads; where a name is near enough, it is told.
- **Nothing is kept by browsers** (\`cache-control: no-store\`), and pages of others get nothing, unless \`allowedOrigins\` names them.
- Where content is not recorded (\`--record receipts\`), there is all but texts, and \`whyNot\` says so.
`

/** The page docs/http.md. */
export function httpPage(): string {
  const document = openApiDocument({ version: '1' }) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
  }
  const routes = ownRoutes.map((route) => routeText(route, document.paths[route.path]?.[route.method]))
  const shapes = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Error')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, shape]) => shapeText(name, shape))
  return [intro, '## Routes', ...routes, '## Shapes', ...shapes].join('\n\n').replaceAll(/\n{3,}/g, '\n\n') + '\n'
}

function routeText(route: Route, operation: Operation | undefined): string {
  const { method, path, about, more, example } = route
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``)
  const parameters = (operation?.parameters ?? []).filter((one) => one.in === 'query')
  const [answer] = Object.entries(operation?.responses['200']?.content ?? {})
  const body = operation?.requestBody?.content['application/json']?.schema
  return [
    `### ${method.toUpperCase()} ${path}`,
    about,
    ...(more === undefined ? [] : [more]),
    ...(parameters.length === 0 ? [] : [parameterTable(parameters)]),
    ...(route.takesBytes ? ['Body: bytes of any media type.'] : []),
    ...(body ? [`Body: ${body.description ?? typeText(body)}`] : []),
    answer && answer[0] !== 'application/json'
      ? `Answer: ${answer[0]}.`
      : `Answer: ${typeText(answer?.[1].schema ?? {})}.`,
    ...(scopes.length === 0 ? [] : [`Scope: ${scopes.join(' or ')}${route.readsToo ? ', and `read`' : ''}.`]),
    `Example: \`${method.toUpperCase()} ${example}\``,
  ].join('\n\n')
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, required, schema, description = '' }) =>
      `| \`${name}\`${required ? ', needed' : ''} | ${typeText(schema)} | ${cell(description)} |`,
  )
  return ['| parameter | is | |', '| --- | --- | --- |', ...rows].join('\n')
}

function shapeText(name: string, shape: Shape): string {
  const rows = membersOf('', shape).map(
    ([member, of, isRequired]) =>
      `| \`${member}\`${isRequired ? '' : '?'} | ${typeText(of)} | ${cell(of.description ?? '')} |`,
  )
  const about = shape.description === undefined ? [] : [shape.description]
  if (shape.$comment !== undefined) return [`### ${name}`, ...about, `Its members: ${shape.$comment}.`].join('\n\n')
  const table = rows.length === 0 ? [] : [['| member | is | |', '| --- | --- | --- |', ...rows].join('\n')]
  return [`### ${name}`, ...about, ...table].join('\n\n')
}

type Member = readonly [name: string, shape: Shape, isRequired: boolean]

/** Members of members stand under their path, unless they have a name of their own. */
function membersOf(at: string, { properties = {}, required = [] }: Shape): readonly Member[] {
  return Object.entries(properties).flatMap(([name, shape]): readonly Member[] => {
    const path = at + name
    const own: Member = [path, shape, required.includes(name)]
    const inner = shape.items ?? shape
    return [own, ...membersOf(`${path}${shape.items ? '[]' : ''}.`, inner)]
  })
}

function typeText(shape: Shape): string {
  const { $ref, enum: values, anyOf, items, type } = shape
  if ($ref !== undefined) return linked($ref.split('/').at(-1) ?? '')
  if (shape.const !== undefined) return `\`${JSON.stringify(shape.const)}\``
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' or ')
  if (items) return `list of ${typeText(items)}`
  const data = shape.properties?.['data']?.items
  if (data && shape.properties?.['next']) return `a page of ${typeText(data)}`
  return type === undefined ? 'anything' : [type].flat().join(' or ')
}

function linked(name: string): string {
  return `[${name}](#${name.toLowerCase()})`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
