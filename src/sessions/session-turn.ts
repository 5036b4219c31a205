import type { CompileWatch, WireExchange, HandoffAdvice, Item, Policy, Principal, Situation } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import type { HostStep, ReceiptMode, Scope, SessionCost, WastedTools } from '../stores/index.ts'
import type { RequestContext } from './call-context.ts'
import type { BeforeKept } from './kept-replies.ts'
import type { AskedCompaction } from './compaction/compaction-order.ts'
import type { Compactions } from './compaction/compactions.ts'
import type { LiveState } from './live-state.ts'
import type { PackedTurn } from './pack-turn.ts'

/** Of a request that is packed. */
type PackingMode = Exclude<ReceiptMode, 'unpacked' | 'answered'>

export interface SessionRequest {
  readonly codec: Codec
  readonly received: WireExchange
  /** As the client has sent it, where it has been changed since; by it the session's next request is guessed. */
  readonly came?: WireExchange
  /** What sources have contributed to it. */
  readonly collected?: readonly Item[]
  /** What is known of the reply that it goes on from, where the provider keeps that. */
  readonly kept?: BeforeKept | undefined
  readonly requestId: string
  /** Who asks; the process itself by default. */
  readonly principal?: Principal
  readonly mode: PackingMode
  readonly policy: Policy
  /** What it is part of: selects the policy's overrides. */
  readonly situation?: Situation | undefined
  /** Whether the model may bring back what is left out; otherwise the tools that do so are not offered. */
  readonly rehydrates: boolean
  /** A branch that the provider has read once more since its last request, and when. */
  readonly warm?: { readonly lane: string | undefined; readonly readMs: number } | undefined
  /** What its host was doing; stands in its receipt. */
  readonly step?: HostStep
  /** The session that its client has named as the parent of this one. */
  readonly parent?: string | undefined
  /** When it is compacted, and how; the policy alone decides by default. */
  readonly compaction?: AskedCompaction | undefined
  /** Whether instructions in which a clock or an id changes are sent as they were first; they are by default. */
  readonly steady?: boolean
  /** Whether its provider is known to keep definitions of tools aside until the model has found them; asked where that matters. */
  readonly keepsAside?: () => boolean
  /** Told of the stages of its compile. */
  readonly watch?: CompileWatch | undefined
}

/** A request that is ready to be sent, and the session that it was packed for. */
export interface SessionTurn extends PackedTurn {
  readonly kind: 'packed'
  readonly requestId: string
  /** What extensions are told of it. */
  readonly asked: RequestContext
  readonly mode: PackingMode
  readonly codec: Codec
  /** What sources have contributed to it. */
  readonly collected: readonly Item[]
  readonly step?: HostStep
  readonly kept?: BeforeKept
  /** The branch that it continues. */
  readonly scope: Scope
  /** By which its receipt is found; says what bytes were sent. */
  readonly packId: string
  /** Whether the store has its receipt, so that it will be found. */
  readonly isFiled: boolean
  /** Hidden exchanges that could not be put back: all of them, and those that the request before still had. */
  readonly lost: { readonly all: number; readonly fresh: number }
  /** How often its conversation was compacted, this request included. */
  readonly compactions: Compactions
  /** Tools of its client that it defines, and that its conversation has not called; absent where it defines none. */
  readonly wasted?: WastedTools
  /** The session that its own was handed over from, or that its client has named. */
  readonly parentSession?: string
  /** Present where its session should be handed over to a new one. */
  readonly advice?: HandoffAdvice
  /** What its session has cost before it, in all its lanes; absent where that is not known. */
  readonly costBefore?: SessionCost
  /** The credit of its tenant's account that it was decided by; absent where it is only observed. */
  readonly knownCredit?: number
  /** The branch before it and after it. */
  readonly before: LiveState
  readonly after: LiveState
}

/** A request that goes on as it came, because a step of its packing failed. */
export interface UnpackedTurn {
  readonly kind: 'unpacked'
  readonly stage: string
  readonly error: unknown
}
