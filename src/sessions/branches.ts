import { isPrehendError } from '../core/index.ts'
import type { WireExchange, HiddenTurnPart, Ledger, OverlayPart, WireRequest } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import { entriesOf } from '../compiler/index.ts'
import type { Scope } from '../stores/index.ts'
import { recognised, standing } from './collected.ts'
import { continuation } from './continuation.ts'
import type { Continuation, KnownConversation } from './continuation.ts'
import { toolsPartOf, withListedTools } from './catalogue/listed-tools.ts'
import type { BeforeKept } from './kept-replies.ts'
import { liveState, nothingRead } from './live-state.ts'
import type { Branch } from './live-state.ts'
import { shownSteadily, steadying } from './steady/steadied.ts'
import type { Steadied, Steadying } from './steady/steadied.ts'
import { withToolsInOrder } from './steady/steady-tools.ts'

export interface ContinuedBranch extends Branch, WithOverlay, Steadied {}

export interface BranchRequest {
  readonly codec: Codec
  readonly received: WireExchange
  /** Where the first branch has its place; others have theirs beside it. */
  readonly scope: Scope
  readonly kept?: BeforeKept | undefined
  /** Whether its instructions may stand as they were first sent, and its tools in the order of the last request. */
  readonly steady: boolean
}

/**
 * The branch that a request continues; where it goes another way than all of them, a new one, which knows what was decided
 * before they parted.
 */
export function branchFor(branches: readonly Branch[], request: BranchRequest): ContinuedBranch {
  const { received, scope } = request
  const found = closest(branches, request)
  if (!found) {
    const free = branches.length > 0 ? besides(branches, scope) : scope
    return { scope: free, state: liveState(), received, notes: [], restored: received, placed: [], lost: [] }
  }
  const { branch, restored, placed, lost, received: steady, notes, part: remembered } = found.known
  if (!found.parted && isForModel(branch, received)) {
    const askedAgain = askedAgainIn(branch.state, steady)
    return {
      ...branch,
      received: steady,
      notes,
      ...(remembered && { part: remembered }),
      state: { ...branch.state, askedAgain },
      restored,
      placed,
      lost: lost.filter((part) => !askedAgain.has(part)),
    }
  }
  const ledger = found.parted?.ledger ?? branch.state.ledger
  return {
    scope: besides(branches, scope),
    state: partedFrom(branch, isForModel(branch, received) ? ledger : uncached(ledger), placed),
    received: steady,
    notes,
    ...(remembered && { part: remembered }),
    restored,
    placed,
    lost: [],
  }
}

function nearest(candidates: readonly Candidate[]): Continuation<Candidate> | undefined {
  return continuation(
    candidates,
    ({ restored }) => restored.conversation.items,
    (items, known) => known.branch.state.memory.keysOf(items),
  )
}

/**
 * Of several that begin alike but for some values, the one that has the request's own. Where the request brings it one answer of the model, which
 * none of the others knows, it is written anew for none of them.
 */
function closest(branches: readonly Branch[], request: BranchRequest): Continuation<Candidate> | undefined {
  const { received } = request
  const leads = branches.map((branch) => leadOf(branch, request)).filter(({ plan }) => plan.isOther !== true)
  const own = leads.filter((lead) => isAsItCame(lead, received)).map((lead) => candidateOf(lead, request))
  const others = leads.filter((lead) => !isAsItCame(lead, received))
  const isFor = ({ branch }: Candidate): boolean => isForModel(branch, received)
  const next = nearest(own.filter(isFor))
  const answer = next?.parted ? undefined : next?.answerKey
  if (answer !== undefined && !others.some(({ branch }) => knows(branch, answer))) return next
  const candidates = [...own, ...others.map((lead) => candidateOf(lead, request))]
  const forModel = candidates.filter(isFor)
  const goesOn = forModel.length < candidates.length ? nearest(forModel) : undefined
  return goesOn && !goesOn.parted ? goesOn : nearest(candidates)
}

/** A branch that a request may be of, and what of the request would be shown otherwise there. */
interface Lead {
  readonly branch: Branch
  /** The request with its tools in the order of the branch. */
  readonly inOrder: WireExchange
  readonly plan: Steadying
}

function leadOf(branch: Branch, { codec, received, steady }: BranchRequest): Lead {
  const { overlay, restored: last, received: came } = branch.state
  if (!steady) return { branch, inOrder: received, plan: { notes: [], kept: [] } }
  const inOrder = withToolsInOrder(codec, received, last)
  return { branch, inOrder, plan: steadying(inOrder, { overlay, last, came }) }
}

function isAsItCame({ inOrder, plan }: Lead, received: WireExchange): boolean {
  return plan.kept.length === 0 && isSameBody(inOrder, received)
}

function knows({ state: { ledger } }: Branch, key: string): boolean {
  return ledger !== undefined && entriesOf(ledger).some((entry) => entry.key === key)
}

