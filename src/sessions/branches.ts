import type { Exchange, Ledger } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import type { Scope } from '../stores/index.ts'
import { compileMemory } from './compilers.ts'
import { recognised, standing } from './collected.ts'
import { continuation } from './continuation.ts'
import type { KnownConversation } from './continuation.ts'
import { liveState } from './live-state.ts'
import type { Branch } from './live-state.ts'

export interface ContinuedBranch extends Branch {
  /** The request with what was added to the branch put back. */
  readonly restored: Exchange
}

export interface BranchRequest {
  readonly codec: Codec
  readonly received: Exchange
  /** Where the first branch has its place; others have theirs beside it. */
  readonly scope: Scope
}

/**
 * The branch that a request continues; where it goes another way than all of them, a new one, which knows what was decided
 * before they parted.
 */
export function branchFor(branches: readonly Branch[], request: BranchRequest): ContinuedBranch {
  const { codec, received, scope } = request
  const candidates = branches.map((branch): Candidate => {
    const { overlay, restored: last, ledger, answeredItems } = branch.state
    const restored = withOverlay(codec, received, { overlay, last })
    return { branch, restored, ...(ledger && { ledger }), ...(answeredItems !== undefined && { answeredItems }) }
  })
  const found = continuation(
    candidates,
    ({ restored }) => restored.conversation.items,
    (items, known) => known.branch.state.memory.keysOf(items),
  )
  if (!found) return { scope, state: liveState(), restored: received }
  const { branch, restored } = found.known
  if (!found.parted) return { ...branch, restored }
  return { scope: besides(branches, scope), state: partedFrom(branch, found.parted), restored }
}

interface Candidate extends KnownConversation {
  readonly branch: Branch
  readonly restored: Exchange
}

interface Added {
  readonly overlay: Branch['state']['overlay']
  /** The last request with the overlay in it: what is the same is not read again. */
  readonly last: Exchange | undefined
}

/** A request with everything put back that we added to its conversation. */
export function withOverlay(codec: Codec, received: Exchange, { overlay, last }: Added): Exchange {
  if (overlay.length === 0) return received
  const { body } = received.wire
  const restored = codec.restore(body, overlay, received)
  if (restored === body) return received
  const exchange = codec.decode({ body: restored }, last)
  return recognised(exchange, standing(exchange, overlay))
}

function partedFrom({ state }: Branch, { ledger }: { readonly ledger: Ledger }): Branch['state'] {
  return { ...state, ledger, version: 0, handles: new Set(), memory: compileMemory() }
}

const mark = '~'

function besides(branches: readonly Branch[], { lane = '', ...scope }: Scope): Scope {
  const numbers = branches.map((branch) => Number(branch.scope.lane?.slice(lane.length + mark.length) ?? 0))
  return { ...scope, lane: `${lane}${mark}${Math.max(0, ...numbers) + 1}` }
}

/** Whether a lane holds a branch of the conversations that begin in another. */
export function isBranchOf(lane: string, { lane: first = '' }: Scope): boolean {
  return lane === first || lane.startsWith(`${first}${mark}`)
}
