import type { Exchange, Item } from '../core/index.ts'
import { PrehendError } from '../core/index.ts'
import { member } from './json-node.ts'
import type { JsonNode, JsonTree } from './scan-json.ts'
import type { Edit } from './splice.ts'
import { removeChildren } from './splice.ts'

interface Omission {
  readonly tree: JsonTree
  readonly exchange: Exchange
  readonly kept: (itemId: string) => boolean
  readonly mayBegin: (role: string) => boolean
}

/** The edits that take omitted items out of the body, or the error when the protocol would be broken by that. */
export function omissionEdits(omission: Omission): readonly Edit[] {
  requireWholePairs(omission)
  return [...toolEdits(omission), ...systemEdits(omission), ...conversationEdits(omission)]
}

function broken(assertion: string, remedy: string): PrehendError<'compile-assertion'> {
  return new PrehendError('compile-assertion', `${assertion}. ${remedy}`, { assertion, remedy })
}

/** A call stays exactly when (some part of) its result stays; a call without result is free. */
function requireWholePairs({ exchange, kept }: Omission): void {
  const groups = new Map<string, Item[]>()
  for (const item of exchange.conversation.items) {
    if (item.group === undefined) continue
    const group = groups.get(item.group)
    if (group === undefined) groups.set(item.group, [item])
    else group.push(item)
  }
  for (const [id, items] of groups) {
    const calls = items.filter((item) => item.kind === 'tool-call')
    const results = items.filter((item) => item.kind !== 'tool-call')
    if (calls.length === 0 || results.length === 0) continue
    const callKept = calls.some((item) => kept(item.id))
    const resultKept = results.some((item) => kept(item.id))
    if (callKept !== resultKept) {
      throw broken(`tool call ${id} would be left without its ${callKept ? 'result' : 'call'}`, 'Omit both or neither.')
    }
  }
}

function toolEdits({ tree, exchange, kept }: Omission): readonly Edit[] {
  const ids = exchange.conversation.items.filter((item) => item.section === 'tools').map((item) => item.id)
  if (ids.every(kept)) return []
  const tools = member(tree, tree.root, 'tools')
  if (tools === undefined || !ids.some(kept)) throw broken('no tool would be left', 'Keep at least one.')
  return removeChildren(tools, (index) => !kept(`t${index}`))
}

function systemEdits({ tree, exchange, kept }: Omission): readonly Edit[] {
  const ids = exchange.conversation.messages.find((message) => message.id === 'system')?.itemIds ?? []
  const system = member(tree, tree.root, 'system')
  if (system === undefined || ids.every(kept)) return []
  if (!ids.some(kept)) return removeChildren(tree.root, (index) => tree.root.children[index] === system)
  return removeChildren(system, (index) => !kept(`s${index}`))
}

function conversationEdits(omission: Omission): readonly Edit[] {
  const { tree, exchange, kept, mayBegin } = omission
  const list = member(tree, tree.root, 'messages')
  if (list === undefined) return []
  const conversation = exchange.conversation.messages.filter((message) => message.id !== 'system')
  const gone = conversation.map((message) => message.itemIds.length > 0 && !message.itemIds.some(kept))
  const first = conversation[gone.indexOf(false)]
  if (first === undefined) throw broken('no message would be left', 'Keep at least one.')
  if (gone[0] === true && !mayBegin(first.role)) {
    throw broken(`the conversation would begin with role ${first.role}`, 'Keep the message of the user before it.')
  }
  const byId = new Map(exchange.conversation.items.map((item) => [item.id, item]))
  const edits = [...removeChildren(list, (index) => gone[index] === true)]
  for (const [index, message] of conversation.entries()) {
    const node = list.children[index]
    if (gone[index] === true || node === undefined || message.itemIds.every(kept)) continue
    const lost = message.itemIds.filter((id) => !kept(id))
    const frozen = lost.find((id) => byId.get(id)?.frozen === true && message.role === 'assistant')
    if (frozen !== undefined)
      throw broken(`item ${frozen} is frozen but omitted`, 'Keep it, or omit its whole message.')
    edits.push(...partEdits(tree, node, message.id, { all: message.itemIds, kept }))
  }
  return edits
}

/** Takes blocks, parts and calls out of a message of which something stays. */
function partEdits(
  tree: JsonTree,
  message: JsonNode,
  id: string,
  items: { readonly all: readonly string[]; readonly kept: (id: string) => boolean },
): readonly Edit[] {
  const content = member(tree, message, 'content')
  const calls = member(tree, message, 'tool_calls')
  const isGone = (path: string): boolean => {
    const below = items.all.filter((item) => item === path || item.startsWith(`${path}.p`))
    return below.length > 0 && !below.some(items.kept)
  }
  const edits: Edit[] = []
  if (content !== undefined)
    edits.push(...contentEdits(tree, content, id, { isGone, kept: items.kept, all: items.all }))
  if (calls === undefined || !items.all.some((item) => item.startsWith(`${id}.c`) && !items.kept(item))) return edits
  const allGone = calls.children.every((_, index) => isGone(`${id}.c${index}`))
  if (allGone) edits.push(...removeChildren(message, (index) => message.children[index] === calls))
  else edits.push(...removeChildren(calls, (index) => isGone(`${id}.c${index}`)))
  return edits
}

function contentEdits(
  tree: JsonTree,
  content: JsonNode,
  id: string,
  items: {
    readonly isGone: (path: string) => boolean
    readonly kept: (id: string) => boolean
    readonly all: readonly string[]
  },
): readonly Edit[] {
  const { start, end } = content
  const nothing = [{ start, end, text: 'null' }]
  if (content.kind === 'string') return items.isGone(id) ? nothing : []
  const gone = content.children.map((_, index) => items.isGone(`${id}.b${index}`))
  if (gone.length > 0 && gone.every(Boolean)) return nothing
  const inner = content.children.flatMap((block, index) => {
    if (gone[index] === true) return []
    const parts = member(tree, block, 'content')
    if (parts?.kind !== 'array') return []
    const lost = (part: number): boolean => {
      const item = `${id}.b${index}.p${part}`
      return items.all.includes(item) && !items.kept(item)
    }
    return removeChildren(parts, lost)
  })
  return [...removeChildren(content, (index) => gone[index] === true), ...inner]
}
