import type { JsonNode, JsonTree, ModelReply, ToolCall } from '../../core/index.ts'
import { decodeString, keyAt, member, rawText, stringAt } from '../../core/index.ts'
import { ofChain } from '../chain.ts'
import { argumentsOf, callId, callIn } from './call-ids.ts'
import { partKind } from './members.ts'

/** Parts of one chunk: they stand in its JSON. */
export interface ChunkParts {
  readonly tree: JsonTree
  readonly parts: readonly JsonNode[]
}

/** What the chunks of one reply say together. */
export const wordsOf = ofChain(foldParts)

type Words = Required<Pick<ModelReply, 'text' | 'toolCalls' | 'message'>>

/** Words that go on until a part of another kind comes. */
interface Open {
  readonly isThought: boolean
  readonly pieces: string[]
}

function foldParts(chunks: readonly ChunkParts[]): Words {
  return {
    text: chunks.map(({ tree, parts }) => textOf(tree, parts)).join(''),
    toolCalls: toolCallsOf(chunks),
    message: modelMessage(joinedParts(chunks)),
  }
}

/**
 * A raw array of parts. Parts that are words alone are one however they were cut; all others, signed ones among them, stay
 * as they came.
 */
export function joinedParts(chunks: readonly ChunkParts[]): string {
  const raws: string[] = []
  let open: Open | undefined
  const close = (): void => {
    const text = open?.pieces.join('') ?? ''
    if (open && text !== '') raws.push(JSON.stringify({ text, ...(open.isThought && { thought: true }) }))
    open = undefined
  }
  for (const { tree, parts } of chunks) {
    for (const part of parts) {
      const plain = plainWords(tree, part)
      if (plain?.text === '') continue
      if (open && open.isThought !== plain?.isThought) close()
      if (plain === undefined) raws.push(rawText(tree, part))
      else (open ??= { isThought: plain.isThought, pieces: [] }).pieces.push(plain.text)
    }
  }
  close()
  return `[${raws.join(',')}]`
}

/** The message that carries these parts (a raw JSON array) back to the provider. */
export function modelMessage(parts: string): string {
  return `{"role":"model","parts":${parts}}`
}

const wordMembers: ReadonlySet<string> = new Set(['text', 'thought'])

function plainWords(
  tree: JsonTree,
  part: JsonNode,
): { readonly isThought: boolean; readonly text: string } | undefined {
  const kind = partKind(tree, part)
  const text = member(tree, part, 'text')
  if ((kind !== 'text' && kind !== 'thought') || text === undefined) return undefined
  if (!part.children.every((_, index) => wordMembers.has(keyAt(tree, part, index)))) return undefined
  return { isThought: kind === 'thought', text: decodeString(tree, text) }
}

/** Words that are empty, and carry nothing else either: chunks that tell of an end have them. */
export function isEmptyText(tree: JsonTree, part: JsonNode): boolean {
  return plainWords(tree, part)?.text === ''
}

/** What parts say to people. */
export function textOf(tree: JsonTree, parts: readonly JsonNode[]): string {
  return wordsIn(tree, parts, 'text')
}

/** What the model tells of its thoughts. */
export function thoughtsOf(tree: JsonTree, parts: readonly JsonNode[]): string {
  return wordsIn(tree, parts, 'thought')
}

function wordsIn(tree: JsonTree, parts: readonly JsonNode[], kind: 'text' | 'thought'): string {
  return parts.map((part) => (partKind(tree, part) === kind ? (stringAt(tree, part, 'text') ?? '') : '')).join('')
}

/** The calls of one message; calls without an id have the same names here as where the message comes back. */
export function toolCallsOf(chunks: readonly ChunkParts[]): readonly ToolCall[] {
  const taken = new Set<string>()
  return chunks.flatMap(({ tree, parts }) =>
    parts.flatMap((part): ToolCall[] => {
      const call = callIn(tree, part)
      if (call === undefined) return []
      const id = callId(tree, call, (known) => taken.has(known))
      taken.add(id)
      return [{ id, name: call.name, arguments: argumentsOf(tree, call) }]
    }),
  )
}
