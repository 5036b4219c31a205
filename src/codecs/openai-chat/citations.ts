import type { Citation, JsonObject } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { numberIn, objectsIn, sourced, stringIn } from '../citations/json-members.ts'
import { firstChoice } from './reducer.ts'

/** The annotations of a message. */
export function openaiCitations(body: JsonObject): readonly Citation[] {
  const { message } = firstChoice(body)
  return isJsonObject(message) ? objectsIn(message, 'annotations').flatMap(citationOf) : []
}

function citationOf(annotation: JsonObject): readonly Citation[] {
  const said = annotation['url_citation']
  if (!isJsonObject(said)) return []
  return sourced(stringIn(said, 'url'), {
    title: stringIn(said, 'title'),
    citedText: stringIn(said, 'content'),
    start: numberIn(said, 'start_index'),
    end: numberIn(said, 'end_index'),
  })
}
