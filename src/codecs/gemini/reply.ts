import type { JsonNode, JsonTree, ModelReply, Usage } from '../../core/index.ts'
import { isPrehendError, member, present, rawText } from '../../core/index.ts'
import { placesIn, scanReply, upstreamBroken } from '../reply-body.ts'
import { firstCandidate, initialState, partsOf, replyOf, stepTree } from './reducer.ts'
import { modelMessage } from './fold-parts.ts'

/** Decodes a reply, or an error body, which gives a reply with `failure`; a list of chunks is a stream in another form. */
export function decodeReply(body: string): ModelReply {
  const tree = scanReply(body)
  const { root } = tree
  const reply = replyOf(chunksOf(root).reduce((state, chunk) => stepTree(state, tree, chunk), initialState))
  if (root.kind === 'array') return reply
  const candidate = firstCandidate(tree, root)
  const isRefused = present(tree, root, 'error') !== undefined
  if (candidate === undefined && !isRefused && reply.stopReason === undefined) throw upstreamBroken('has no candidates')
  const { failure, ...whole } = reply
  if (isRefused && failure) return { ...whole, failure, text: '', toolCalls: [] }
  return candidate === undefined ? whole : { ...whole, message: messageOf(tree, candidate) }
}

/** The chunks that a body consists of. */
export function chunksOf(root: JsonNode): readonly JsonNode[] {
  return root.kind === 'array' ? root.children.filter(({ kind }) => kind === 'object') : [root]
}

/** The message as it goes back: its parts as they came. */
function messageOf(tree: JsonTree, candidate: JsonNode): string {
  const content = member(tree, candidate, 'content')
  const parts = member(tree, content, 'parts')
  if (content === undefined || parts?.kind !== 'array' || partsOf(tree, candidate).length === 0)
    return modelMessage('[]')
  return member(tree, content, 'role') === undefined ? modelMessage(rawText(tree, parts)) : rawText(tree, content)
}

/** Never throws. */
export function usageOf(body: string): Usage | undefined {
  try {
    const tree = placesIn(body)
    if (tree === undefined) return undefined
    const state = chunksOf(tree.root).reduce((before, chunk) => stepTree(before, tree, chunk), initialState)
    return state.failure === undefined ? replyOf({ ...state, chunks: undefined }).usage : undefined
  } catch (error) {
    if (isPrehendError(error)) return undefined
    throw error
  }
}
