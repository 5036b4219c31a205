import type { Citation, Dialect, JsonObject } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { dialects } from '../dialects.ts'
import { parseData, upstreamBroken } from '../reply-body.ts'

/** A whole reply of a provider. */
export interface CitationSource {
  readonly dialect: Dialect
  readonly body: string | JsonObject
}

/**
 * What a reply cites, in one form for all providers: search results, pages and documents, OpenAI's annotations, Gemini's
 * grounding. Throws `upstream-broken` where the body is no JSON object, `invalid-input` where there is no such dialect.
 */
export function citationsOf({ dialect, body }: CitationSource): readonly Citation[] {
  const codec = dialects.for(dialect)
  const value = typeof body === 'string' ? parseData(body) : body
  if (!isJsonObject(value)) throw upstreamBroken('is no JSON object')
  return codec.citations(value)
}
