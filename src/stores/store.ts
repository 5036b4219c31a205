import { PrehendError } from '../core/index.ts'
import type { Dollars } from './dollars.ts'
import type {
  Breakpoint,
  CompileInput,
  Dialect,
  EpochRecord,
  Item,
  ItemKind,
  Ledger,
  Manifest,
  Outcome,
  OverlayPart,
  SessionRecordPart,
  StepLimits,
  TextSource,
  ToolDefinition,
  WhyWhole,
} from '../core/index.ts'
import { withoutMessages } from './receipt-result.ts'
import type { LeftOut, ReceiptResult } from './receipt-result.ts'
import type { AccountQuery, SessionAccount } from './session-account.ts'
import type { TenantAccountChange, TenantAccountRow } from './tenant-account.ts'
import type { StatisticsQuery, StatisticsRow, Tally } from './statistics/rollups.ts'

/** Whose data: nothing is read or written without both, so that one tenant never meets another's. */
export interface Scope {
  readonly tenant: string
  readonly session: string
  /** Which of the conversations that go under the session's name; each has a ledger of its own. */
  readonly lane?: string
}

/** Where a handle is looked up. */
export type HandleScope = Pick<Scope, 'tenant'> & Partial<Scope>

/** A session between its requests. */
export interface SessionState {
  /** 1 once it has been written to, and 1 more with each further commit but those of a result alone. */
  readonly version: number
  readonly ledger?: Ledger
  /** Names of our own tools that have been offered; what was offered once stays offered. */
  readonly offeredTools: readonly string[]
  /** What we added to the conversation, in the order in which it happened. */
  readonly overlay: readonly OverlayPart[]
}

/** What a handle brings back. */
export interface Original {
  readonly handle: string
  readonly text: string
  readonly kind?: ItemKind
  readonly toolName?: string
  /** Absent where it is not known. */
  readonly leftOut?: LeftOut
}

/**
 * What `observe` forwards is the client's bytes; its manifest tells what packing would have done. So is what nobody could read or pack (`unpacked`): its
 * manifest is of nothing, and `result.skipped` says what failed.
 */
export const receiptModes = ['on', 'observe', 'unpacked'] as const
export type ReceiptMode = (typeof receiptModes)[number]

/** What the host that a request came from was doing, by its own names. */
export interface HostStep {
  readonly taskId?: string | undefined
  readonly stepId?: string | undefined
  /** What all requests of the step may take together. */
  readonly limits?: StepLimits | undefined
}

export interface ReceiptHead {
  /** Unique for every request. */
  readonly requestId: string
  /** Hash of the bytes that were sent, or, of a compile alone, of the pack: the same for equal ones. */
  readonly packId: string
  readonly session: string
  readonly createdMs: number
  readonly dialect: Dialect | 'compile'
  readonly mode: ReceiptMode
  readonly model?: string
  readonly step?: HostStep
  /** The session that its own was handed over from, or that its client has named as the parent. */
  readonly parentSession?: string
  /** Why nothing was shortened; absent where something was, and in receipts that older versions wrote. */
  readonly why?: WhyWhole
}

/** What a request was made of beside what was compiled: with both, its bytes can be made again. */
export interface RecordedRequest {
  /** Where it went: in some dialects the path tells the model. */
  readonly path?: string
  /** The client's own body. */
  readonly body: string
  /** What was put back into it. */
  readonly overlay: readonly OverlayPart[]
  /** Items that the client did not send. */
  readonly collected?: readonly Item[]
  readonly breakpoints: readonly Breakpoint[]
  /** Our own tools that it offered. */
  readonly tools: readonly ToolDefinition[]
  /** What was made of media that it shows so, by item, as `data:` URLs. */
  readonly made?: Readonly<Record<string, string>>
}

/** The same as it is committed. */
export interface RequestToRecord extends Omit<RecordedRequest, 'body'> {
  /**
   * A string, or one in pieces, since most of a long one stands in the request before as well: `toString` and `JSON.stringify` give it, a structured
   * clone does not.
   */
  readonly body: TextSource
}

/** Where an item came from, as its provenance says. */
export interface ItemOrigin {
  readonly itemId: string
  readonly uri?: string
  /** ISO-8601. */
  readonly retrievedAt?: string
}

/** The receipt of one request: enough to compile it and to make its bytes again, unless content is not recorded. */
export interface Receipt extends ReceiptHead {
  /** Of the items that name a place or a time; absent where none does. */
  readonly origins?: readonly ItemOrigin[]
  readonly manifest: Manifest
  readonly input?: CompileInput
  readonly request?: RecordedRequest
  readonly result?: ReceiptResult
}

/** Which of the long parts of a receipt are to be read; those that are not come as if they were not recorded. */
export interface WantedContent {
  readonly input?: boolean
  readonly request?: boolean
}

