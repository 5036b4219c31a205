import type { WireExchange, GivenSummary, MissedLimit, Policy } from '../core/index.ts'
import type { HostStep, Scope, Store } from '../stores/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import type { HostedTools } from './catalogue/hosted-tools.ts'
import type { CompileFor } from './compilers.ts'
import type { Meanings } from './meanings/meanings.ts'
import type { MediaShop } from './media/media-shop.ts'
import type { PrefixLifetimes } from './prefix-lifetimes.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

export interface SessionLimits {
  /** Sessions kept in memory between requests. */
  readonly liveSessions: number
  /** What is kept of requests in memory between them, in bytes, as far as that can be told. */
  readonly liveBytes: number
  /** How long a step may take before the request goes on without it. */
  readonly stageMs: number
  /** Replies of one request that may call hidden tools. */
  readonly hiddenRounds: number
  /** Most that one answer of a hidden tool brings, in characters. */
  readonly answerChars: number
  /** How long one call of a hidden tool may take. */
  readonly toolMs: number
}

/** The step that has not kept its limits since a request, and which. */
export interface MissedBy {
  readonly scope: Scope
  readonly requestId: string
  readonly step: HostStep | undefined
  readonly missed: readonly MissedLimit[]
}

/** Told of what a host may want to log and count. */
export interface SessionWatch {
  /** The compile of a request begins: nothing else happens on its thread until it is done. */
  compiles?(requestId: string): void
  /** A step that failed; the request went on without it. */
  failed(stage: string, error: unknown, requestId: string): void
  /** A compile that took longer than a step should. */
  slow(stage: string, tookMs: number, requestId: string): void
  /** A step has taken more than it may; once for each limit. */
  missed(overrun: MissedBy): void
  /** A call of a hidden tool that was answered. */
  answered(result: 'found' | 'unknown' | 'failed'): void
}

/** What may be another for each tenant. */
export interface TenantParts {
  readonly limits: Pick<SessionLimits, 'hiddenRounds' | 'answerChars' | 'toolMs'>
  /** Whether receipts keep what is needed to make their request again. */
  readonly recordsContent: boolean
  readonly compile: CompileFor
  readonly modelInfo: (model: string) => ModelInfo
  /** The largest count of ours that fits a window as its provider counts. */
  readonly fittingTokens: (model: string, windowTokens: number) => number
}

/** What sessions run on. */
export interface SessionParts extends TenantParts {
  /** What a tenant has otherwise; undefined where that is nothing. */
  readonly tenant?: (tenant: string) => Partial<TenantParts> | undefined
  readonly store: Store
  /** In the order in which they stand among a request's tools. */
  readonly tools: readonly HiddenTool[]
  /** Tools of the host that models may find; none where absent. */
  readonly hostedTools?: HostedTools | undefined
  /** Vectors of tools and queries; tools are found by words alone where absent. */
  readonly meanings?: Meanings | undefined
  readonly limits: SessionLimits
  readonly watch: SessionWatch
  readonly lifetimes: PrefixLifetimes
  /** What is known of a conversation's summaries; asked for every request, so it must not take long. Nothing where absent. */
  readonly summaries?: (tenant: string, exchange: WireExchange, policy: Policy) => readonly GivenSummary[]
  /** Makes what packs show of media; they show them whole where it is absent. */
  readonly media?: MediaShop | undefined
  /** Mixed into a tenant's handles. */
  readonly handleKey: (tenant: string) => string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Milliseconds since some moment; never goes back. */
  readonly stopwatch: () => number
}

/** What holds for a tenant. */
export function partsFor(parts: SessionParts, tenant: string): TenantParts {
  const own = parts.tenant?.(tenant)
  return own === undefined ? parts : { ...parts, ...own }
}
