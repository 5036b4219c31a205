import type { JsonTree } from '../../core/index.ts'
import { decodeString, rawText } from '../../core/index.ts'
import { placesIn } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import type { Edit } from '../splice.ts'
import { sortEdits, splice } from '../splice.ts'
import type { ArgumentsPlace, CallPlace, CallPlaces } from './call-places.ts'

/** The function that a call calls, and the JSON text of its arguments. */
export interface WrittenCall {
  readonly name: string
  readonly arguments: string
}

/** Gives a call as another one; undefined leaves it as it is. Must give the same for the same call. */
export type RewriteCall = (call: WrittenCall) => WrittenCall | undefined

/** The edits that write the calls at these places, each of which is whole, as others. */
export function callEdits(
  tree: JsonTree,
  places: readonly CallPlace[],
  { argumentsMember, rewrite }: Pick<CallPlaces, 'argumentsMember'> & { readonly rewrite: RewriteCall },
): readonly Edit[] {
  return places.flatMap((place): readonly Edit[] => {
    if (place.name === undefined) return []
    const given = place.arguments && textAt(tree, place.arguments)
    const now = rewrite({ name: decodeString(tree, place.name), arguments: given ?? '{}' })
    if (now === undefined) return []
    const name = edit(place.name, JSON.stringify(now.name))
    if (place.isResult) return [name]
    if (place.arguments) return [name, edit(place.arguments.node, written(place.arguments, now.arguments))]
    return [{ ...name, text: `${name.text},${JSON.stringify(argumentsMember)}:${asObject(now.arguments)}` }]
  })
}

/** A whole reply with its calls written as others; the same text where none changes. */
export function rewrittenReply(calls: CallPlaces, body: string, rewrite: RewriteCall): string {
  const tree = placesIn(body)
  if (tree === undefined) return body
  const edits = callEdits(tree, calls.inReply(tree), { argumentsMember: calls.argumentsMember, rewrite })
  return edits.length === 0 ? body : splice(tree.text, sortEdits(edits))
}

/** The events of a stream, from the first that holds a piece of a call to the last, with its calls written as others. */
export function rewrittenEvents(
  calls: CallPlaces,
  events: readonly SseEvent[],
  rewrite: RewriteCall,
): readonly SseEvent[] {
  const find = calls.inStream()
  const read = events.map((event): ReadEvent => {
    const tree = event.comment === undefined ? placesIn(event.data) : undefined
    return { event, tree, places: tree === undefined ? [] : find(tree) }
  })
  const now = changedCalls(read, rewrite)
  if (now.size === 0) return events
  const told = new Set<string>()
  return read.map(({ event, tree, places }) => {
    if (tree === undefined) return event
    const edits = places.flatMap((place) => pieceEdits(place, now.get(place.key), told))
    return edits.length === 0 ? event : { ...event, data: splice(tree.text, sortEdits(edits)) }
  })
}

interface ReadEvent {
  readonly event: SseEvent
  readonly tree: JsonTree | undefined
  readonly places: readonly CallPlace[]
}

function changedCalls(read: readonly ReadEvent[], rewrite: RewriteCall): ReadonlyMap<string, WrittenCall> {
  const told = new Map<string, { name: string; pieces: string; whole?: string }>()
  for (const { tree, places } of read)
    for (const place of places) {
      if (tree === undefined) continue
      const known = told.get(place.key) ?? { name: '', pieces: '' }
      if (place.name) known.name = decodeString(tree, place.name)
      const text = place.arguments && textAt(tree, place.arguments)
      if (place.arguments?.isPiece) known.pieces += text ?? ''
      else if (text !== undefined) known.whole = text
      told.set(place.key, known)
    }
  return new Map(
    [...told].flatMap(([key, { name, pieces, whole }]) => {
      const now = name === '' ? undefined : rewrite({ name, arguments: whole ?? (pieces || '{}') })
      return now === undefined ? [] : [[key, now] as const]
    }),
  )
}

/** The first piece of the arguments tells all of them, and those behind it nothing. */
function pieceEdits(place: CallPlace, now: WrittenCall | undefined, told: Set<string>): readonly Edit[] {
  if (now === undefined) return []
  const edits = place.name ? [edit(place.name, JSON.stringify(now.name))] : []
  if (!place.arguments) return edits
  const isBehind = place.arguments.isPiece === true && told.has(place.key)
  if (place.arguments.isPiece) told.add(place.key)
  return [...edits, edit(place.arguments.node, isBehind ? '""' : written(place.arguments, now.arguments))]
}

function textAt(tree: JsonTree, { node, isQuoted, isPiece }: ArgumentsPlace): string {
  const text = isQuoted ? decodeString(tree, node) : rawText(tree, node)
  return isPiece ? text : text || '{}'
}

function written({ isQuoted }: ArgumentsPlace, json: string): string {
  return isQuoted ? JSON.stringify(json) : asObject(json)
}

/** Where an object has to stand, nothing else may. */
function asObject(json: string): string {
  return json.trimStart().startsWith('{') ? json : '{}'
}

function edit({ start, end }: { readonly start: number; readonly end: number }, text: string): Edit {
  return { start, end, text }
}
