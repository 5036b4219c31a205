import type { Item, JsonNode } from '../core/index.ts'
import { member } from '../core/index.ts'
import { memberUnder } from './body-shape.ts'
import { cannotEncode } from './cannot-encode.ts'
import type { MessageRecord } from './named-parts.ts'
import type { Showing } from './request-writer.ts'
import type { Edit } from './splice.ts'
import { removeChildren } from './splice.ts'

/** Whether the item at a place stays. */
type Kept = (place: string) => boolean

/** The edits that take omitted items out of the body, or the error when the protocol would be broken by that. */
export function omissionEdits(showing: Showing, kept: Kept): readonly Edit[] {
  requireWholePairs(showing, kept)
  showing.writer.requireWhole?.(showing, kept)
  return [...toolOmissionEdits(showing, kept), ...systemEdits(showing, kept), ...conversationEdits(showing, kept)]
}

/** A call stays exactly when (some part of) its result stays; a call without result is free. */
function requireWholePairs({ items, placeAt }: Showing, kept: Kept): void {
  const groups = new Map<string, { readonly call: boolean; readonly kept: boolean }[]>()
  for (const [index, item] of items.entries()) {
    if (item.group === undefined) continue
    const entry = { call: item.kind === 'tool-call', kept: kept(placeAt(index)) }
    const group = groups.get(item.group)
    if (group === undefined) groups.set(item.group, [entry])
    else group.push(entry)
  }
  for (const [id, members] of groups) {
    const calls = members.filter(({ call }) => call)
    const results = members.filter(({ call }) => !call)
    if (calls.length === 0 || results.length === 0) continue
    const callKept = calls.some((entry) => entry.kept)
    const resultKept = results.some((entry) => entry.kept)
    if (callKept !== resultKept) {
      const lost = callKept ? 'result' : 'call'
      throw cannotEncode(`tool call ${id} would be left without its ${lost}`, 'Omit both or neither.')
    }
  }
}

/** The edits that take tools out of a conversation that is laid out anew, also where messages bring them. */
export function laidOutToolEdits(showing: Showing, kept: Kept): readonly Edit[] {
  const { tree, shape, messages } = showing
  const list = member(tree, tree.root, shape.messages)
  const inMessages = messages.flatMap(({ items, places }, index) => {
    const node = list?.children[index]
    if (node === undefined || items[0]?.section !== 'tools' || places.every(kept)) return []
    const tools = shape.content(tree, node)
    if (tools !== undefined && !places.some(kept)) return [{ start: tools.start, end: tools.end, text: '[]' }]
    return partEdits({ tree, shape }, node, { id: `m${index}`, all: places, kept })
  })
  return [...toolOmissionEdits(showing, kept, true), ...inMessages]
}

/** A conversation that was laid out anew can do without any tool; one that goes on needs those that it has used. */
function toolOmissionEdits(showing: Showing, kept: Kept, mayEmpty = false): readonly Edit[] {
  const { tree, shape, items, placeAt } = showing
  const tools = items.flatMap((item, index) => (item.section === 'tools' ? [{ item, place: placeAt(index) }] : []))
  const gone = tools.filter(({ place }) => !kept(place))
  if (gone.length === 0) return []
  for (const { item } of gone) requireFree(showing, item)
  const isNoneLeft = gone.length === tools.length
  if (isNoneLeft && !mayEmpty) throw cannotEncode('no tool would be left', 'Keep at least one.')
  // Tools that stand in messages go with the parts of these.
  const listed = tools.filter(({ place }) => place.startsWith('t'))
  const left = new Set(gone.map(({ place }) => place))
  const node = member(tree, tree.root, 'tools')
  if (node !== undefined && listed.some(({ place }) => !left.has(place)))
    return listedEdits(showing, node, (place) => left.has(place))
  if (!isNoneLeft) return removeChildren(tree.root, (index) => tree.root.children[index] === node)
  const choices = [node, memberUnder(tree, tree.root, shape.toolChoice)]
  return removeChildren(tree.root, (index) => choices.includes(tree.root.children[index]))
}

/** Takes definitions out of `tools`, and lists of definitions with the last one in them. */
function listedEdits({ tree, shape }: Showing, tools: JsonNode, isGone: (place: string) => boolean): readonly Edit[] {
  const lists = tools.children.map((tool) => shape.toolList(tree, tool))
  const isEmpty = (index: number): boolean =>
    lists[index]?.children.every((_, at) => isGone(`t${index}.b${at}`)) ?? isGone(`t${index}`)
  const inner = lists.flatMap((list, index) =>
    list === undefined || isEmpty(index) ? [] : removeChildren(list, (at) => isGone(`t${index}.b${at}`)),
  )
  return [...removeChildren(tools, isEmpty), ...inner]
}

function requireFree({ exchange }: Showing, item: Item): void {
  const { toolChoice } = exchange.conversation.sampling
  const name = item.toolName ?? item.id
  if (typeof toolChoice === 'object' && toolChoice.name === item.toolName)
    throw cannotEncode(`tool ${name} is forced and cannot be left out`, 'Keep it, or let the model choose.')
  if (item.frozen === true) throw cannotEncode(`tool ${name} is run by the provider and cannot be left out`, 'Keep it.')
}

