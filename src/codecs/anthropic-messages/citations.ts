import type { Citation, JsonObject } from '../../core/index.ts'
import { objectsIn, sourced, stringIn } from '../citations/json-members.ts'

/** The citations of text blocks: each stands for the words of its block. */
export function anthropicCitations(body: JsonObject): readonly Citation[] {
  let end = 0
  return objectsIn(body, 'content').flatMap((block) => {
    if (block['type'] !== 'text') return []
    const start = end
    end += (stringIn(block, 'text') ?? '').length
    return objectsIn(block, 'citations').flatMap((citation) => citationOf(citation, { start, end }))
  })
}

/** Search results and pages have a source of their own; documents are known by their titles, else by their places. */
function citationOf(
  citation: JsonObject,
  place: { readonly start: number; readonly end: number },
): readonly Citation[] {
  const title = stringIn(citation, 'title') ?? stringIn(citation, 'document_title')
  const index = citation['document_index']
  const document = title ?? (typeof index === 'number' ? `document ${index}` : undefined)
  const source = stringIn(citation, 'source') ?? stringIn(citation, 'url') ?? document
  return sourced(source, { title, citedText: stringIn(citation, 'cited_text'), ...place })
}
