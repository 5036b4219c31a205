import type { HiddenCall, HiddenTurn, JsonNode, JsonTree, ModelReply, ToolResult } from '../../core/index.ts'
import { member, rawText, scanJson } from '../../core/index.ts'
import type { FinishedTurn, HiddenReply, HiddenToolNames, StreamEnd } from '../codec.ts'
import { resultFor, splitCalls, visibleCalls } from '../hidden-calls.ts'
import { upstreamBroken } from '../reply-body.ts'
import { countReplies } from '../restore.ts'
import type { PartCall } from './call-ids.ts'
import { callId, callIn } from './call-ids.ts'
import { isEmptyText, modelMessage, thoughtsOf } from './fold-parts.ts'
import { geminiMediaJson } from './media.ts'
import { geminiShape } from './shape.ts'

/** Replies with calls end as others do. */
const callReasons: ReadonlySet<string | undefined> = new Set(['STOP'])

export function endOf(reply: ModelReply, hiddenTools: HiddenToolNames): StreamEnd {
  return splitCalls(reply, hiddenTools, callReasons)
}

/** The model's message, without empty words, and one of the user's with the results. */
export function hiddenMessages({ reply, results }: HiddenReply): readonly string[] {
  if (reply.message === undefined) throw upstreamBroken('has no message')
  const { tree, parts } = partsIn(reply)
  const kept = parts.filter((part) => !isEmptyText(tree, part)).map((part) => rawText(tree, part))
  const answers = resultParts(reply, results)
  return [modelMessage(`[${kept.join(',')}]`), `{"role":"user","parts":[${answers.join(',')}]}`]
}

export function hiddenTurn({ body, rounds, last, hiddenTools }: FinishedTurn): HiddenTurn | undefined {
  const { tree, parts } = partsIn(last.reply)
  const calls = callsIn(tree, parts).flatMap(({ id, part, call }, at): HiddenCall[] => {
    const isAnswered = hiddenTools.has(call.name) && resultFor(last.results, id) !== undefined
    return isAnswered ? [{ at, raw: rawText(tree, part) }] : []
  })
  if (rounds.length === 0 && calls.length === 0) return undefined
  return {
    visibleText: [...rounds.map(({ reply }) => reply.text), last.reply.text].join(''),
    ...visibleCalls(last.reply, hiddenTools),
    visibleBlocks: 0,
    assistantIndex: countReplies(body, geminiShape),
    rounds: rounds.map((round) => ({
      messages: hiddenMessages(round),
      visibleBlocks: 0,
      visibleTextLength: round.reply.text.length,
      visibleReasoningLength: thoughtsIn(round.reply).length,
    })),
    calls,
    results: calls.length === 0 ? [] : resultParts(last.reply, last.results),
  }
}

interface ReplyParts {
  readonly tree: JsonTree
  readonly parts: readonly JsonNode[]
}

function partsIn({ message = '{}' }: ModelReply): ReplyParts {
  const tree = scanJson(message)
  return { tree, parts: member(tree, tree.root, 'parts')?.children ?? [] }
}

function thoughtsIn(reply: ModelReply): string {
  const { tree, parts } = partsIn(reply)
  return thoughtsOf(tree, parts)
}

interface CallPart {
  readonly id: string
  readonly part: JsonNode
  readonly call: PartCall
}

/** The calls of a message, with the ids that they go under. */
export function callsIn(tree: JsonTree, parts: readonly JsonNode[]): readonly CallPart[] {
  const taken = new Set<string>()
  return parts.flatMap((part) => {
    const call = callIn(tree, part)
    if (call === undefined) return []
    const id = callId(tree, call, (known) => taken.has(known))
    taken.add(id)
    return [{ id, part, call }]
  })
}

/** A result names its call as the provider does: by its id where it gave one. */
function resultParts(reply: ModelReply, results: readonly ToolResult[]): readonly string[] {
  const { tree, parts } = partsIn(reply)
  const calls = new Map(callsIn(tree, parts).map(({ id, call }) => [id, call]))
  return results.flatMap(({ callId: id, text, isError, media }) => {
    const call = calls.get(id)
    const response = { [isError === true ? 'error' : 'output']: text }
    const named = { ...(call?.id !== undefined && { id: call.id }), name: call?.name ?? '', response }
    // Results of older models hold no media: it stands behind the result that it is of.
    return [JSON.stringify({ functionResponse: named }), ...(media ? [geminiMediaJson(media, media.url)] : [])]
  })
}
