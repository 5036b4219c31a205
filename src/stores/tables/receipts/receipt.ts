import type {
  Breakpoint,
  CompileInput,
  Dialect,
  EpochRecord,
  Item,
  Manifest,
  Outcome,
  OverlayPart,
  StepLimits,
  TextSource,
  ToolDefinition,
  WhyWhole,
} from '../../../core/index.ts'
import { withoutMessages } from './receipt-result.ts'
import type { ReceiptResult } from './receipt-result.ts'

/**
 * What `observe` forwards is the client's bytes; its manifest tells what packing would have done. So is what nobody could read or pack (`unpacked`): its
 * manifest is of nothing, and `result.skipped` says what failed. Of what a layer answered or refused before it was packed (`answered`) nothing was sent:
 * its manifest is of nothing, its pack id is the hash of the client's bytes, and `result.layers` says which layer it was.
 */
export const receiptModes = ['on', 'observe', 'unpacked', 'answered'] as const
export type ReceiptMode = (typeof receiptModes)[number]

/** What the host that a request came from was doing, by its own names. */
export interface HostStep {
  readonly taskId?: string | undefined
  readonly stepId?: string | undefined
  /** What all requests of the step may take together. */
  readonly limits?: StepLimits | undefined
  /** What calls of tools that the gateway runs may use; all that its tenant may where absent. */
  readonly tools?: StepTools | undefined
}

/** What a step allows of the tools that a host runs. It narrows what the tenant may do. */
export interface StepTools {
  /** Scopes that calls may use. All where absent. */
  readonly scopes?: readonly string[]
  /** Tools by id or name, `*` for any characters. All where absent. */
  readonly only?: readonly string[]
}

/** Tools that a request left to be found. */
export interface LeftTools {
  /** Tools that the client sent, and of them those that were left to be found. */
  readonly tools: number
  readonly left: number
  /** What the definitions of these would take, in tokens. */
  readonly leftTokens: number
  /** Whether the provider keeps them aside; else they stand in no body. */
  readonly isDeferred: boolean
  /** Tools of the gateway's registry that could be found beside them; absent where there were none. */
  readonly ofRegistry?: number
}

/** Tools of a client that its request defines, and those of them that the conversation has not called so far. */
export interface WastedTools {
  readonly defined: number
  /** What their definitions take as they are shown, in tokens. */
  readonly definedTokens: number
  readonly wasted: number
  readonly wastedTokens: number
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
  /** The program that asked, as its user agent begins; absent where it names none. */
  readonly client?: string
  readonly step?: HostStep
  /** The session that its own was handed over from, or that its client has named as the parent. */
  readonly parentSession?: string
  /** Absent where all tools of the client were defined as it sent them. */
  readonly leftTools?: LeftTools
  /** Absent where the request defines no tool of the client, and in receipts that older versions wrote. */
  readonly wastedTools?: WastedTools
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
  /** Ids of its items that a person has pinned. */
  readonly pinned?: readonly string[]
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

/** A receipt as it is written. */
export interface ReceiptToRecord extends Omit<Receipt, 'session' | 'createdMs' | 'request'> {
  readonly request?: RequestToRecord
}

export interface ReceiptWrite {
  /** Its request has none yet. */
  readonly receipt: ReceiptToRecord
}

export interface ReceiptReads {
  /** By request id, or the newest with that pack id; of its content what is wanted, all of it by default. */
  get(tenant: string, id: string, wanted?: WantedContent): Receipt | undefined
  /** Newest first. */
  list(tenant: string, query: ReceiptQuery): readonly ReceiptSummary[]
}

export interface ReceiptTypes {
  readonly write: ReceiptWrite
  readonly reads: ReceiptReads
}

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
