import type { Citation, JsonObject } from '../../core/index.ts'
import { numberIn, objectsIn, sourced, stringIn } from '../citations/json-members.ts'

/** The annotations of output texts; their offsets count within their own text, ours within the whole reply. */
export function responsesCitations(body: JsonObject): readonly Citation[] {
  let before = 0
  return objectsIn(body, 'output')
    .flatMap((item) => objectsIn(item, 'content'))
    .flatMap((part) => {
      const offset = before
      before += (stringIn(part, 'text') ?? '').length
      return objectsIn(part, 'annotations').flatMap((annotation) => citationOf(annotation, offset))
    })
}

function citationOf(annotation: JsonObject, offset: number): readonly Citation[] {
  const source = stringIn(annotation, 'url') ?? stringIn(annotation, 'file_id')
  const [start, end] = ['start_index', 'end_index'].map((name) => numberIn(annotation, name))
  return sourced(source, {
    title: stringIn(annotation, 'title') ?? stringIn(annotation, 'filename'),
    start: start === undefined ? undefined : start + offset,
    end: end === undefined ? undefined : end + offset,
  })
}
