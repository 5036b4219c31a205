import type { Citation, JsonObject } from '../../core/index.ts'
import { objectsOf } from '../json-members.ts'
import { numberIn, sourced, wordsIn } from '../citations/sourced.ts'

/** The annotations of output texts; their offsets count within their own text, ours within the whole reply. */
export function responsesCitations(body: JsonObject): readonly Citation[] {
  let before = 0
  return objectsOf(body['output'])
    .flatMap((item) => objectsOf(item['content']))
    .flatMap((part) => {
      const offset = before
      before += (wordsIn(part, 'text') ?? '').length
      return objectsOf(part['annotations']).flatMap((annotation) => citationOf(annotation, offset))
    })
}

function citationOf(annotation: JsonObject, offset: number): readonly Citation[] {
  const source = wordsIn(annotation, 'url') ?? wordsIn(annotation, 'file_id')
  const [start, end] = ['start_index', 'end_index'].map((name) => numberIn(annotation, name))
  return sourced(source, {
    title: wordsIn(annotation, 'title') ?? wordsIn(annotation, 'filename'),
    start: start === undefined ? undefined : start + offset,
    end: end === undefined ? undefined : end + offset,
  })
}
