import type { JsonNode, JsonTree } from '../../core/index.ts'
import { decodeValue, isJsonObject, member } from '../../core/index.ts'
import type { CallPlace, CallPlaces } from '../calls/call-places.ts'
import { callSlot, noSlots } from './call-slots.ts'
import type { CallSlots } from './call-slots.ts'

/** Elements of `tool_calls`, in every choice. */
export const openaiCalls: CallPlaces = {
  argumentsMember: 'arguments',
  inRequest: (tree) =>
    (member(tree, tree.root, 'messages')?.children ?? []).flatMap((message, at) =>
      callsIn(tree, message, (index) => `${at}.${index}`),
    ),
  inReply: (tree) =>
    (member(tree, tree.root, 'choices')?.children ?? []).flatMap((choice, at) =>
      callsIn(tree, member(tree, choice, 'message'), (index) => `${at}.${index}`),
    ),
  inStream,
}

type KeyOf = (index: number, call: JsonNode) => string

function callsIn(tree: JsonTree, message: JsonNode | undefined, keyOf: KeyOf): readonly CallPlace[] {
  const list = member(tree, message, 'tool_calls')
  if (list?.kind !== 'array') return []
  return list.children.flatMap((call, index) => callOf(tree, call, keyOf(index, call)) ?? [])
}

function callOf(tree: JsonTree, call: JsonNode, key: string): CallPlace | undefined {
  const body = member(tree, call, 'function')
  if (body === undefined) return undefined
  const [name, given] = [member(tree, body, 'name'), member(tree, body, 'arguments')]
  const isWritten = given?.kind === 'string' || given?.kind === 'object'
  return {
    key,
    ...(name?.kind === 'string' && { name }),
    ...(isWritten && { arguments: { node: given, isQuoted: given.kind === 'string' } }),
  }
}

/** The calls of each choice are told apart as everywhere: compatible servers give several of them one index, or none. */
function inStream(): (tree: JsonTree) => readonly CallPlace[] {
  const slots = new Map<number, CallSlots>()
  return (tree) =>
    (member(tree, tree.root, 'choices')?.children ?? []).flatMap((choice, at) => {
      const keyOf: KeyOf = (_, call) => {
        const piece = decodeValue(tree, call)
        const { slots: after, slot } = callSlot(slots.get(at) ?? noSlots, isJsonObject(piece) ? piece : {})
        slots.set(at, after)
        return `${at}.${slot}`
      }
      return callsIn(tree, member(tree, choice, 'delta'), keyOf).map(asPiece)
    })
}

function asPiece({ arguments: given, ...place }: CallPlace): CallPlace {
  if (given === undefined || isEmpty(given.node)) return place
  return { ...place, arguments: given.isQuoted ? { ...given, isPiece: true } : given }
}

function isEmpty({ kind, start, end }: JsonNode): boolean {
  return kind === 'string' && end - start === 2
}
