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
  decodeString,
  decodeValue,
  isJsonObject,
  member,
  rawText,
  scanJson,
  stableJson,
  stringAt,
} from '../../core/index.ts'
import { plainShape } from '../body-shape.ts'
import type { FinishedTurn, HiddenReply, HiddenToolNames, StreamEnd } from '../codec.ts'
import { resultFor, splitCalls, visibleCalls, withoutMedia } from '../hidden-calls.ts'
import { upstreamBroken } from '../reply-body.ts'
import type { ReplyPlace, Restorer } from '../restore.ts'
import { countReplies } from '../restore.ts'
import { wordsLength } from '../same-words.ts'
import type { Edit } from '../splice.ts'
import { withMembers } from '../splice.ts'
import { anthropicMediaJson } from './media.ts'
import { assistantMessage, textOf } from './reply.ts'

/** Some servers end a turn after calls, too. */
export const callReasons: ReadonlySet<string | undefined> = new Set(['tool_use', 'end_turn'])

export function endOf(reply: ModelReply, hiddenTools: HiddenToolNames): StreamEnd {
  return splitCalls(reply, hiddenTools, callReasons)
}

/** The assistant's message, without empty text blocks (which the provider rejects), and one user message of results. */
export function hiddenMessages({ reply, results }: HiddenReply): readonly string[] {
  const { tree, blocks } = blocksOf(reply)
  const kept = blocks.filter((block) => !isEmptyText(tree, block))
  const answers = results.map(resultBlock).join(',')
  return [
    assistantMessage(`[${kept.map((block) => rawText(tree, block)).join(',')}]`),
    `{"role":"user","content":[${answers}]}`,
  ]
}

export function hiddenTurn({ body, rounds, last, hiddenTools }: FinishedTurn): HiddenTurn | undefined {
  const { tree, blocks } = blocksOf(last.reply)
  const calls = blocks.flatMap((block, at): HiddenCall[] => {
    const answered =
      isCallOf(tree, block, hiddenTools) && resultFor(last.results, stringAt(tree, block, 'id')) !== undefined
    return answered ? [{ at, raw: rawText(tree, block) }] : []
  })
  if (rounds.length === 0 && calls.length === 0) return undefined
  const hidden = rounds.map((round) => hiddenRound(round, hiddenTools))
  return {
    visibleText: [...rounds.map(({ reply }) => reply.text), last.reply.text].join(''),
    ...visibleCalls(last.reply, hiddenTools),
    visibleBlocks:
      hidden.reduce((total, round) => total + round.visibleBlocks, 0) + countVisible(tree, blocks, hiddenTools),
    assistantIndex: countReplies(body, plainShape),
    rounds: hidden,
    calls,
    results: calls.length === 0 ? [] : last.results.map(resultBlock),
  }
}

export const restorer: Restorer = {
  visible: (tree, { message }) => {
    const content = member(tree, message, 'content')
    if (content?.kind === 'string') return { text: decodeString(tree, content), calls: [] }
    const calls = (content?.children ?? []).filter((block) => isOf(tree, block, 'tool_use'))
    return {
      text: content === undefined ? '' : textOf(tree, content),
      calls: calls.map((block) => ({
        id: stringAt(tree, block, 'id') ?? '',
        name: stringAt(tree, block, 'name') ?? '',
      })),
    }
  },
  edits: restoreEdits,
}

function blocksOf(reply: ModelReply): { readonly tree: JsonTree; readonly blocks: readonly JsonNode[] } {
  if (reply.message === undefined) throw upstreamBroken('was cut off inside a tool call')
  const tree = scanJson(reply.message)
  return { tree, blocks: member(tree, tree.root, 'content')?.children ?? [] }
}

function isOf(tree: JsonTree, block: JsonNode, type: string): boolean {
  return stringAt(tree, block, 'type') === type
}

function isEmptyText(tree: JsonTree, block: JsonNode): boolean {
  return isOf(tree, block, 'text') && stringAt(tree, block, 'text') === ''
}

function isCallOf(tree: JsonTree, block: JsonNode, hiddenTools: HiddenToolNames): boolean {
  return isOf(tree, block, 'tool_use') && hiddenTools.has(stringAt(tree, block, 'name') ?? '')
}

function countVisible(tree: JsonTree, blocks: readonly JsonNode[], hiddenTools: HiddenToolNames): number {
  return blocks.filter((block) => !isCallOf(tree, block, hiddenTools)).length
}

function resultBlock(result: ToolResult): string {
  return JSON.stringify({
    type: 'tool_result',
    tool_use_id: result.callId,
    content: resultContent(result),
    ...(result.isError === true ? { is_error: true } : {}),
  })
}

/** Results show pictures and files; of anything else the words say that it cannot be shown. */
function resultContent({ text, media, toolReferences = [] }: ToolResult): JsonValue {
  if (toolReferences.length > 0) return toolReferences.map((name) => ({ type: 'tool_reference', tool_name: name }))
  if (media === undefined) return text
  if (media.type !== 'image' && media.type !== 'document') return withoutMedia(text)
  return [{ type: 'text', text }, JSON.parse(anthropicMediaJson(media.type, media.url)) as JsonValue]
}