/** A receipt as it stands in a list. */
export interface ReceiptSummary extends ReceiptHead {
  /** Grows with every receipt; pass the last one as `before` to read on. */
  readonly sequence: number
  /** Which of the conversations under its session's name; empty where it says nothing. */
  readonly lane: string
  readonly policyId: string
  readonly outcome: Outcome['kind']
  readonly epoch?: number
  /** Why that epoch began or was held; absent in receipts from before it was kept in lists. */
  readonly epochRecord?: EpochRecord
  /** Tokens that each section took, those that took none left out; absent in receipts from before it was kept in lists. */
  readonly sectionTokens?: Readonly<Record<string, number>>
  readonly originalTokens: number
  readonly packTokens: number
  readonly result?: ReceiptResult
}

export interface ReceiptQuery {
  readonly limit: number
  /** Older than the one with this sequence number. */
  readonly before?: number
  /** Newer than the one with this number, and the oldest of them first. */
  readonly after?: number
  readonly session?: string
  /** Of that session, only those of this lane. */
  readonly lane?: string
  /** Only the one of this request. */
  readonly requestId?: string
  /** Only what came at this time or later, and only what came before that one, in milliseconds since the epoch. */
  readonly sinceMs?: number
  readonly untilMs?: number
  /** As the client has named it. */
  readonly model?: string
  readonly policy?: string
  /** Only those that nobody has answered, or not to the end. */
  readonly failed?: true
}

/** What the exchanges of a session came to: the sum of its receipts, those too that were pruned since. */
export interface SessionCost extends Dollars {
  /** Exchanges that the provider has answered. */
  readonly requests: number
  /** Those of them that the dollars hold; of the others usage or prices are not known. */
  readonly priced: number
  readonly inputTokens: number
  readonly passThroughTokens: number
}

/** A session as it stands in a list, with all its lanes. */
export interface SessionSummary {
  readonly session: string
  readonly usedMs: number
  readonly cost: SessionCost
}

export interface SessionQuery {
  readonly limit: number
  readonly session?: string
  /** Those that stand behind this one, as a list has told it: what is used meanwhile moves to the front. */
  readonly after?: Pick<SessionSummary, 'session' | 'usedMs'>
}

/** What begins with a text, or, of sessions, has it in its name. */
export interface FoundNames {
  /** Those last used first. */
  readonly sessions: readonly Pick<SessionSummary, 'session' | 'usedMs'>[]
  /** By their request's id or by their pack's. */
  readonly receipts: readonly Pick<ReceiptHead, 'requestId' | 'packId' | 'session' | 'createdMs'>[]
  readonly handles: readonly { readonly handle: string; readonly session: string }[]
}

/** A receipt as it is committed. */
interface ReceiptToRecord extends Omit<Receipt, 'session' | 'createdMs' | 'request'> {
  readonly request?: RequestToRecord
}

/** Everything one step of a request writes: all of it or nothing. Absent members change nothing. */
export interface Commit {
  readonly scope: Scope
  readonly nowMs: number
  /**
   * The version of the session that this was decided upon, 0 where there was none: where it has another by now, the commit
   * fails with `conflict`.
   */
  readonly expectVersion?: number
  /** `null` takes the ledger away. */
  readonly ledger?: Ledger | null
  readonly offeredTools?: readonly string[]
  /** All of it; of the lane that holds the record of a session, the record. */
  readonly overlay?: readonly (OverlayPart | SessionRecordPart)[]
  /** A handle that stands for another text of the session fails the commit. */
  readonly originals?: readonly Original[]
  readonly receipt?: ReceiptToRecord
  /** The first of a request stands; its cost is added to its session's. */
  readonly result?: { readonly requestId: string; readonly result: ReceiptResult }
  /** What is to be counted beside the results of receipts. */
  readonly tally?: Tally
  /** What it adds to its tenant's account; together with a result, only where that is the first of its receipt. */
  readonly tenantAccount?: TenantAccountChange
}

/** How long things are kept. A session takes its receipts, originals and overlay with it. */
export interface Retention {
  readonly sessionIdleMs: number
  readonly receiptAgeMs: number
  readonly maxReceipts: number
  /** Of what less is kept, by tenant. */
  readonly tenants?: Readonly<Record<string, Pick<Retention, 'sessionIdleMs' | 'receiptAgeMs'>>>
}

export interface Pruned {
  readonly sessions: number
  readonly receipts: number
}

/**
 * What befalls a store as a whole: another process holds its lock for longer than is waited for (`busy`), or the thread that it
 * works on has died and is started again (`died`).
 */
export const storeTroubles = ['busy', 'died'] as const
export type StoreTrouble = (typeof storeTroubles)[number]
export type OnTrouble = (told: (trouble: StoreTrouble) => void) => () => void

/**
 * Keeps what must outlive a request. Every driver passes one contract suite, `storeContract` of `prehend/testing`. Failures
 * reject with `store-failed`; a driver never leaves a commit half-written.
 */
