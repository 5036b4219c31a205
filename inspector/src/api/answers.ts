/** What the routes answer, as far as these pages use it. */

export interface List<T> {
  readonly data: readonly T[]
  /** Asks for what follows; absent at the end. */
  readonly next?: string | null
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
}

export interface Cost {
  readonly requests?: number
  readonly priced?: number
  readonly inputTokens: number
  readonly passThroughTokens: number
  readonly usd?: number
  readonly passThroughUsd?: number
}

export interface SessionRow {
  readonly session: string
  readonly usedMs: number
  readonly cost: Cost & { readonly requests: number }
}

export interface EpochRecord {
  readonly epoch: number
  readonly decision: 'hold' | 'begin'
  readonly cause: string
  readonly rewriteCost: number
  readonly savingPerTurn: number
  readonly expectedTurns: number
  readonly credit: number
}

export interface RequestResult {
  readonly status: number
  readonly failure?: string
  readonly rehydrations: number
  readonly overheadMs: number
  readonly upstreamMs?: number
  readonly firstByteMs?: number
  readonly layers?: readonly { readonly name: string; readonly ms: number }[]
  readonly skipped?: readonly string[]
  readonly usage?: Usage
  readonly cost?: Cost
  readonly rounds?: readonly unknown[]
  readonly cacheMiss?: { readonly cause: string; readonly tokens: number; readonly usd?: number }
}

export interface RequestRow {
  readonly requestId: string
  readonly packId: string
  readonly session: string
  readonly createdMs: number
  readonly dialect: string
  readonly mode: string
  readonly model: string
  readonly outcome: string
  readonly lane?: string
  readonly policyId?: string
  readonly epoch?: number
  readonly epochRecord?: EpochRecord
  readonly sectionTokens?: Readonly<Record<string, number>>
  readonly originalTokens: number
  readonly packTokens: number
  readonly sequence: number
  readonly result?: RequestResult
}

export interface Decision {
  readonly itemId: string
  readonly section: string
  readonly rung: string
  readonly reason: string
  readonly originalTokens: number
  readonly tokens: number
  readonly score?: number
  readonly handle?: string
}

export interface SectionRecord {
  readonly section: string
  readonly tier: number
  readonly min: number
  readonly max: number
  readonly allocatedTokens: number
  readonly usedTokens: number
  readonly demandTokens: number
  readonly included: number
  readonly excluded: number
  readonly fidelity?: number
}

export interface Manifest {
  readonly packHash: string
  readonly inputHash: string
  readonly policyId: string
  readonly policyVersion: string
  readonly policyRevision?: number
  readonly tokenizerId: string
  readonly model?: string
  readonly layout: string
  readonly outcome: string
  readonly windowTokens: number
  readonly reserveTokens: number
  readonly overheadTokens: number
  readonly originalTokens: number
  readonly packTokens: number
  readonly utilisation: number
  readonly shadowPrice?: number
  readonly sections: readonly SectionRecord[]
  readonly decisions: readonly Decision[]
  readonly stages?: readonly {
    readonly stage: string
    readonly items: number
    readonly tokens: number
    readonly ms?: number
  }[]
  readonly epoch?: EpochRecord
}

export interface PackRecord {
  readonly requestId: string
  readonly packId: string
  readonly session: string
  readonly createdMs: number
  readonly dialect: string
  readonly mode: string
  readonly model: string
  readonly manifest: Manifest
  readonly result?: RequestResult
  readonly input?: unknown
  readonly request?: { readonly path: string; readonly body: string }
}

export interface PolicyHead {
  readonly id: string
  readonly version: string
  readonly revision: number
  readonly about?: string
}

export interface PolicyValue {
  readonly path: string
  readonly value: unknown
  readonly from: string
}

export interface PolicyExplained {
  readonly id: string
  readonly version: string
  readonly revision: number
  readonly overrides: readonly string[]
  readonly values: readonly PolicyValue[]
}
