import type { JsonNode, JsonTree } from '../../core/index.ts'
import { decodeString, decodeValue, isJsonObject, member, rawText, stringAt } from '../../core/index.ts'
import { callSlot, noSlots } from './call-slots.ts'
import type { CallSlots } from './call-slots.ts'
import { parseData, placesIn } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { TextKind, TextPlace, TextPlaces } from '../text-places.ts'

/** Words, reasoning, arguments of functions and input of free-form tools, in every choice. */
export const openaiTextPlaces: TextPlaces = {
  inEvent: (event, kinds) => placesInStream()(event, kinds),
  inStream: placesInStream,
  foreign: () => undefined,
  endedLanes,
  addition,
  inReply: (body, kinds) => scanned(body, 'message', { kinds, keyOf: (_, call) => String(call.at) }),
}

/** The calls of each choice are told apart as everywhere: compatible servers give several of them one index, or none. */
function placesInStream(): TextPlaces['inEvent'] {
  const slots = new Map<string, CallSlots>()
  const keyOf: KeyOf = (lane, { tree, node }) => {
    const piece = decodeValue(tree, node)
    if (!isJsonObject(piece)) return ''
    const { slots: after, slot } = callSlot(slots.get(lane) ?? noSlots, piece)
    slots.set(lane, after)
    const { index } = piece
    return index === slot ? String(slot) : `${slot}#${typeof index === 'number' ? index : ''}`
  }
  return ({ data }, kinds) => (hasAny(data, kinds) ? scanned(data, 'delta', { kinds, keyOf }) : [])
}

interface PlacedCall {
  readonly tree: JsonTree
  readonly node: JsonNode
  readonly at: number
}

/** What tells a call from the others of its choice. */
type KeyOf = (lane: string, call: PlacedCall) => string

interface Wanted {
  readonly kinds: ReadonlySet<TextKind>
  readonly keyOf: KeyOf
}

/** Members of a message that are texts; servers differ in where they put reasoning. */
const strings = [
  ['content', 'text'],
  ['refusal', 'text'],
  ['reasoning_content', 'reasoning'],
  ['reasoning', 'reasoning'],
] as const

function hasAny(data: string, kinds: ReadonlySet<TextKind>): boolean {
  if (kinds.has('arguments') && data.includes('"tool_calls"')) return true
  return strings.some(([name, kind]) => kinds.has(kind) && data.includes(`"${name}"`))
}

function scanned(json: string, holder: 'delta' | 'message', wanted: Wanted): readonly TextPlace[] {
  const tree = placesIn(json)
  if (tree === undefined) return []
  const choices = member(tree, tree.root, 'choices')?.children ?? []
  return choices.flatMap((choice, at) => {
    const said = member(tree, choice, holder)
    return said === undefined ? [] : messageTexts(tree, said, { lane: indexOf(tree, choice, at), ...wanted })
  })
}

interface Lane extends Wanted {
  readonly lane: string
}

function messageTexts(tree: JsonTree, said: JsonNode, { lane, kinds, keyOf }: Lane): TextPlace[] {
  const words = strings.flatMap(([name, kind]): TextPlace[] => {
    const node = kinds.has(kind) ? member(tree, said, name) : undefined
    const nodes = node?.kind === 'array' ? textParts(tree, node) : [node]
    return nodes.flatMap((part, at) =>
      placeOf(tree, part, { kind, key: `${lane}:${name}${at === 0 ? '' : `.${at}`}`, lane, form: 'plain' }),
    )
  })
  const calls = kinds.has('arguments') ? (member(tree, said, 'tool_calls')?.children ?? []) : []
  const told = calls.flatMap((node, at) => argumentsOf(tree, node, { lane, index: keyOf(lane, { tree, node, at }) }))
  return [...words, ...told.map((place, at) => beforeNext(place, told[at + 1]))]
}

/** Where one event tells two calls that no index tells apart, what is held back of the first has no place behind it. */
function beforeNext(place: TextPlace, next: TextPlace | undefined): TextPlace {
  const isLast = next !== undefined && next.key !== place.key && `${place.key}${next.key}`.includes('#')
  return isLast ? { ...place, isWhole: true } : place
}

function textParts(tree: JsonTree, content: JsonNode): (JsonNode | undefined)[] {
  return content.children.map((part) =>
    stringAt(tree, part, 'type') === 'text' ? member(tree, part, 'text') : undefined,
  )
}

const argumentForms = [
  ['function', 'arguments', 'json'],
  ['custom', 'input', 'plain'],
] as const

function argumentsOf(
  tree: JsonTree,
  call: JsonNode,
  { lane, index }: { readonly lane: string; readonly index: string },
): TextPlace[] {
  return argumentForms.flatMap(([body, name, form]) => {
    const found = member(tree, member(tree, call, body), name)
    // Some servers tell arguments as an object.
    if (found?.kind === 'object') {
      const { start, end } = found
      const key = `${lane}:calls.${index}`
      const text = rawText(tree, found)
      return [{ kind: 'arguments', key, lane, form, choice: lane, start, end, text, isQuoted: false, isWhole: true }]
    }
    return placeOf(tree, found, { kind: 'arguments', key: `${lane}:calls.${index}`, lane, form })
  })
}

function placeOf(
  tree: JsonTree,
  node: JsonNode | undefined,
  place: Pick<TextPlace, 'kind' | 'key' | 'lane' | 'form'>,
): TextPlace[] {
  const text = node?.kind === 'string' ? decodeString(tree, node) : ''
  if (node === undefined || text === '') return []
  return [{ ...place, choice: place.lane, start: node.start, end: node.end, text, isQuoted: true }]
}

function indexOf(tree: JsonTree, node: JsonNode, otherwise: number): string {
  const index = member(tree, node, 'index')
  return index === undefined ? String(otherwise) : rawText(tree, index)
}

const finishes = /"finish_reason":\s*"[^"]/
const fails = /^\s*\{\s*"error":/

function endedLanes({ data }: SseEvent): readonly string[] | 'all' {
  if (data.trim() === '[DONE]' || fails.test(data)) return 'all'
  if (!finishes.test(data)) return []
  const chunk = parseData(data)
  const choices = isJsonObject(chunk) && Array.isArray(chunk['choices']) ? chunk['choices'] : []
  return choices.flatMap((choice, at) => {
    const { finish_reason: reason, index = at } = isJsonObject(choice) ? choice : {}
    return typeof reason === 'string' && reason !== '' ? [String(index)] : []
  })
}

function addition({ key, lane, form }: TextPlace, text: string, like: SseEvent): SseEvent {
  const data = parseData(like.data)
  const { usage: _, ...frame } = isJsonObject(data) ? data : {}
  const name = key.slice(lane.length + 1)
  const [, call] = name.split('calls.')
  const body = form === 'json' ? { function: { arguments: text } } : { custom: { input: text } }
  const [slot, index = slot] = call?.split('#') ?? []
  const numbered = index === '' ? body : { index: Number(index), ...body }
  const delta = call === undefined ? { [name]: text } : { tool_calls: [numbered] }
  return { ...like, data: JSON.stringify({ ...frame, choices: [{ index: Number(lane), delta, finish_reason: null }] }) }
}
