import type { Citation, JsonObject } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { objectsOf } from '../json-members.ts'
import { numberIn, sourced, wordsIn } from '../citations/sourced.ts'

/** What a reply was grounded on, and what it repeats. Google counts in bytes of UTF-8; offsets here are of characters, as everywhere. */
export function geminiCitations(body: JsonObject): readonly Citation[] {
  const [candidate] = objectsOf(body['candidates'])
  if (candidate === undefined) return []
  const content = isJsonObject(candidate['content']) ? candidate['content'] : {}
  const text = objectsOf(content['parts'])
    .map((part) => (part['thought'] === true ? '' : (wordsIn(part, 'text') ?? '')))
    .join('')
  return [...grounded(candidate['groundingMetadata'], text), ...repeated(candidate['citationMetadata'], text)]
}

function grounded(metadata: unknown, text: string): readonly Citation[] {
  if (!isJsonObject(metadata)) return []
  const chunks = objectsOf(metadata['groundingChunks'])
  return objectsOf(metadata['groundingSupports']).flatMap((support) => {
    const segment = isJsonObject(support['segment']) ? support['segment'] : {}
    const indices: readonly unknown[] = Array.isArray(support['groundingChunkIndices'])
      ? support['groundingChunkIndices']
      : []
    const sure: readonly unknown[] = Array.isArray(support['confidenceScores']) ? support['confidenceScores'] : []
    return indices.flatMap((index, at) => {
      const chunk = typeof index === 'number' ? chunks[index] : undefined
      const found = chunk?.['web'] ?? chunk?.['retrievedContext']
      const page = isJsonObject(found) ? found : {}
      return sourced(wordsIn(page, 'uri') ?? wordsIn(page, 'title'), {
        title: wordsIn(page, 'title'),
        citedText: wordsIn(page, 'text'),
        ...placeOf(segment, text),
        confidence: typeof sure[at] === 'number' ? sure[at] : undefined,
      })
    })
  })
}

function repeated(metadata: unknown, text: string): readonly Citation[] {
  if (!isJsonObject(metadata)) return []
  const sources = [...objectsOf(metadata['citationSources']), ...objectsOf(metadata['citations'])]
  return sources.flatMap((source) =>
    sourced(wordsIn(source, 'uri'), { title: wordsIn(source, 'title'), ...placeOf(source, text) }),
  )
}

/** A start that is 0 is not told. */
function placeOf(segment: JsonObject, text: string): { readonly start?: number; readonly end?: number } {
  const end = numberIn(segment, 'endIndex')
  if (end === undefined) return {}
  return { start: characters(text, numberIn(segment, 'startIndex') ?? 0), end: characters(text, end) }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** How many characters lie before a byte. */
function characters(text: string, bytes: number): number {
  return decoder.decode(encoder.encode(text).subarray(0, bytes)).length
}
