import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, present, rawText, stringAt } from '../../core/index.ts'
import type { HiddenToolNames } from '../codec.ts'
import { scanReply, upstreamBroken } from '../reply-body.ts'
import type { Edit, RawMembers } from '../splice.ts'
import { removeChildren, sortEdits, splice, withMembers } from '../splice.ts'
import { reasoningList, reasoningStrings } from './hidden.ts'
import { textOf, toolCallOf } from './reply.ts'

interface ReplyTree {
  readonly tree: JsonTree
  readonly choice: JsonNode
  readonly message: JsonNode
}

/** The last completion of a client request, its usage included, with the words of all before it and the first one's id. */
export function mergeReplies(bodies: readonly string[], hiddenTools: HiddenToolNames): string {
  const replies = bodies.map(readReply)
  const [first] = replies
  const last = replies.at(-1)
  if (first === undefined || last === undefined) throw upstreamBroken('is missing')
  const { tree, choice, message } = last
  const shown = withoutCalls(tree, message, hiddenTools)
  if (replies.length === 1 && shown === undefined) return tree.text.toString()
  const merged = withMembers(shown ?? rawText(tree, message), replies.length === 1 ? [] : joinedStrings(replies))
  const edits: Edit[] = [{ start: message.start, end: message.end, text: merged }]
  const reason = member(tree, choice, 'finish_reason')
  if (reason !== undefined && isOver(tree, choice, message, hiddenTools)) {
    edits.push({ start: reason.start, end: reason.end, text: '"stop"' })
  }
  const body = splice(tree.text, sortEdits(edits))
  const id = member(first.tree, first.tree.root, 'id')
  return replies.length === 1 || id === undefined ? body : withMembers(body, [['id', rawText(first.tree, id)]])
}

function readReply(body: string): ReplyTree {
  const tree = scanReply(body)
  const choice = member(tree, tree.root, 'choices')?.children[0]
  const message = member(tree, choice, 'message')
  if (choice === undefined || message?.kind !== 'object') throw upstreamBroken('has no choices[0].message')
  return { tree, choice, message }
}

function isOurs(tree: JsonTree, call: JsonNode | undefined, hiddenTools: HiddenToolNames): boolean {
  return call !== undefined && hiddenTools.has(toolCallOf(tree, call)?.name ?? '')
}

/** The message without our calls; undefined when it has none. */
function withoutCalls(tree: JsonTree, message: JsonNode, hiddenTools: HiddenToolNames): string | undefined {
  const list = present(tree, message, 'tool_calls')
  if (list === undefined || !list.children.some((call) => isOurs(tree, call, hiddenTools))) return undefined
  const all = list.children.every((call) => isOurs(tree, call, hiddenTools))
  const edits = all
    ? removeChildren(message, (index) => message.children[index] === list)
    : removeChildren(list, (index) => isOurs(tree, list.children[index], hiddenTools))
  return splice(tree.text, sortEdits(edits), message.start, message.end)
}

const callReasons: ReadonlySet<string | undefined> = new Set(['tool_calls', 'function_call'])

/** Whether the reply stopped for calls of ours alone. */
function isOver(tree: JsonTree, choice: JsonNode, message: JsonNode, hiddenTools: HiddenToolNames): boolean {
  const calls = present(tree, message, 'tool_calls')?.children ?? []
  if (!callReasons.has(stringAt(tree, choice, 'finish_reason')) || calls.length === 0) return false
  return calls.every((call) => isOurs(tree, call, hiddenTools))
}

function joinedStrings(replies: readonly ReplyTree[]): RawMembers {
  const text = replies.map(({ tree, message }) => textOf(tree, message)).join('')
  const reasoning = reasoningStrings.flatMap((name): (readonly [string, string])[] => {
    const words = replies.map(({ tree, message }) => stringAt(tree, message, name) ?? '').join('')
    return words === '' ? [] : [[name, JSON.stringify(words)]]
  })
  const details = replies.flatMap(({ tree, message }) =>
    (present(tree, message, reasoningList)?.children ?? []).map((node) => rawText(tree, node)),
  )
  return [
    ...(text === '' ? [] : [['content', JSON.stringify(text)] as const]),
    ...reasoning,
    ...(details.length === 0 ? [] : [[reasoningList, `[${details.join(',')}]`] as const]),
  ]
}
