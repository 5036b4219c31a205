import type { Citation, Dialect, JsonObject } from '../../core/index.ts'
import { isJsonObject, objectLike, shape } from '../../core/index.ts'
import { dialects } from '../dialects.ts'
import { parseData, upstreamBroken } from '../reply-body.ts'

/** A whole reply of a provider. */
export interface CitationSource {
  readonly dialect: Dialect
  readonly body: string | JsonObject
}

export const replySourceShape = shape.object<CitationSource>({
  dialect: shape.name,
  body: shape.textOr(shape.text, objectLike<JsonObject>('a JSON text, or the object that it is')),
})

/**
 * What a reply cites, in one form for all providers: search results, pages and documents, OpenAI's annotations, Gemini's
 * grounding. Throws `upstream-broken` where the body is no JSON object, `invalid-input` where there is no such dialect.
 */
export function citationsOf(source: CitationSource): readonly Citation[] {
  shape.check(replySourceShape, source, 'source')
  const { dialect, body } = source
  const codec = dialects.for(dialect)
  const value = typeof body === 'string' ? parseData(body) : body
  if (!isJsonObject(value)) throw upstreamBroken('is no JSON object')
  return codec.citations(value)
}
