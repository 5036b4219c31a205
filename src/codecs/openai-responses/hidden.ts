import type {
  HiddenCall,
  HiddenRound,
  HiddenTurn,
  JsonNode,
  JsonTree,
  JsonValue,
  ModelReply,
  ToolResult,
} from '../../core/index.ts'
import {
  decodeValue,
  isJsonObject,
  member,
  present,
  rawText,
  scanJson,
  stableJson,
  stringAt,
} from '../../core/index.ts'
import type { FinishedTurn, HiddenReply, HiddenToolNames, StreamEnd } from '../codec.ts'
import { resultFor, splitCalls, visibleCalls, withoutMedia } from '../hidden-calls.ts'
import { upstreamBroken } from '../reply-body.ts'
import type { ReplyPlace, Restorer } from '../restore.ts'
import { countReplies } from '../restore.ts'
import { wordsLength } from '../same-words.ts'
import type { Edit } from '../splice.ts'
import { removeChildren, splice, withMembers } from '../splice.ts'
import { itemType, toolCallOf } from './items.ts'
import { responsesMediaJson } from './media.ts'
import { isNamed, isOurs } from './merge.ts'
import { itemsOf, textOf } from './reply.ts'
import { responsesShape } from './shape.ts'

const callReasons: ReadonlySet<string | undefined> = new Set(['completed'])

export function endOf(reply: ModelReply, hiddenTools: HiddenToolNames): StreamEnd {
  const end = splitCalls(reply, hiddenTools, callReasons)
  return end.mustContinue && !areNamed(reply) ? { ...end, mustContinue: false } : end
}

/** Whether all calls are of tools by their names: others, of a shell or a screen, want answers of their own kinds. */
function areNamed(reply: ModelReply): boolean {
  const { tree, items } = itemsOf(reply)
  const named = items.filter((item) => isNamed(itemType(tree, item)))
  const ids = new Set(named.map((item) => stringAt(tree, item, 'call_id') ?? stringAt(tree, item, 'id')))
  return reply.toolCalls.every(({ id }) => ids.has(id))
}

/** The items of the reply, as they can be sent where the provider does not keep them, and one item for each result. */
export function hiddenMessages({ reply, results, isKept = false }: HiddenReply): readonly string[] {
  if (reply.message === undefined) throw upstreamBroken('has no output')
  const { tree, items } = itemsOf(reply)
  const kept = items.filter((item) => isKept || !isNameOnly(tree, item))
  const isWhole = kept.length === items.length
  const raws = kept.map((item) => (isWhole ? rawText(tree, item) : withoutId(tree, item)))
  const textCalls = new Set(items.flatMap((item) => textCallId(tree, item) ?? []))
  return [...raws, ...results.map((result) => resultItem(result, textCalls.has(result.callId)))]
}

/** Reasoning of which a provider that keeps nothing would know nothing. */
function isNameOnly(tree: JsonTree, item: JsonNode): boolean {
  if (itemType(tree, item) !== 'reasoning') return false
  return present(tree, item, 'encrypted_content') === undefined && !hasChildren(present(tree, item, 'content'))
}

function hasChildren(node: JsonNode | undefined): boolean {
  return node !== undefined && node.children.length > 0
}

/** An item that tells its id is refused without the reasoning that came before it. */
function withoutId(tree: JsonTree, item: JsonNode): string {
  const id = member(tree, item, 'id')
  const edits = id === undefined ? [] : removeChildren(item, (index) => item.children[index] === id)
  return splice(tree.text, edits, item.start, item.end)
}

export function hiddenTurn({ body, rounds, last, hiddenTools }: FinishedTurn): HiddenTurn | undefined {
  const { tree, items } = itemsOf(last.reply)
  const calls = items.flatMap((item, at): HiddenCall[] => {
    const isAnswered =
      isOurs(tree, item, hiddenTools) && resultFor(last.results, stringAt(tree, item, 'call_id')) !== undefined
    return isAnswered ? [{ at, raw: rawText(tree, item) }] : []
  })
  if (rounds.length === 0 && calls.length === 0) return undefined
  const hidden = rounds.map((round) => hiddenRound(round, hiddenTools))
  const shown = visibleIn(last.reply, hiddenTools)
  return {
    visibleText: [...rounds.map(({ reply }) => reply.text), last.reply.text].join(''),
    ...visibleCalls(last.reply, hiddenTools),
    visibleBlocks: hidden.reduce((total, round) => total + round.visibleBlocks, shown.visibleBlocks),
    visibleIds: shown.visibleIds,
    replyIds: [...rounds, last].flatMap(({ reply: { id } }) => id ?? []),
    assistantIndex: countReplies(body, responsesShape),
    rounds: hidden,
    calls,
    results: calls.length === 0 ? [] : last.results.map((result) => resultItem(result, false)),
  }
}

type Visible = Required<Pick<HiddenRound, 'visibleBlocks' | 'visibleIds'>>

