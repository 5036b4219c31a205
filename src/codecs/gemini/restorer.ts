import type { HiddenRound, HiddenTurn, JsonNode, JsonTree } from '../../core/index.ts'
import { decodeValue, member, rawText, scanJson, stableJson, stringAt } from '../../core/index.ts'
import type { ReplyPlace, Restorer } from '../restore.ts'
import { wordsLength } from '../same-words.ts'
import type { Edit } from '../splice.ts'
import { withMembers } from '../splice.ts'
import { isEmptyText, textOf, thoughtsOf } from './fold-parts.ts'
import { callsIn } from './hidden.ts'
import type { PartKind } from './members.ts'
import { partKind } from './members.ts'

export const restorer: Restorer = {
  visible(tree, { messages }) {
    const parts = messages.flatMap((node) => partsOf(tree, node))
    const calls = callsIn(tree, parts).map(({ id, call }) => ({ id, name: call.name }))
    return { text: textOf(tree, parts), calls }
  },
  edits: restoreEdits,
}

function partsOf(tree: JsonTree, message: JsonNode): readonly JsonNode[] {
  const parts = member(tree, message, 'parts')
  return parts?.kind === 'array' ? parts.children : []
}

function restoreEdits(
  tree: JsonTree,
  { message, messages, next }: ReplyPlace,
  turn: HiddenTurn,
): readonly Edit[] | undefined {
  const answers = turn.results.length === 0 ? [] : resultEdits(tree, next, turn.results)
  if (answers === undefined) return undefined
  const said = messages.flatMap((node) => partsOf(tree, node))
  const rest = restOfParts(tree, said, turn)
  const own = rest.length === 0 ? [] : [withMembers(rawText(tree, message), [['parts', `[${rest.join(',')}]`]])]
  const text = [...turn.rounds.flatMap((round) => round.messages), ...own].join(',')
  return [{ start: message.start, end: (messages.at(-1) ?? message).end, text }, ...answers]
}

interface Part {
  readonly kind: PartKind
  readonly raw: string
}

/** What no round before has said, with the calls of ours that stood beside it: each before the call that it came before. */
function restOfParts(tree: JsonTree, parts: readonly JsonNode[], turn: HiddenTurn): readonly string[] {
  const rest = [...partsLeft(tree, parts, turn)]
  for (const { at, raw } of turn.calls) {
    const calls = rest.flatMap(({ kind }, index) => (kind === 'call' ? [index] : []))
    rest.splice(calls[at] ?? rest.length, 0, { kind: 'call', raw })
  }
  return rest.map(({ raw }) => raw)
}

/** Words and thoughts of the rounds before are told by their length, all else by what it says. */
function partsLeft(tree: JsonTree, parts: readonly JsonNode[], turn: HiddenTurn): readonly Part[] {
  const known = new Set(turn.rounds.flatMap(partsSaid))
  const words = turn.rounds.reduce((total, round) => total + round.visibleTextLength, 0)
  const left = {
    text: wordsLength(textOf(tree, parts), turn.visibleText.slice(0, words)),
    thought: wordsLength(thoughtsOf(tree, parts), turn.rounds.map(thoughtsSaid).join('')),
  }
  return parts.flatMap((node): readonly Part[] => {
    const kind = partKind(tree, node)
    const whole = { kind, raw: rawText(tree, node) }
    const text = stringAt(tree, node, 'text') ?? ''
    // Of calls the client has seen none of a round before, though one may have said the same.
    if (kind === 'call') return [whole]
    if ((kind !== 'text' && kind !== 'thought') || text === '')
      return known.has(saidBy(tree, node)) || isEmptyText(tree, node) ? [] : [whole]
    const rest = text.slice(left[kind])
    left[kind] = Math.max(0, left[kind] - text.length)
    if (rest.trim() === '') return []
    return rest === text ? [whole] : [{ kind, raw: withMembers(whole.raw, [['text', JSON.stringify(rest)]]) }]
  })
}

interface SaidParts {
  readonly tree: JsonTree
  readonly parts: readonly JsonNode[]
}

function roundParts({ messages: [model = '{}'] }: HiddenRound): SaidParts {
  const tree = scanJson(model)
  return { tree, parts: partsOf(tree, tree.root) }
}

function partsSaid(round: HiddenRound): readonly string[] {
  const { tree, parts } = roundParts(round)
  return parts.map((part) => saidBy(tree, part))
}

function thoughtsSaid(round: HiddenRound): string {
  const { tree, parts } = roundParts(round)
  return thoughtsOf(tree, parts)
}

/** What a part says, however its JSON is written. */
function saidBy(tree: JsonTree, part: JsonNode): string {
  return stableJson(decodeValue(tree, part))
}

/** All results of one message's calls stand in the message after it. */
function resultEdits(
  tree: JsonTree,
  next: JsonNode | undefined,
  results: readonly string[],
): readonly Edit[] | undefined {
  const parts = member(tree, next, 'parts')
  if (parts?.kind !== 'array' || stringAt(tree, next, 'role') === 'model') return undefined
  const separator = parts.children.length === 0 ? '' : ','
  return [{ start: parts.start + 1, end: parts.start + 1, text: results.join(',') + separator }]
}
