import type { Citation, JsonObject } from '../../core/index.ts'
import { objectsOf } from '../json-members.ts'
import { sourced, wordsIn } from '../citations/sourced.ts'

/** The citations of text blocks: each stands for the words of its block. */
export function anthropicCitations(body: JsonObject): readonly Citation[] {
  let end = 0
  return objectsOf(body['content']).flatMap((block) => {
    if (block['type'] !== 'text') return []
    const start = end
    end += (wordsIn(block, 'text') ?? '').length
    return objectsOf(block['citations']).flatMap((citation) => citationOf(citation, { start, end }))
  })
}

/** Search results and pages have a source of their own; documents are known by their titles, else by their places. */
function citationOf(
  citation: JsonObject,
  place: { readonly start: number; readonly end: number },
): readonly Citation[] {
  const title = wordsIn(citation, 'title') ?? wordsIn(citation, 'document_title')
  const index = citation['document_index']
  const document = title ?? (typeof index === 'number' ? `document ${index}` : undefined)
  const source = wordsIn(citation, 'source') ?? wordsIn(citation, 'url') ?? document
  return sourced(source, { title, citedText: wordsIn(citation, 'cited_text'), ...place })
}
