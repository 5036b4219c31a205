import type { SimulatedDialect } from './dialect.ts'
import type { WireRequest } from './wire.ts'
import { anthropicDialect } from './anthropic/dialect.ts'
import { openaiDialect } from './openai/dialect.ts'
import { responsesDialect } from './responses/dialect.ts'

export type Route =
  | { readonly kind: 'generate' | 'count'; readonly dialect: SimulatedDialect }
  | { readonly kind: 'models'; readonly dialect: SimulatedDialect; readonly id?: string }
  | { readonly kind: 'unknown'; readonly dialect: SimulatedDialect }

/** Where a request belongs. What nobody serves is refused in the words of the dialect that it looks like. */
export function routeOf({ method, path, headers }: WireRequest): Route {
  const place = `${method} ${(path.split('?')[0] ?? '').replace(/^\/v1(?=\/)/, '')}`
  const model = /^GET \/models(?:\/(.+))?$/.exec(place)
  const dialect = 'anthropic-version' in headers || place.includes('/messages') ? anthropicDialect : openaiDialect
  if (place === 'POST /chat/completions') return { kind: 'generate', dialect: openaiDialect }
  if (place === 'POST /responses') return { kind: 'generate', dialect: responsesDialect }
  if (place === 'POST /responses/input_tokens') return { kind: 'count', dialect: responsesDialect }
  if (place === 'POST /messages') return { kind: 'generate', dialect: anthropicDialect }
  if (place === 'POST /messages/count_tokens') return { kind: 'count', dialect: anthropicDialect }
  if (model === null) return { kind: 'unknown', dialect }
  return { kind: 'models', dialect, ...(model[1] === undefined ? {} : { id: decodeURIComponent(model[1]) }) }
}
