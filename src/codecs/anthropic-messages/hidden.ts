import type { HiddenCall, HiddenRound, HiddenTurn, JsonNode, JsonTree, Reply, ToolResult } from '../../core/index.ts'
import { decodeString, member, rawText, scanJson, stringAt } from '../../core/index.ts'
import type { FinishedTurn, HiddenReply, HiddenToolNames, StreamEnd } from '../codec.ts'
import { resultFor, splitCalls, visibleCallIds } from '../hidden-calls.ts'
import { upstreamBroken } from '../reply-body.ts'
import type { Restorer } from '../restore.ts'
import { countAssistants } from '../restore.ts'
import type { Edit } from '../splice.ts'
import { withMembers } from '../splice.ts'
import { assistantMessage, textOf } from './reply.ts'

/** Some servers end a turn after calls, too. */
export const callReasons: ReadonlySet<string | undefined> = new Set(['tool_use', 'end_turn'])

export function endOf(reply: Reply, hiddenTools: HiddenToolNames): StreamEnd {
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
    visibleCallIds: visibleCallIds(last.reply, hiddenTools),
    visibleBlocks:
      hidden.reduce((total, round) => total + round.visibleBlocks, 0) + countVisible(tree, blocks, hiddenTools),
    assistantIndex: countAssistants(body),
    rounds: hidden,
    calls,
    results: calls.length === 0 ? [] : last.results.map(resultBlock),
  }
}

export const restorer: Restorer = {
  visible: (tree, message) => {
    const content = member(tree, message, 'content')
    if (content?.kind === 'string') return { text: decodeString(tree, content), callIds: [] }
    const calls = (content?.children ?? []).filter((block) => stringAt(tree, block, 'type') === 'tool_use')
    return {
      text: content === undefined ? '' : textOf(tree, content),
      callIds: calls.map((block) => stringAt(tree, block, 'id') ?? ''),
    }
  },
  edits: restoreEdits,
}

function blocksOf(reply: Reply): { readonly tree: JsonTree; readonly blocks: readonly JsonNode[] } {
  if (reply.message === undefined) throw upstreamBroken('was cut off inside a tool call')
  const tree = scanJson(reply.message)
  return { tree, blocks: member(tree, tree.root, 'content')?.children ?? [] }
}

function isEmptyText(tree: JsonTree, block: JsonNode): boolean {
  return stringAt(tree, block, 'type') === 'text' && stringAt(tree, block, 'text') === ''
}

function isCallOf(tree: JsonTree, block: JsonNode, hiddenTools: HiddenToolNames): boolean {
  return stringAt(tree, block, 'type') === 'tool_use' && hiddenTools.has(stringAt(tree, block, 'name') ?? '')
}

function countVisible(tree: JsonTree, blocks: readonly JsonNode[], hiddenTools: HiddenToolNames): number {
  return blocks.filter((block) => !isCallOf(tree, block, hiddenTools)).length
}

function resultBlock(result: ToolResult): string {
  return JSON.stringify({
    type: 'tool_result',
    tool_use_id: result.callId,
    content: result.text,
    ...(result.isError === true ? { is_error: true } : {}),
  })
}

function hiddenRound(round: HiddenReply, hiddenTools: HiddenToolNames): HiddenRound {
  const { tree, blocks } = blocksOf(round.reply)
  return {
    messages: hiddenMessages(round),
    visibleBlocks: countVisible(tree, blocks, hiddenTools),
    visibleTextLength: round.reply.text.length,
    visibleReasoningLength: 0,
  }
}

function restoreEdits(
  tree: JsonTree,
  { message, next }: { readonly message: JsonNode; readonly next: JsonNode | undefined },
  turn: HiddenTurn,
): readonly Edit[] | undefined {
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
  const shown = turn.rounds.reduce((total, round) => total + round.visibleTextLength, 0)
  return JSON.stringify(decodeString(tree, content).slice(shown))
}

function restOfBlocks(tree: JsonTree, content: JsonNode | undefined, turn: HiddenTurn): string | undefined {
  if (content === undefined || content.children.length !== turn.visibleBlocks) return undefined
  const shown = turn.rounds.reduce((total, round) => total + round.visibleBlocks, 0)
  const blocks = content.children.slice(shown).map((block) => rawText(tree, block))
  for (const call of turn.calls) blocks.splice(call.at, 0, call.raw)
  return `[${blocks.join(',')}]`
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
