import type { Citation, JsonObject } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { objectsOf } from '../json-members.ts'
import { numberIn, sourced, wordsIn } from '../citations/sourced.ts'
import { firstChoice } from './reducer.ts'

/** The annotations of a message. */
export function openaiCitations(body: JsonObject): readonly Citation[] {
  const { message } = firstChoice(body)
  return isJsonObject(message) ? objectsOf(message['annotations']).flatMap(citationOf) : []
}

function citationOf(annotation: JsonObject): readonly Citation[] {
  const said = annotation['url_citation']
  if (!isJsonObject(said)) return []
  return sourced(wordsIn(said, 'url'), {
    title: wordsIn(said, 'title'),
    citedText: wordsIn(said, 'content'),
    start: numberIn(said, 'start_index'),
    end: numberIn(said, 'end_index'),
  })
}
