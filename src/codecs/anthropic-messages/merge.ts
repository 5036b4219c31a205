import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, stringAt } from '../../core/index.ts'
import type { HiddenToolNames } from '../codec.ts'
import { scanReply, upstreamBroken } from '../reply-body.ts'
import { withMembers } from '../splice.ts'

/** The last message of a client request, its usage included, with the blocks of all before it and the first one's id. */
export function mergeReplies(bodies: readonly string[], hiddenTools: HiddenToolNames): string {
  const replies = bodies.map((body) => {
    const tree = scanReply(body)
    const content = member(tree, tree.root, 'content')
    if (content?.kind !== 'array') throw upstreamBroken('has no content')
    return { tree, content }
  })
  const [first] = replies
  const last = replies.at(-1)
  const lastBody = bodies.at(-1)
  if (first === undefined || last === undefined || lastBody === undefined) throw upstreamBroken('is missing')
  const isOurs = (tree: JsonTree, block: JsonNode): boolean =>
    stringAt(tree, block, 'type') === 'tool_use' && hiddenTools.has(stringAt(tree, block, 'name') ?? '')
  const all = replies.flatMap(({ tree, content }) => content.children.map((block) => ({ tree, block })))
  const visible = all.filter(({ tree, block }) => !isOurs(tree, block))
  if (replies.length === 1 && visible.length === all.length) return lastBody
  const members: [string, string][] = [
    ['content', `[${visible.map(({ tree, block }) => rawText(tree, block)).join(',')}]`],
  ]
  const id = member(first.tree, first.tree.root, 'id')
  if (id !== undefined) members.push(['id', rawText(first.tree, id)])
  const waits = visible.some(({ tree, block }) => stringAt(tree, block, 'type') === 'tool_use')
  if (!waits && stringAt(last.tree, last.tree.root, 'stop_reason') === 'tool_use')
    members.push(['stop_reason', '"end_turn"'])
  return withMembers(lastBody, members)
}
