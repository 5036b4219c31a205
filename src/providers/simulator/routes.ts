import type { JsonObject } from '../../core/index.ts'
import type { SimulatedDialect } from './dialect.ts'
import type { ProviderRequest } from './wire.ts'
import { anthropicDialect } from './anthropic/dialect.ts'
import { geminiDialect, geminiListDialect } from './gemini/dialect.ts'
import { openaiDialect } from './openai/dialect.ts'
import { openrouterDialect, openrouterMessagesDialect, openrouterResponsesDialect } from './openrouter/dialect.ts'
import { responsesDialect } from './responses/dialect.ts'

export type SimulatedRoute =
  | {
      readonly kind: 'generate' | 'count'
      readonly dialect: SimulatedDialect
      /** What the path says that in other dialects the body does. */
      readonly target?: JsonObject
    }
  | { readonly kind: 'models'; readonly dialect: SimulatedDialect; readonly id?: string }
  | { readonly kind: 'embeddings'; readonly dialect: SimulatedDialect }
  | { readonly kind: 'contents'; readonly dialect: SimulatedDialect; readonly id?: string }
  | { readonly kind: 'unknown'; readonly dialect: SimulatedDialect }

/** Where a request belongs. What nobody serves is refused in the words of the dialect that it looks like. */
export function routeOf(request: ProviderRequest): SimulatedRoute {
  if (request.path.startsWith('/api/v1/')) return routerRoute(request)
  const route = geminiRoute(request) ?? otherRoute(request)
  const isGoogles = 'x-goog-api-key' in request.headers || /^\/v1(?:beta|alpha)\//.test(request.path)
  return route.kind === 'unknown' && isGoogles ? { kind: 'unknown', dialect: geminiDialect } : route
}

const geminiPath = /^(\/v1(?:beta|alpha)?)\/models(?:\/([^/:]+))?(?::(\w+))?$/

/** The path names the model and what is wanted of it; streams are lists unless events are asked for. */
function geminiRoute({ method, path, headers }: ProviderRequest): SimulatedRoute | undefined {
  const [place = '', query] = path.split('?')
  const contents = /^\/v1(?:beta|alpha)?\/cachedContents(?:\/([^/:]+))?$/.exec(place)
  if (contents) return { kind: 'contents', dialect: geminiDialect, ...(contents[1] && { id: contents[1] }) }
  const [found, version, encoded, verb] = geminiPath.exec(place) ?? []
  if (found === undefined) return undefined
  const model = encoded === undefined ? undefined : decodeURIComponent(encoded)
  if (method === 'GET' && verb === undefined) {
    if (version === '/v1' && !('x-goog-api-key' in headers)) return undefined
    return { kind: 'models', dialect: geminiDialect, ...(model !== undefined && { id: model }) }
  }
  if (method !== 'POST' || model === undefined) return undefined
  const stream = verb === 'streamGenerateContent'
  const target = { model, stream }
  if (verb === 'countTokens') return { kind: 'count', dialect: geminiDialect, target }
  if (verb !== 'generateContent' && !stream) return undefined
  const isList = stream && new URLSearchParams(query).get('alt') !== 'sse'
  return { kind: 'generate', dialect: isList ? geminiListDialect : geminiDialect, target }
}

/** OpenRouter's routes lie where no other provider has any. */
function routerRoute({ method, path }: ProviderRequest): SimulatedRoute {
  const place = `${method} ${(path.split('?')[0] ?? '').replace('/api/v1', '')}`
  const model = /^GET \/models(?:\/(.+))?$/.exec(place)
  if (place === 'POST /chat/completions') return { kind: 'generate', dialect: openrouterDialect }
  if (place === 'POST /responses') return { kind: 'generate', dialect: openrouterResponsesDialect }
  if (place === 'POST /messages') return { kind: 'generate', dialect: openrouterMessagesDialect }
  if (model === null) return { kind: 'unknown', dialect: openrouterDialect }
  return {
    kind: 'models',
    dialect: openrouterDialect,
    ...(model[1] !== undefined && { id: decodeURIComponent(model[1]) }),
  }
}

function otherRoute({ method, path, headers }: ProviderRequest): SimulatedRoute {
  const place = `${method} ${(path.split('?')[0] ?? '').replace(/^\/v1(?=\/)/, '')}`
  const model = /^GET \/models(?:\/(.+))?$/.exec(place)
  const dialect = 'anthropic-version' in headers || place.includes('/messages') ? anthropicDialect : openaiDialect
  if (place === 'POST /chat/completions') return { kind: 'generate', dialect: openaiDialect }
  if (place === 'POST /responses') return { kind: 'generate', dialect: responsesDialect }
  if (place === 'POST /embeddings') return { kind: 'embeddings', dialect: openaiDialect }
  if (place === 'POST /responses/input_tokens') return { kind: 'count', dialect: responsesDialect }
  if (place === 'POST /messages') return { kind: 'generate', dialect: anthropicDialect }
  if (place === 'POST /messages/count_tokens') return { kind: 'count', dialect: anthropicDialect }
  if (model === null) return { kind: 'unknown', dialect }
  return { kind: 'models', dialect, ...(model[1] === undefined ? {} : { id: decodeURIComponent(model[1]) }) }
}
