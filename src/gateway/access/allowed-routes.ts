import { literalPattern } from '../../core/index.ts'

/** Named sets of provider routes that `allowedRoutes` may list beside routes of its own. */
export const routeGroups = {
  /** The request holds all it needs, and the provider keeps nothing that a later request could name. */
  stateless: [
    'GET /v1/models',
    'GET /v1/models/*',
    'POST /v1/embeddings',
    'POST /v1/moderations',
    'POST /v1/completions',
    'POST /v1/rerank',
    'POST /v1/images/generations',
    'POST /v1/images/edits',
    'POST /v1/images/variations',
    'POST /v1/audio/speech',
    'POST /v1/audio/transcriptions',
    'POST /v1/audio/translations',
    'POST /v1/responses/compact',
    'GET /v1beta/models',
    'GET /v1beta/models/*',
    'POST /v1beta/models/*:embedContent',
    'POST /v1beta/models/*:batchEmbedContents',
    'POST /v1beta/models/*:predict',
  ],
  /** Stored responses, each by its id. */
  responses: ['GET /v1/responses/*', 'DELETE /v1/responses/*', 'POST /v1/responses/*/cancel'],
  /** Other objects that a provider keeps, each by its id; lists of them are in no group. */
  objects: [
    'files',
    'uploads',
    'batches',
    'conversations',
    'containers',
    'vector_stores',
    'videos',
    'chat/completions',
    'messages/batches',
    'cachedContents',
  ].flatMap((name) => [
    `POST /v1/${name}`,
    `GET /v1/${name}/*`,
    `POST /v1/${name}/*`,
    `PATCH /v1/${name}/*`,
    `DELETE /v1/${name}/*`,
  ]),
} as const satisfies Readonly<Record<string, readonly string[]>>

type RouteGroup = keyof typeof routeGroups

const groupNames = Object.keys(routeGroups)

/** Whether a text names a group, or is a route such as `POST /v1/files` or `/v1/files/*`. */
export function isAllowedRoute(said: string): boolean {
  return groupNames.includes(said) || /^(?:[A-Z]+ )?\/[^\s?#]*$/.test(said)
}

export const allowedRouteForms = `${groupNames.join(', ')} or a route such as "GET /v1/files/*"`

/** The groups that hold unless a configuration lists others. */
export const defaultAllowedRoutes: RouteGroup[] = ['stateless', 'responses']

/** Tells whether a request may go to a route that is listed. A path of another version of the API is the same route. */
export function routeTest(allowed: readonly string[]): (method: string, path: string) => boolean {
  const routes = allowed.flatMap((said): readonly string[] =>
    Object.hasOwn(routeGroups, said) ? routeGroups[said as RouteGroup] : [said],
  )
  const patterns = [...new Set(routes)].map((route) => {
    const [method, path] = route.includes(' ') ? (route.split(' ') as [string, string]) : ['*', route]
    return { method, path: wildcards([sameVersion(path)]) }
  })
  return (method, path) => {
    const asked = sameVersion(path.split('?', 1)[0] ?? '')
    const verb = method === 'HEAD' ? 'GET' : method
    return patterns.some((one) => (one.method === '*' || one.method === verb) && one.path(asked))
  }
}

/** Whether a route names nothing that a provider keeps. */
export const isStateless = routeTest(['stateless'])

function sameVersion(path: string): string {
  return path.replace(/^\/v1(?:alpha|beta)(?=\/)/, '/v1')
}

/** Tells whether a text is one of those listed, where `*` stands for any characters, also for none. */
export function wildcards(patterns: readonly string[]): (text: string) => boolean {
  const one = patterns.map((pattern) => pattern.split('*').map(literalPattern).join('.*')).join('|')
  const whole = new RegExp(`^(?:${one})$`, 'is')
  return (text) => whole.test(text)
}
