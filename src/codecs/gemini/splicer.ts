import type { JsonTree } from '../../core/index.ts'
import { member, rawText } from '../../core/index.ts'
import type { HiddenToolNames, SpliceState, SpliceStep, StreamSplicer } from '../codec.ts'
import { splicerOf } from '../splicer.ts'
import type { SseEvent } from '../sse.ts'
import type { RawMembers } from '../splice.ts'
import type { ChunkChanges } from './chunk.ts'
import { changeChunk, isCallOf, saysSomething } from './chunk.ts'
import { endOf } from './hidden.ts'
import type { GeminiStreamState } from './reducer.ts'
import { finishReason, firstCandidate, initialState, partsOf, replyOf, stepTree, treeOfEvent } from './reducer.ts'

interface GeminiSpliceState extends SpliceState {
  readonly hiddenTools: HiddenToolNames
  /** The current upstream stream, folded. */
  readonly inner: GeminiStreamState
  /** Upstream streams before the current one. */
  readonly round: number
  /** Whether the current stream has calls of ours. */
  readonly hasOurs: boolean
  /** The raw `responseId` of the first stream, which all chunks of the client's carry. */
  readonly identity: RawMembers
  /** The chunk that tells of the end, which the client has not got: nothing but the end of the stream says that it is the last. */
  readonly heldFinish?: SseEvent | undefined
}

export function geminiSplicer(): StreamSplicer {
  return splicerOf<GeminiSpliceState>({ begin: begun, step, close, resume, finish })
}

const newStream = { inner: initialState, hasOurs: false, heldFinish: undefined, held: false } as const

function begun(hiddenTools: HiddenToolNames): GeminiSpliceState {
  return { hiddenTools, round: 0, identity: [], ...newStream }
}

function step(state: GeminiSpliceState, event: SseEvent): SpliceStep {
  const tree = state.inner.ended ? undefined : treeOfEvent(event)
  if (tree === undefined) return { state, forward: state.held ? [] : [event] }
  const folded: GeminiSpliceState = { ...withIdentity(state, tree), inner: stepTree(state.inner, tree) }
  if (folded.inner.failure === undefined) return chunk(folded, tree, event)
  return { state: folded, forward: [event], end: endOf(replyOf(folded.inner), folded.hiddenTools) }
}

function withIdentity(state: GeminiSpliceState, tree: JsonTree): GeminiSpliceState {
  const id = state.identity.length > 0 ? undefined : member(tree, tree.root, 'responseId')
  return id === undefined ? state : { ...state, identity: [['responseId', rawText(tree, id)]] }
}

function chunk(before: GeminiSpliceState, tree: JsonTree, event: SseEvent): SpliceStep {
  const { hiddenTools, round, identity, heldFinish } = before
  const parts = partsOf(tree, firstCandidate(tree, tree.root))
  const ours = parts.filter((part) => isCallOf(tree, part, hiddenTools)).length
  const state: GeminiSpliceState = { ...before, hasOurs: before.hasOurs || ours > 0, heldFinish: undefined }
  const changes: ChunkChanges = {
    ...(round > 0 && { identity }),
    ...(ours > 0 && { dropsPart: (of, part) => isCallOf(of, part, hiddenTools) }),
  }
  const changed = changeChunk(event, changes)
  const forward = heldFinish === undefined ? [] : wordsOf(heldFinish)
  const finishes = finishReason(tree, tree.root) !== undefined
  if (finishes && (state.hasOurs || round > 0)) {
    const holding: GeminiSpliceState = { ...state, heldFinish: changed }
    return { state: holding, forward }
  }
  return { state, forward: ours > 0 && ours === parts.length ? forward : [...forward, changed] }
}

/** The words of a chunk that is not the end after all. */
function wordsOf(event: SseEvent): readonly SseEvent[] {
  return saysSomething(event) ? [changeChunk(event, { dropsFinish: true })] : []
}

/** No event says that a stream has ended: it is over when no more comes. */
function close(state: GeminiSpliceState): SpliceStep {
  if (state.inner.ended) return { state, forward: [] }
  const { heldFinish } = state
  const end = endOf(replyOf(state.inner), state.hiddenTools)
  const over: GeminiSpliceState = { ...state, inner: { ...state.inner, ended: true }, held: end.mustContinue }
  if (end.mustContinue) return { state: over, forward: heldFinish ? wordsOf(heldFinish) : [], end }
  return { state: over, forward: heldFinish ? [heldFinish] : [], end }
}

function resume(state: GeminiSpliceState): GeminiSpliceState {
  const next: GeminiSpliceState = { ...state, ...newStream, round: state.round + 1 }
  return next
}

function finish({ heldFinish, held }: GeminiSpliceState): readonly SseEvent[] {
  return heldFinish && held ? [changeChunk(heldFinish, { dropsPart: () => true })] : []
}
