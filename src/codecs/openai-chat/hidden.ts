import type {
  HiddenCall,
  HiddenRound,
  HiddenTurn,
  JsonNode,
  JsonTree,
  ModelReply,
  ToolResult,
} from '../../core/index.ts'
import {
  decodeString,
  decodeValue,
  isNull,
  member,
  rawText,
  rehydrateToolName,
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
import { openaiMediaJson } from './media.ts'
import { textOf, toolCallOf } from './reply.ts'

/** Some servers say `stop` after calls, too, or what was said before there could be several. */
export const callReasons: ReadonlySet<string | undefined> = new Set(['tool_calls', 'function_call', 'stop'])

/** Members of a message in which reasoning streams as one string. */
export const reasoningStrings = ['reasoning_content', 'reasoning'] as const
/** The member in which it comes in signed pieces. */
export const reasoningList = 'reasoning_details'

export function endOf(reply: ModelReply, hiddenTools: HiddenToolNames): StreamEnd {
  return splitCalls(reply, hiddenTools, callReasons)
}

export function hiddenMessages({ reply, results }: HiddenReply): readonly string[] {
  if (reply.message === undefined) throw upstreamBroken('has no message')
  return [reply.message, ...results.map((result) => resultMessage(result)), ...broughtBack(results)]
}

/** Results hold no media: it is shown in one message behind all of them, which tells by its name that nobody has said it. */
function broughtBack(results: readonly ToolResult[]): readonly string[] {
  const parts = results.flatMap(({ media }) => (media && openaiMediaJson(media, media.url)) ?? [])
  return parts.length === 0 ? [] : [`{"role":"user","name":"${rehydrateToolName}","content":[${parts.join(',')}]}`]
}

export function hiddenTurn({ body, rounds, last, hiddenTools }: FinishedTurn): HiddenTurn | undefined {
  const calls = answeredCalls(last, hiddenTools)
  if (rounds.length === 0 && calls.length === 0) return undefined
  return {
    visibleText: [...rounds.map(({ reply }) => reply.text), last.reply.text].join(''),
    ...visibleCalls(last.reply, hiddenTools),
    visibleBlocks: 0,
    assistantIndex: countReplies(body, plainShape),
    rounds: rounds.map(hiddenRound),
    calls,
    results: calls.length === 0 ? [] : last.results.map(besideOthers),
  }
}

export const restorer: Restorer = {
  visible: (tree, { message }) => ({
    text: textOf(tree, message),
    calls: callsOf(tree, message).flatMap((call) => toolCallOf(tree, call) ?? []),
  }),
  edits: restoreEdits,
}

function resultMessage({ callId, text, media }: ToolResult): string {
  const isShown = media === undefined || openaiMediaJson(media, media.url) !== undefined
  return JSON.stringify({ role: 'tool', tool_call_id: callId, content: isShown ? text : withoutMedia(text) })
}

/** Nothing may come between results: beside calls of the client's media has no place. */
function besideOthers({ media, ...result }: ToolResult): string {
  const text = media === undefined ? result.text : withoutMedia(result.text, shownAlone)
  return resultMessage({ ...result, text })
}

const shownAlone = `It is shown where ${rehydrateToolName} is the only call: call it again, alone.`

function callsOf(tree: JsonTree, message: JsonNode): readonly JsonNode[] {
  return member(tree, message, 'tool_calls')?.children ?? []
}

function answeredCalls({ reply, results }: HiddenReply, hiddenTools: HiddenToolNames): readonly HiddenCall[] {
  if (reply.message === undefined) return []
  const tree = scanJson(reply.message)
  return callsOf(tree, tree.root).flatMap((node, at): HiddenCall[] => {
    const call = toolCallOf(tree, node)
    const answered = call !== undefined && hiddenTools.has(call.name) && resultFor(results, call.id) !== undefined
    return answered ? [{ at, raw: rawText(tree, node) }] : []
  })
}

function hiddenRound(round: HiddenReply): HiddenRound {
  const tree = scanJson(round.reply.message ?? '{}')
  const reasoning = reasoningStrings.map((name) => stringAt(tree, tree.root, name)?.length ?? 0)
  return {
    messages: hiddenMessages(round),
    visibleBlocks: 0,
    visibleTextLength: round.reply.text.length,
    visibleReasoningLength: Math.max(...reasoning),
  }
}

function restoreEdits(tree: JsonTree, { message }: ReplyPlace, turn: HiddenTurn): readonly Edit[] | undefined {
  const shown = turn.rounds.reduce((sum, round) => sum + round.visibleTextLength, 0)
  const rest = restOfContent(tree, message, turn.visibleText.slice(0, shown))
  const members = [
    ...rest,
    ...restOfReasoning(tree, message, turn),
    ...restOfDetails(tree, message, turn),
    ...allCalls(tree, message, turn),
  ]
  const isEmpty = turn.visibleText.length === shown && turn.visibleCallIds.length === 0
  const own = isEmpty ? [] : [withMembers(rawText(tree, message), members), ...turn.results]
  const text = [...turn.rounds.flatMap((round) => round.messages), ...own].join(',')
  return [{ start: message.start, end: message.end, text }]
}

type RawMember = readonly [name: string, value: string]

/** The content without the words of the rounds before; text parts become one string then. */
function restOfContent(tree: JsonTree, message: JsonNode, shown: string): readonly RawMember[] {
  const text = textOf(tree, message)
  const length = wordsLength(text, shown)
  if (length === 0) return []
  const rest = text.slice(length)
  return [['content', rest === '' ? 'null' : JSON.stringify(rest)]]
}

/** The reasoning without that of the rounds before, which carry it themselves; some clients leave it out. */
function restOfReasoning(tree: JsonTree, message: JsonNode, turn: HiddenTurn): readonly RawMember[] {
  const shown = turn.rounds.map(reasoningOf).join('')
  return reasoningStrings.flatMap((name): RawMember[] => {
    const node = member(tree, message, name)
    if (node?.kind !== 'string') return []
    const text = decodeString(tree, node)
    const length = wordsLength(text, shown)
    return length === 0 ? [] : [[name, JSON.stringify(text.slice(length))]]
  })
}

/** Under whatever name: clients send it back under the one that they know. */
function reasoningOf({ messages: [assistant = '{}'] }: HiddenRound): string {
  const tree = scanJson(assistant)
  return reasoningStrings.map((name) => stringAt(tree, tree.root, name) ?? '').find((text) => text !== '') ?? ''
}

/** Reasoning details (OpenRouter) without those that the rounds before carry themselves. */
function restOfDetails(tree: JsonTree, message: JsonNode, turn: HiddenTurn): readonly RawMember[] {
  const details = member(tree, message, reasoningList)
  if (details?.kind !== 'array') return []
  const known = new Set(turn.rounds.flatMap(({ messages: [assistant] }) => detailsOf(assistant ?? '{}')))
  const kept = details.children.filter((node) => !known.has(stableJson(decodeValue(tree, node))))
  if (kept.length === details.children.length) return []
  return [[reasoningList, `[${kept.map((node) => rawText(tree, node)).join(',')}]`]]
}

function detailsOf(message: string): readonly string[] {
  const tree = scanJson(message)
  const details = member(tree, tree.root, reasoningList)
  return (details?.children ?? []).map((node) => stableJson(decodeValue(tree, node)))
}

function allCalls(tree: JsonTree, message: JsonNode, turn: HiddenTurn): readonly RawMember[] {
  if (turn.calls.length === 0) return []
  const list = member(tree, message, 'tool_calls')
  const calls = list === undefined || isNull(tree, list) ? [] : list.children.map((call) => rawText(tree, call))
  for (const call of turn.calls) calls.splice(call.at, 0, call.raw)
  return [['tool_calls', `[${calls.join(',')}]`]]
}
