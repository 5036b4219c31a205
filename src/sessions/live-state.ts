import type { WireExchange, OverlayPart } from '../core/index.ts'
import { ledgerSchema } from '../core/index.ts'
import { compileMemory } from './compilers.ts'
import type { CompileMemory } from './compilers.ts'
import type { CacheViews } from './cost/cache-views.ts'
import type { PlannedBreakpoint } from '../providers/breakpoints/index.ts'
import { noState } from '../stores/index.ts'
import { saidBeforeReader } from './said-before.ts'
import type { SaidBeforeReader } from './said-before.ts'
import type { Scope, SessionState, TenantAccountRow } from '../stores/index.ts'

/** A session between two of its requests. A value: every step makes a new one. */
export interface LiveState extends SessionState {
  /** Handles whose originals are stored, and names of media that are stored as they were made. */
  readonly handles: ReadonlySet<string>
  /** Where the last request was marked for the provider's cache. */
  readonly marked?: readonly PlannedBreakpoint[]
  /** What the provider's cache would hold of it, however it is sent. */
  readonly views?: CacheViews
  /** Something of it could not be written, so that the next commit writes all of it. */
  readonly isUnsaved?: boolean
  /** What of it is missing in its tenant's account, since it could not be written. */
  readonly unfiled?: TenantAccountRow
  /** Items of the last request up to the model's last word in it. */
  readonly answeredItems?: number
  /** Items of the last request, without those of hidden rounds since. */
  readonly requestItems?: number
  /** The last request as it came, as layers had changed it, and with the overlay put back, so that what is the same is not read again. */
  readonly received?: WireExchange
  readonly layered?: WireExchange | undefined
  readonly restored?: WireExchange
  readonly memory: CompileMemory
  readonly saidBefore: SaidBeforeReader
  /** Parts of the overlay that the last request could not be given back. */
  readonly lost?: readonly OverlayPart[]
  /** Hidden turns whose request the client has sent again: another reply may stand in their place. */
  readonly askedAgain?: ReadonlySet<OverlayPart>
}

/** One conversation of those that go under a session's name and begin alike. */
export interface Branch {
  readonly scope: Scope
  readonly state: LiveState
}

/** Decisions of a version that nobody reads any more are forgotten: the conversation goes on as one that has none. */
export function liveState({ ledger, ...stored }: SessionState = noState): LiveState {
  return { ...stored, ...(ledger?.schema === ledgerSchema && { ledger }), handles: new Set(), ...nothingRead() }
}

/** What a conversation is read with from its beginning. */
export function nothingRead(): Pick<LiveState, 'memory' | 'saidBefore'> {
  return { memory: compileMemory(), saidBefore: saidBeforeReader() }
}

/** The state without what only saves work. */
export function storedState({ version, ledger, offeredTools, overlay }: LiveState): SessionState {
  return { version, offeredTools, overlay, ...(ledger && { ledger }) }
}
