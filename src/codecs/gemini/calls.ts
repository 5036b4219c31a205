import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, present } from '../../core/index.ts'
import type { CallPlace, CallPlaces } from '../calls/call-places.ts'
import { either } from './members.ts'
import { chunksOf } from './reply.ts'

/** Parts with a `functionCall`, which come whole, and those with the `functionResponse` to one, which names it. */
export const geminiCalls: CallPlaces = {
  argumentsMember: 'args',
  inRequest: (tree) =>
    (member(tree, tree.root, 'contents')?.children ?? []).flatMap((content, at) => callsIn(tree, content, `${at}.`)),
  inReply: (tree) => inChunks(tree, ''),
  inStream() {
    let events = 0
    return (tree) => inChunks(tree, `${(events += 1)}.`)
  },
}

function inChunks(tree: JsonTree, prefix: string): readonly CallPlace[] {
  return chunksOf(tree.root).flatMap((chunk, turn) =>
    (member(tree, chunk, 'candidates')?.children ?? []).flatMap((candidate, at) =>
      callsIn(tree, member(tree, candidate, 'content'), `${prefix}${turn}.${at}.`),
    ),
  )
}

function callsIn(tree: JsonTree, content: JsonNode | undefined, prefix: string): readonly CallPlace[] {
  const parts = member(tree, content, 'parts')
  if (parts?.kind !== 'array') return []
  return parts.children.flatMap((part, index): readonly CallPlace[] => {
    const key = `${prefix}${index}`
    const call = either(tree, part, 'functionCall')
    const named = call ?? either(tree, part, 'functionResponse')
    const name = member(tree, named, 'name')
    if (name?.kind !== 'string') return []
    if (call === undefined) return [{ key, name, isResult: true }]
    const args = present(tree, call, 'args')
    return [{ key, name, ...(args && { arguments: { node: args, isQuoted: false } }) }]
  })
}