export interface Store {
  /** Resolves when what is in the commit survives the death of the process. Commits of one session keep their order. */
  commit(commit: Commit): Promise<void>
  session(scope: Scope): Promise<SessionState | undefined>
  /** The lanes under a session's name, those last written to first; all of them, or those whose names begin so. */
  lanes(tenant: string, session: string, beginning?: string): Promise<readonly string[]>
  /** In all lanes of the session; without one, in any of the tenant's, for people who have nothing but a handle. */
  original(scope: HandleScope, handle: string): Promise<Original | undefined>
  /** All that the handles of a session stand for, in all of its lanes, each text once; in no certain order. */
  originals(scope: Scope): Promise<readonly Original[]>
  /** Those last written to first. */
  sessions(tenant: string, query: SessionQuery): Promise<readonly SessionSummary[]>
  /** By request id, or the newest with that pack id; of its content what is wanted, all of it by default. */
  receipt(tenant: string, id: string, wanted?: WantedContent): Promise<Receipt | undefined>
  /**
   * What a session's receipts come to, the oldest first, page by page. A driver that cannot add them up where they lie gives
   * `accountOf` its receipts.
   */
  account(tenant: string, query: AccountQuery): Promise<SessionAccount>
  /** What the sessions of a tenant came to, those included that were pruned since: a row for each model, by name. */
  tenantAccount(tenant: string): Promise<readonly TenantAccountRow[]>
  /** Newest first. */
  receipts(tenant: string, query: ReceiptQuery): Promise<readonly ReceiptSummary[]>
  /**
   * What requests have come to, by hours: the first result of each receipt is counted in the hour in which its request came, and stays counted
   * when the receipt is gone; and tallies, in the hour of their commit.
   */
  statistics(tenant: string, query: StatisticsQuery): Promise<readonly StatisticsRow[]>
  /** Sessions, receipts and handles by their names, so many of each. */
  find(tenant: string, text: string, limit: number): Promise<FoundNames>
  /** A small value of the installation itself, such as a secret or a calibration. */
  value(key: string): Promise<string | undefined>
  setValue(key: string, value: string): Promise<void>
  /** Sets the value only when there is none; gives the one that stands. */
  claimValue(key: string, value: string): Promise<string>
  prune(nowMs: number, retention: Retention): Promise<Pruned>
  /** Rejects when the store cannot be written to. */
  ping(): Promise<void>
  /** Writes what is still waiting, then lets go of everything. */
  close(): Promise<void>
  /** Has somebody told of troubles, until the returned function is called; absent where a store has none of its own. */
  readonly onTrouble?: OnTrouble
}

const day = 24 * 60 * 60 * 1000

export const defaultRetention: Retention = { sessionIdleMs: 30 * day, receiptAgeMs: 7 * day, maxReceipts: 100_000 }

/** What a list shows of a receipt. */
export function summarize(
  receipt: Receipt,
  { sequence, lane }: Pick<ReceiptSummary, 'sequence' | 'lane'>,
): ReceiptSummary {
  const { manifest, input: _input, request: _request, origins: _origins, result, ...head } = receipt
  return { ...head, sequence, lane, ...listed(manifest), ...(result && { result: withoutMessages(result) }) }
}

/** Of a receipt, no more of its content than is wanted. */
export function withWanted(receipt: Receipt | undefined, wanted: WantedContent = {}): Receipt | undefined {
  if (receipt === undefined || (wanted.input !== false && wanted.request !== false)) return receipt
  const { input, request, ...rest } = receipt
  return {
    ...rest,
    ...(input && wanted.input !== false && { input }),
    ...(request && wanted.request !== false && { request }),
  }
}

/** What a list shows of a manifest. */
export function listed({
  policyId,
  outcome,
  epoch,
  originalTokens,
  packTokens,
  sections,
}: Manifest): Omit<ReceiptSummary, keyof ReceiptHead | 'sequence' | 'lane' | 'result'> {
  const used = sections.filter(({ usedTokens }) => usedTokens > 0)
  return {
    policyId,
    outcome,
    ...(epoch && { epoch: epoch.epoch, epochRecord: epoch }),
    sectionTokens: Object.fromEntries(used.map(({ section, usedTokens }) => [section, usedTokens])),
    originalTokens,
    packTokens,
  }
}

/** What a session that never was written to is like. */
export const noState: SessionState = { version: 0, offeredTools: [], overlay: [] }

/** A session that has moved on since the commit was decided upon. */
export function movedOn({ session }: Scope): PrehendError<'conflict'> {
  const what = `session ${session}`
  const remedy = 'Read it again and decide again.'
  return new PrehendError('conflict', `Somebody else has changed ${what} meanwhile. ${remedy}`, { what, remedy })
}

/** Whether a commit only adds to a receipt how its exchange ended, or is only counted: the session stays as it is, and no reply waits for it. */
export function isResultOnly(commit: Commit): boolean {
  const { result, tally, tenantAccount } = commit
  if (result === undefined && tally === undefined && tenantAccount === undefined) return false
  for (const member of Object.keys(commit) as (keyof Commit)[])
    if (!ofResults.has(member) && commit[member] !== undefined) return false
  return true
}

const ofResults: ReadonlySet<string> = new Set<keyof Commit>(['scope', 'nowMs', 'result', 'tally', 'tenantAccount'])
