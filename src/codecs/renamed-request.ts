import type { WireRequest } from '../core/index.ts'
import { member } from '../core/index.ts'
import type { Codec } from './codec.ts'
import { placesIn } from './reply-body.ts'
import { splice } from './splice.ts'

/** The same request for another model: the body's `model`, or its path where the dialect has the name there. */
export function renamedRequest(codec: Codec, request: WireRequest, model: string): WireRequest {
  const { path = '' } = request
  const renamed = codec.renamedPath?.(path, model) ?? path
  if (renamed !== path) return { ...request, path: renamed }
  const tree = placesIn(request.body)
  const node = tree && member(tree, tree.root, 'model')
  if (!node) return request
  const edit = { start: node.start, end: node.end, text: JSON.stringify(model) }
  return { ...request, body: splice(request.body, [edit]) }
}