function systemEdits({ tree, shape, items, placeAt }: Showing, kept: Kept): readonly Edit[] {
  const own = items.map((_, index) => placeAt(index)).filter((place) => place.startsWith('s'))
  const system = memberUnder(tree, tree.root, shape.system)
  const blocks = system && shape.systemContent(tree, system)
  if (blocks === undefined || own.every(kept)) return []
  if (!own.some(kept)) return removeChildren(tree.root, (index) => tree.root.children[index] === system)
  return removeChildren(blocks, (index) => !kept(`s${index}`))
}

function conversationEdits(showing: Showing, kept: Kept): readonly Edit[] {
  const { tree, shape, messages, writer } = showing
  const list = member(tree, tree.root, shape.messages)
  if (list === undefined) return []
  const gone = messages.map(({ places }) => places.length > 0 && !places.some(kept))
  const first = messages[gone.indexOf(false)]
  if (first === undefined) throw cannotEncode('no message would be left', 'Keep at least one.')
  if (gone[0] === true && !writer.mayBegin(first.message.role)) {
    throw cannotEncode(
      `the conversation would begin with role ${first.message.role}`,
      'Keep the message of the user before it.',
    )
  }
  const edits = [...removeChildren(list, (index) => gone[index] === true)]
  for (const [index, record] of messages.entries()) {
    const node = list.children[index]
    if (gone[index] === true || node === undefined || record.places.every(kept)) continue
    requireNotFrozen(record, kept)
    edits.push(...partEdits({ tree, shape }, node, { id: `m${index}`, all: record.places, kept }))
  }
  return [...edits, ...neighbourEdits(showing, list, gone)]
}

/** Messages that may not stand as they are beside those that are their neighbours now. */
function neighbourEdits(
  { tree, messages, writer }: Showing,
  list: JsonNode,
  gone: readonly boolean[],
): readonly Edit[] {
  if (writer.between === undefined) return []
  const left = messages.flatMap(({ message }, index) => (gone[index] === true ? [] : [{ index, role: message.role }]))
  const all: Edit[] = []
  let before: string | undefined
  for (const [at, { index, role }] of left.entries()) {
    const node = list.children[index]
    const hasMoved = gone[index - 1] === true || gone[index + 1] === true
    const around = { before, after: left[at + 1]?.role }
    const edits = hasMoved && node !== undefined ? writer.between(tree, node, around) : []
    all.push(...edits)
    before = edits.length === 0 ? role : 'user'
  }
  return all
}

function requireNotFrozen({ items, places, message }: MessageRecord, kept: Kept): void {
  if (message.role !== 'assistant') return
  const frozen = items.find((item, index) => item.frozen === true && !kept(places[index] ?? ''))
  if (frozen !== undefined)
    throw cannotEncode(`item ${frozen.id} is frozen but omitted`, 'Keep it, or omit its whole message.')
}

type Body = Pick<Showing, 'tree' | 'shape'>

interface MessageParts {
  readonly id: string
  readonly all: readonly string[]
  readonly kept: Kept
}

/** Takes blocks, parts and calls out of a message of which something stays. */
function partEdits(body: Body, message: JsonNode, { id, all, kept }: MessageParts): readonly Edit[] {
  const { tree, shape } = body
  const content = shape.content(tree, message)
  const calls = member(tree, message, 'tool_calls')
  const isGone = (path: string): boolean => {
    const below = all.filter((place) => place === path || place.startsWith(`${path}.p`))
    return below.length > 0 && !below.some(kept)
  }
  const edits: Edit[] = []
  if (content !== undefined) edits.push(...contentEdits(body, content, { id, isGone, kept, all }))
  if (calls === undefined || !all.some((place) => place.startsWith(`${id}.c`) && !kept(place))) return edits
  const allGone = calls.children.every((_, index) => isGone(`${id}.c${index}`))
  if (allGone) edits.push(...removeChildren(message, (index) => message.children[index] === calls))
  else edits.push(...removeChildren(calls, (index) => isGone(`${id}.c${index}`)))
  return edits
}

function contentEdits(
  { tree, shape }: Body,
  content: JsonNode,
  { id, isGone, all, kept }: MessageParts & { readonly isGone: Kept },
): readonly Edit[] {
  const { start, end } = content
  const nothing = [{ start, end, text: 'null' }]
  if (content.kind === 'string') return isGone(id) ? nothing : []
  const gone = content.children.map((_, index) => isGone(`${id}.b${index}`))
  if (gone.length > 0 && gone.every(Boolean)) return nothing
  const inner = content.children.flatMap((block, index) => {
    if (gone[index] === true) return []
    const parts = shape.blockParts(tree, block)
    if (parts?.kind !== 'array') return []
    const lost = (part: number): boolean => {
      const place = `${id}.b${index}.p${part}`
      return all.includes(place) && !kept(place)
    }
    return removeChildren(parts, lost)
  })
  return [...removeChildren(content, (index) => gone[index] === true), ...inner]
}
