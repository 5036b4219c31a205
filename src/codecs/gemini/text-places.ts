import type { JsonNode, JsonTree } from '../../core/index.ts'
import { decodeString, isJsonObject, member, present, rawText } from '../../core/index.ts'
import { parseData, placesIn } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { TextKind, TextPlace, TextPlaces } from '../text-places.ts'
import { callIn } from './call-ids.ts'
import { partKind } from './members.ts'
import { chunksOf } from './reply.ts'

/** Words, thoughts, and the arguments of calls, which come whole: each call is a lane that ends with its chunk. */
export const geminiTextPlaces: TextPlaces = {
  inEvent: ({ data }, kinds) => (hasAny(data, kinds) ? scanned(data, kinds) : []),
  foreign: () => undefined,
  endedLanes,
  addition,
  inReply: scanned,
}

function hasAny(data: string, kinds: ReadonlySet<TextKind>): boolean {
  if (kinds.has('arguments') && data.includes('"functionCall"')) return true
  return (kinds.has('text') || kinds.has('reasoning')) && data.includes('"text"')
}

function scanned(json: string, kinds: ReadonlySet<TextKind>): readonly TextPlace[] {
  const tree = placesIn(json)
  if (tree === undefined) return []
  return chunksOf(tree.root).flatMap((chunk, turn) =>
    (member(tree, chunk, 'candidates')?.children ?? []).flatMap((candidate, at) => {
      const lane = indexOf(tree, candidate, at)
      const parts = member(tree, member(tree, candidate, 'content'), 'parts')?.children ?? []
      return parts.flatMap((part, index) => placesOf(tree, part, { lane, index: `${turn}.${index}`, kinds }))
    }),
  )
}

interface PartPlace {
  readonly lane: string
  /** Of the chunk, and in it. */
  readonly index: string
  readonly kinds: ReadonlySet<TextKind>
}

function placesOf(tree: JsonTree, part: JsonNode, { lane, index, kinds }: PartPlace): readonly TextPlace[] {
  const kind = partKind(tree, part)
  if (kind === 'call' && kinds.has('arguments')) {
    const args = callIn(tree, part)?.args
    const own = callLane(lane, index)
    if (args === undefined) return []
    const { start, end } = args
    const place = { key: own, choice: lane, lane: own, start, end, isQuoted: false } as const
    return [{ ...place, kind: 'arguments', text: rawText(tree, args), form: 'json' }]
  }
  const said = kind === 'thought' ? 'reasoning' : 'text'
  const node = kind === 'text' || kind === 'thought' ? member(tree, part, 'text') : undefined
  const text = node && kinds.has(said) ? decodeString(tree, node) : ''
  if (node === undefined || text === '') return []
  const { start, end } = node
  const place = { key: `${lane}:${said}`, choice: lane, lane, start, end, isQuoted: true } as const
  return [{ ...place, kind: said, text, form: 'plain' }]
}

function callLane(lane: string, index: string): string {
  return `${lane}:call.${index}`
}

function indexOf(tree: JsonTree, candidate: JsonNode, otherwise: number): string {
  const index = present(tree, candidate, 'index')
  return index === undefined ? String(otherwise) : rawText(tree, index)
}

const ends = /"(?:finishReason|blockReason)":\s*"[^"]|^\s*\{\s*"error":/

function endedLanes({ data }: SseEvent): readonly string[] | 'all' {
  if (ends.test(data)) return 'all'
  if (!data.includes('"functionCall"')) return []
  return scanned(data, new Set(['arguments'])).map(({ lane }) => lane)
}

function addition({ kind, lane }: TextPlace, text: string, like: SseEvent): SseEvent {
  const data = parseData(like.data)
  const { usageMetadata: _, candidates: __, ...frame } = isJsonObject(data) ? data : {}
  const part = kind === 'reasoning' ? { text, thought: true } : { text }
  const candidate = { content: { role: 'model', parts: [part] }, index: Number(lane) }
  return { ...like, data: JSON.stringify({ candidates: [candidate], ...frame }) }
}
