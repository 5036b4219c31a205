import { stringIn } from '../json-members.ts'
import type { JsonObject, ModelReply, ToolCall } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { ofChain } from '../chain.ts'
import { parseData } from '../reply-body.ts'
import { withMembers } from '../splice.ts'
import { assistantMessage, sendableInput } from './reply.ts'

/** What an event tells of a block: how it begins, or what it adds. */
export type BlockEvent = BlockStart | BlockDelta

interface BlockStart {
  /** The next one where it is not told. */
  readonly index?: number
  readonly start: JsonObject
  readonly raw: string
}

interface BlockDelta {
  readonly index: number
  readonly delta: JsonObject
  /** Raw JSON. */
  readonly citation?: string
}

/** What the blocks of one reply say together. */
export const wordsOf = ofChain(foldBlocks)

interface Words extends Required<Pick<ModelReply, 'text' | 'toolCalls' | 'message'>> {
  /** Whether the input of every call is JSON. */
  readonly hasWholeInput: boolean
}

/** A block as its start event gave it and what its deltas added. */
interface Block extends Omit<BlockStart, 'index'> {
  /** Strings that deltas have appended, by the block's member. */
  readonly strings: Map<string, string>
  inputJson: string
  /** Raw JSON of the citations. */
  readonly citations: string[]
}

function foldBlocks(events: readonly BlockEvent[]): Words {
  const byIndex = new Map<number, Block>()
  for (const event of events) {
    if ('start' in event)
      byIndex.set(event.index ?? byIndex.size, { ...event, strings: new Map(), inputJson: '', citations: [] })
    else addDelta(byIndex.get(event.index), event)
  }
  const blocks = [...byIndex].toSorted(([a], [b]) => a - b).map(([, block]) => block)
  return {
    text: blocks.map((block) => (block.start['type'] === 'text' ? stringOf(block, 'text') : '')).join(''),
    toolCalls: blocks.flatMap((block) => toolCallOf(block) ?? []),
    message: assistantMessage(`[${blocks.map(rawBlock).join(',')}]`),
    hasWholeInput: blocks.every(({ inputJson }) => inputJson === '' || isJsonObject(parseData(inputJson))),
  }
}

function addDelta(block: Block | undefined, { delta, citation }: BlockDelta): void {
  if (block === undefined) return
  if (delta['type'] === 'input_json_delta') block.inputJson += stringIn(delta, 'partial_json') ?? ''
  else if (delta['type'] !== 'citations_delta') addStrings(block, delta)
  else if (citation !== undefined) block.citations.push(citation)
}

/** `text_delta`, `thinking_delta`, `signature_delta`, `compaction_delta`, …: each names members of the block. */
function addStrings(block: Block, delta: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name !== 'type' && typeof value === 'string') block.strings.set(name, stringOf(block, name) + value)
  }
}

function stringOf({ strings, start }: Block, name: string): string {
  return strings.get(name) ?? stringIn(start, name) ?? ''
}

/** The block as it goes back to the provider. */
function rawBlock({ raw, strings, inputJson, citations }: Block): string {
  const members = [...strings].map(([name, text]): [string, string] => [name, JSON.stringify(text)])
  if (inputJson !== '') members.push(['input', sendableInput(inputJson)])
  if (citations.length > 0) members.push(['citations', `[${citations.join(',')}]`])
  return withMembers(raw, members)
}

function toolCallOf({ start, inputJson }: Block): ToolCall | undefined {
  if (start['type'] !== 'tool_use') return undefined
  const input = inputJson === '' ? JSON.stringify(start['input'] ?? {}) : inputJson
  return { id: stringIn(start, 'id') ?? '', name: stringIn(start, 'name') ?? '', arguments: input }
}
