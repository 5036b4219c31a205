import type { Exchange, Item } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import { entriesOf, ledgerUpTo, sharedBeginning } from '../compiler/index.ts'
import type { Scope } from '../stores/index.ts'
import { recognised, standing } from './collected.ts'
import { liveState } from './live-state.ts'
import type { Branch } from './live-state.ts'

/** Gives the keys under which a ledger knows items. */
export type KeysOf = (items: readonly Item[]) => readonly string[]

export interface ContinuedBranch extends Branch {
  /** The request with what was added to the branch put back. */
  readonly restored: Exchange
}

interface Match {
  readonly branch: Branch
  readonly restored: Exchange
  readonly keys: readonly string[]
  /** Items that the request begins with and the branch's last one did. */
  readonly shared: number
  /** Items of the branch's last request after those. */
  readonly rest: number
}

export interface BranchRequest {
  readonly codec: Codec
  readonly received: Exchange
  readonly keysOf: KeysOf
  /** Where the first branch has its place; others have theirs beside it. */
  readonly scope: Scope
}

/**
 * The branch that a request continues: the one with which it has the longest beginning in common. Where the two have parted
 * after it, a new one, which knows what was decided of that beginning and leaves the other as it is.
 */
export function branchFor(branches: readonly Branch[], request: BranchRequest): ContinuedBranch {
  const { received, scope } = request
  let best: Match | undefined
  for (const branch of branches) {
    const match = matchOf(branch, request)
    if (best === undefined || isCloser(match, best)) best = match
  }
  if (!best) return { scope, state: liveState(), restored: received }
  const { branch, restored } = best
  if (!hasParted(best)) return { ...branch, restored }
  return { scope: besides(branches, scope), state: parted(best), restored }
}

function matchOf(branch: Branch, { codec, received, keysOf }: BranchRequest): Match {
  const { overlay, restored: last, ledger } = branch.state
  const restored = withOverlay(codec, received, { overlay, last })
  const keys = keysOf(restored.conversation.items)
  const shared = ledger ? sharedBeginning(ledger, keys) : 0
  return { branch, restored, keys, shared, rest: entriesOf(ledger).length - shared }
}

function isCloser(one: Match, other: Match): boolean {
  return one.shared === other.shared ? one.rest < other.rest : one.shared > other.shared
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

/**
 * Whether a request goes another way than the branch did. It does not where the client has rewritten what came before (most
 * of what followed is still there), nor where it has only taken back words that the model has answered meanwhile.
 */
function hasParted({ branch, restored, keys, shared }: Match): boolean {
  const { ledger, answeredItems = Number.POSITIVE_INFINITY } = branch.state
  const rest = entriesOf(ledger).slice(shared)
  if (rest.length === 0) return false
  const present = new Set(keys.slice(shared))
  const kept = rest.filter(({ key }) => present.has(key)).length
  if (kept * 2 > rest.length) return false
  const goesOn = restored.conversation.items.slice(shared).some(({ role }) => role === 'assistant')
  return shared < answeredItems || !goesOn
}

function parted({ branch, shared }: Match): Branch['state'] {
  const { ledger, ...state } = branch.state
  return { ...state, version: 0, handles: new Set(), ...(ledger && { ledger: ledgerUpTo(ledger, shared) }) }
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