function candidateOf({ branch, inOrder, plan }: Lead, { codec, kept: replies }: BranchRequest): Candidate {
  const { restored: last } = branch.state
  const { kept, ...known } = plan
  const received = shownSteadily(codec, inOrder, { kept, last })
  const { ledger, answeredItems, requestItems } = branch.state
  return {
    ...overlaid(codec, received, { state: branch.state, kept: replies }),
    ...known,
    received,
    branch,
    ...(ledger && { ledger }),
    ...(answeredItems !== undefined && { answeredItems }),
    ...(requestItems !== undefined && { requestItems }),
  }
}

interface Candidate extends KnownConversation, WithOverlay, Steadied {
  readonly branch: Branch
}

function isSameBody(one: WireExchange, other: WireExchange): boolean {
  return one === other || one.wire.body === other.wire.body
}

interface Added extends Pick<Branch['state'], 'overlay' | 'saidBefore'> {
  /** The last request with the overlay in it: what is the same is not read again. */
  readonly last: WireExchange | undefined
}

interface WithOverlay {
  /** The request with what was added to its conversation put back. */
  readonly restored: WireExchange
  readonly placed: readonly OverlayPart[]
  /** What could not be put back, though the client still has its place. */
  readonly lost: readonly HiddenTurnPart[]
}

/** A request with everything put back that a branch has added, and what was hidden before the reply that it goes on from. */
export function overlaid(
  codec: Codec,
  received: WireExchange,
  { state, kept }: { readonly state: Branch['state']; readonly kept: BeforeKept | undefined },
): WithOverlay {
  const { overlay, restored: last, saidBefore } = state
  return withOverlay(codec, received, { overlay: kept ? [...kept.hidden, ...overlay] : overlay, last, saidBefore })
}

/** A request with everything put back that we added to its conversation, and to no other. */
export function withOverlay(codec: Codec, received: WireExchange, { overlay, last, saidBefore }: Added): WithOverlay {
  if (overlay.length === 0) return { restored: received, placed: [], lost: [] }
  const tools = toolsPartOf(overlay)
  const listed = withListedTools(codec, received, { part: tools, last })
  const added = withAdded(codec, listed, { received, overlay, last, saidBefore })
  return tools === undefined ? added : { ...added, placed: [tools, ...added.placed] }
}

/** The same with what was added between its messages. */
function withAdded(
  codec: Codec,
  listed: WireExchange,
  { received: came, overlay, last, saidBefore }: Added & { readonly received: WireExchange },
): WithOverlay {
  const said = saidBefore(came)
  const own = overlay.filter((part) => part.kind === 'hidden-turn' || said.includes(part))
  const { path, headers } = listed.wire
  const { body, placed, lost } = codec.restore(listed.wire.body, own, { received: listed, belongs: said.belongs })
  if (placed.length === 0) return { restored: listed, placed, lost }
  const exchange = readAgain(codec, { path, headers, body }, last)
  if (exchange) return { restored: recognised(exchange, standing(exchange, placed)), placed, lost }
  return { restored: listed, placed: [], lost: own.filter((part) => part.kind === 'hidden-turn') }
}

/** Undefined where the client's ids and those of our own calls cannot stand in one conversation. */
function readAgain(codec: Codec, request: WireRequest, last: WireExchange | undefined): WireExchange | undefined {
  try {
    return codec.decode(request, last)
  } catch (error) {
    if (isPrehendError(error)) return undefined
    throw error
  }
}

function askedAgainIn(
  { overlay, saidBefore, askedAgain = new Set() }: Branch['state'],
  received: WireExchange,
): ReadonlySet<OverlayPart> {
  const hidden = overlay.filter(({ kind }) => kind === 'hidden-turn')
  if (hidden.length === 0) return askedAgain
  const { all } = saidBefore(received).end
  const again = hidden.filter((part) => part.saidBefore?.all === all)
  return again.length === 0 ? askedAgain : new Set([...askedAgain, ...again])
}

/** What was added after they had parted is the other's. */
function partedFrom(
  { state: { lost: _lost, askedAgain: _askedAgain, ...state } }: Branch,
  ledger: Ledger | undefined,
  overlay: readonly OverlayPart[],
): Branch['state'] {
  return { ...state, ...(ledger && { ledger }), overlay, version: 0, handles: new Set(), ...nothingRead() }
}

/**
 * Whether a branch is one that the request's model has in its cache: each model has a branch of its own, so that what it has
 * seen stays for it while others are asked. Unknown after a restart: then it is.
 */
function isForModel({ state }: Branch, { conversation: { model } }: WireExchange): boolean {
  return state.received === undefined || state.received.conversation.model === model
}

/** What was decided for one model, as another knows it: nothing of it is in its cache. */
function uncached(ledger: Ledger | undefined): Ledger | undefined {
  if (ledger?.layout !== 'messages') return ledger
  const { marks: _marks, ...rest } = ledger
  return { ...rest, lastRequestMs: 0 }
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