function hiddenRound(round: HiddenReply, ours: HiddenToolNames): HiddenRound {
  const hiddenTools = round.hidden ?? ours
  const { tree, blocks } = blocksOf(round.reply)
  return {
    messages: hiddenMessages(round),
    visibleBlocks: countVisible(tree, blocks, hiddenTools),
    visibleTextLength: round.reply.text.length,
    visibleReasoningLength: 0,
  }
}

function restoreEdits(tree: JsonTree, { message, next }: ReplyPlace, turn: HiddenTurn): readonly Edit[] | undefined {
  const content = member(tree, message, 'content')
  const rest = content?.kind === 'string' ? restOfString(tree, content, turn) : restOfBlocks(tree, content, turn)
  if (rest === undefined) return undefined
  const answers = turn.results.length === 0 ? [] : resultEdits(tree, next, turn.results)
  if (answers === undefined) return undefined
  const own = rest === '[]' || rest === '""' ? [] : [withMembers(rawText(tree, message), [['content', rest]])]
  const text = [...turn.rounds.flatMap((round) => round.messages), ...own].join(',')
  return [{ start: message.start, end: message.end, text }, ...answers]
}

/** Some clients turn a reply of text blocks into one string. */
function restOfString(tree: JsonTree, content: JsonNode, turn: HiddenTurn): string | undefined {
  if (turn.calls.length > 0) return undefined
  const text = decodeString(tree, content)
  return JSON.stringify(text.slice(wordsLength(text, shownText(turn))))
}

/** The words of the rounds before. */
function shownText({ rounds, visibleText }: HiddenTurn): string {
  const length = rounds.reduce((total, round) => total + round.visibleTextLength, 0)
  return visibleText.slice(0, length)
}

/** What no round before has said, with the calls of ours that stood beside it. */
function restOfBlocks(tree: JsonTree, content: JsonNode | undefined, turn: HiddenTurn): string | undefined {
  if (content === undefined) return undefined
  const own = blocksAsSent(tree, content, turn)
  const rest = own ?? blocksLeft(tree, content, turn)
  // A reply that reasons begins with its reasoning.
  const least = own
    ? 0
    : Math.max(
        0,
        rest.findIndex((block) => !isReasoning(block)),
      )
  const blocks = rest.map(({ raw }) => raw)
  for (const call of turn.calls) blocks.splice(Math.max(call.at, least), 0, call.raw)
  return `[${blocks.join(',')}]`
}

interface Block {
  readonly type: string | undefined
  readonly raw: string
}

function isReasoning({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function blockOf(tree: JsonTree, node: JsonNode): Block {
  return { type: stringAt(tree, node, 'type'), raw: rawText(tree, node) }
}

/** The last round's blocks, where a client has kept all blocks as they were. */
function blocksAsSent(tree: JsonTree, { children }: JsonNode, turn: HiddenTurn): readonly Block[] | undefined {
  const shown = turn.rounds.reduce((total, round) => total + round.visibleBlocks, 0)
  if (children.length !== turn.visibleBlocks) return undefined
  const said = children.slice(0, shown).map((block) => stringAt(tree, block, 'text') ?? '')
  return said.join('') === shownText(turn) ? children.slice(shown).map((node) => blockOf(tree, node)) : undefined
}

/** The same where it has joined, trimmed or dropped some: words are told by their length, the rest by what it says. */
function blocksLeft(tree: JsonTree, content: JsonNode, turn: HiddenTurn): readonly Block[] {
  const known = new Set(turn.rounds.flatMap(blocksSaid))
  let shown = wordsLength(textOf(tree, content), shownText(turn))
  return content.children.flatMap((node): readonly Block[] => {
    if (isOf(tree, node, 'tool_use')) return [blockOf(tree, node)]
    if (!isOf(tree, node, 'text')) return known.has(saidBy(tree, node)) ? [] : [blockOf(tree, node)]
    const text = stringAt(tree, node, 'text') ?? ''
    const rest = text.slice(shown)
    shown = Math.max(0, shown - text.length)
    if (rest.trim() === '') return []
    return rest === text
      ? [blockOf(tree, node)]
      : [{ type: 'text', raw: withMembers(rawText(tree, node), [['text', JSON.stringify(rest)]]) }]
  })
}

/** What the blocks of a round say. */
function blocksSaid({ messages: [assistant = '{}'] }: HiddenRound): readonly string[] {
  const tree = scanJson(assistant)
  return (member(tree, tree.root, 'content')?.children ?? []).map((block) => saidBy(tree, block))
}

/** What a block says, however its JSON is written, and whether it is marked for the cache or not. */
function saidBy(tree: JsonTree, block: JsonNode): string {
  const value = decodeValue(tree, block)
  if (!isJsonObject(value)) return stableJson(value)
  const { cache_control: _mark, ...said } = value
  return stableJson(said)
}

/** All results of one assistant message stand in the user message after it. */
function resultEdits(
  tree: JsonTree,
  next: JsonNode | undefined,
  results: readonly string[],
): readonly Edit[] | undefined {
  const content = member(tree, next, 'content')
  if (content === undefined || stringAt(tree, next, 'role') !== 'user') return undefined
  const text = results.join(',')
  if (content.kind === 'string') {
    return [
      { start: content.start, end: content.start, text: `[${text},{"type":"text","text":` },
      { start: content.end, end: content.end, text: '}]' },
    ]
  }
  const separator = content.children.length === 0 ? '' : ','
  return [{ start: content.start + 1, end: content.start + 1, text: text + separator }]
}
