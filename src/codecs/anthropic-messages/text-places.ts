import type { JsonNode, JsonTree } from '../../core/index.ts'
import { decodeString, isJsonObject, member, rawText, stringAt } from '../../core/index.ts'
import { parseData, placesIn } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { TextKind, TextPlace, TextPlaces } from '../text-places.ts'

/** Texts, thinking, and the input of `tool_use` blocks; the provider's own tools have run when a client hears of them. */
export const anthropicTextPlaces: TextPlaces = {
  inEvent: ({ data }, kinds) =>
    members.some(({ kind, hint }) => kinds.has(kind) && data.includes(hint))
      ? scanned(data, (tree) => pieces(tree, kinds))
      : [],
  foreign: foreignCall,
  endedLanes,
  addition: ({ key, kind }, text, like) => {
    const delta =
      kind === 'text'
        ? { type: 'text_delta', text }
        : kind === 'reasoning'
          ? { type: 'thinking_delta', thinking: text }
          : { type: 'input_json_delta', partial_json: text }
    const data = JSON.stringify({ type: 'content_block_delta', index: Number(key), delta })
    return { ...like, ...(like.event !== undefined && { event: 'content_block_delta' }), data }
  },
  inReply: (body, kinds) => scanned(body, (tree) => blockTexts(tree, kinds)),
}

/** Where a delta, or the block that it belongs to, has its piece. */
const members = [
  { kind: 'arguments', name: 'partial_json', types: ['input_json_delta'], hint: '"partial_json"' },
  { kind: 'text', name: 'text', types: ['text_delta', 'text'], hint: '"text"' },
  { kind: 'reasoning', name: 'thinking', types: ['thinking_delta', 'thinking'], hint: '"thinking"' },
] as const

function scanned(json: string, find: (tree: JsonTree) => readonly TextPlace[]): readonly TextPlace[] {
  const tree = placesIn(json)
  return tree === undefined ? [] : find(tree)
}

function pieces(tree: JsonTree, kinds: ReadonlySet<TextKind>): readonly TextPlace[] {
  const index = member(tree, tree.root, 'index')
  const holder = member(tree, tree.root, 'delta') ?? member(tree, tree.root, 'content_block')
  if (index === undefined || holder === undefined) return []
  return stringPlaces(tree, holder, { key: rawText(tree, index), kinds })
}

function stringPlaces(
  tree: JsonTree,
  holder: JsonNode,
  { key, kinds }: { readonly key: string; readonly kinds: ReadonlySet<TextKind> },
): TextPlace[] {
  const type = stringAt(tree, holder, 'type') ?? ''
  return members.flatMap(({ kind, name, types }): TextPlace[] => {
    if (!kinds.has(kind) || !types.some((known) => known === type)) return []
    const piece = member(tree, holder, name)
    const text = piece?.kind === 'string' ? decodeString(tree, piece) : ''
    if (piece === undefined || text === '') return []
    const { start, end } = piece
    return [{ kind, key, lane: key, start, end, text, form: kind === 'arguments' ? 'json' : 'plain', isQuoted: true }]
  })
}

const endsAll = /"type":\s*"(?:message_delta|message_stop|error)"/
const endsBlock = /"type":\s*"content_block_stop"/

function endedLanes({ data }: SseEvent): readonly string[] | 'all' {
  if (endsAll.test(data)) return 'all'
  if (!endsBlock.test(data)) return []
  const event = parseData(data)
  return isJsonObject(event) ? [String(event['index'])] : []
}

function foreignCall({ data }: SseEvent): string | undefined {
  if (!data.includes('_tool_use"')) return undefined
  const event = parseData(data)
  const block = isJsonObject(event) ? event['content_block'] : undefined
  if (!isJsonObject(event) || !isJsonObject(block) || block['type'] === 'tool_use') return undefined
  return String(event['index'])
}

function blockTexts(tree: JsonTree, kinds: ReadonlySet<TextKind>): readonly TextPlace[] {
  const blocks = member(tree, tree.root, 'content')?.children ?? []
  return blocks.flatMap((block, index): TextPlace[] => {
    const key = String(index)
    const input = member(tree, block, 'input')
    if (stringAt(tree, block, 'type') !== 'tool_use') return stringPlaces(tree, block, { key, kinds })
    if (input === undefined || !kinds.has('arguments')) return []
    const { start, end } = input
    const text = rawText(tree, input)
    return [{ kind: 'arguments', key, lane: key, start, end, text, form: 'json', isQuoted: false }]
  })
}