function visibleIn(reply: ModelReply, hiddenTools: HiddenToolNames): Visible {
  const { tree, items } = itemsOf(reply)
  const shown = items.filter((item) => !isOurs(tree, item, hiddenTools))
  return { visibleBlocks: shown.length, visibleIds: idsOf(tree, shown) }
}

function idsOf(tree: JsonTree, items: readonly JsonNode[]): readonly string[] {
  return items.flatMap((item) => stringAt(tree, item, 'id') ?? [])
}

function hiddenRound(round: HiddenReply, hiddenTools: HiddenToolNames): HiddenRound {
  return {
    messages: hiddenMessages(round),
    ...visibleIn(round.reply, round.hidden ?? hiddenTools),
    visibleTextLength: round.reply.text.length,
    visibleReasoningLength: 0,
  }
}

/** The id of a call of a tool that takes a text. */
function textCallId(tree: JsonTree, item: JsonNode): string | undefined {
  return itemType(tree, item) === 'custom_tool_call' ? stringAt(tree, item, 'call_id') : undefined
}

function resultItem(result: ToolResult, isText: boolean): string {
  const type = `${isText ? 'custom_tool' : 'function'}_call_output`
  return JSON.stringify({ type, call_id: result.callId, output: outputOf(result) })
}

/** Results show pictures and files; of anything else the words say that it cannot be shown. */
function outputOf({ text, media }: ToolResult): JsonValue {
  if (media === undefined) return text
  const part = media.type === 'audio' ? undefined : responsesMediaJson(media, media.url)
  return part === undefined ? withoutMedia(text) : [{ type: 'input_text', text }, JSON.parse(part) as JsonValue]
}

export const restorer: Restorer = {
  visible: (tree, { messages }) => ({
    text: messages.map((item) => textOf(tree, item)).join(''),
    calls: messages.flatMap((item) => toolCallOf(decodeValue(tree, item)) ?? []),
    ids: idsOf(tree, messages),
  }),
  edits: restoreEdits,
}

function restoreEdits(tree: JsonTree, { messages }: ReplyPlace, turn: HiddenTurn): readonly Edit[] | undefined {
  const [first] = messages
  const last = messages.at(-1)
  if (first === undefined || last === undefined) return undefined
  const own = [...(itemsAsSent(tree, messages, turn) ?? itemsLeft(tree, messages, turn))]
  for (const call of turn.calls) own.splice(call.at, 0, call.raw)
  const text = [...turn.rounds.flatMap((round) => round.messages), ...own, ...turn.results].join(',')
  return [{ start: first.start, end: last.end, text }]
}

/** The items of the last round, where a client has kept all items as they were. */
function itemsAsSent(tree: JsonTree, items: readonly JsonNode[], turn: HiddenTurn): readonly string[] | undefined {
  const shown = turn.rounds.reduce((total, round) => total + round.visibleBlocks, 0)
  if (items.length !== turn.visibleBlocks) return undefined
  const said = items.slice(0, shown).map((item) => textOf(tree, item))
  return said.join('') === shownText(turn) ? items.slice(shown).map((item) => rawText(tree, item)) : undefined
}

/** The words of the rounds before. */
function shownText({ rounds, visibleText }: HiddenTurn): string {
  return visibleText.slice(
    0,
    rounds.reduce((total, round) => total + round.visibleTextLength, 0),
  )
}

/** The same where it has joined, trimmed or dropped some: words are told by their length, the rest by what names it. */
function itemsLeft(tree: JsonTree, items: readonly JsonNode[], turn: HiddenTurn): readonly string[] {
  const known = new Set(turn.rounds.flatMap(namesInRound))
  const said = items.map((item) => textOf(tree, item)).join('')
  let shown = wordsLength(said, shownText(turn))
  return items.flatMap((item): readonly string[] => {
    const text = textOf(tree, item)
    if (text === '') return namesOf(tree, item).some((name) => known.has(name)) ? [] : [rawText(tree, item)]
    const rest = text.slice(shown)
    shown = Math.max(0, shown - text.length)
    if (rest === text) return [rawText(tree, item)]
    return rest.trim() === '' ? [] : [withMembers(rawText(tree, item), [['content', JSON.stringify(rest)]])]
  })
}

function namesInRound({ messages, visibleIds = [] }: HiddenRound): readonly string[] {
  const names = messages.flatMap((message) => {
    const tree = scanJson(message)
    return namesOf(tree, tree.root)
  })
  return [...visibleIds, ...names]
}

/** By what an item is known again: its id, its encrypted content, or all that it says. */
function namesOf(tree: JsonTree, item: JsonNode): readonly string[] {
  const value = decodeValue(tree, item)
  if (!isJsonObject(value)) return [stableJson(value)]
  const { id, encrypted_content: secret, status: _status, ...said } = value
  const names = [id, secret].filter((name) => typeof name === 'string' && name !== '')
  return names.length > 0 ? names.map(String) : [stableJson(said)]
}
