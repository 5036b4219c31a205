import { composePolicy, governor as governorPolicy } from '../compiler/index.ts'
import type { AssemblyReason } from '../compiler/index.ts'
import { PrehendError } from '../core/index.ts'
import type {
  BudgetRequest,
  CompileInput,
  CompileResult,
  Item,
  Policy,
  Section,
  Situation,
  StepFrame,
} from '../core/index.ts'
import { workspaceDelta } from './workspace-delta.ts'
import type { WorkspaceDelta } from './workspace-delta.ts'
import { workspaceOf } from './workspace.ts'
import type { Workspace } from './workspace.ts'

/** How far a host looks for candidates; each figure is the host's to honour. */
export interface RetrievalLimits {
  readonly maxEpisodes?: number
  /** From 0 to 1. */
  readonly minSimilarity?: number
  /** From 0 to 1. */
  readonly minConfidence?: number
  /** Of chains of causes. */
  readonly maxDepth?: number
}

/** Limits of a retrieval that says nothing else. */
const usualRetrieval = {
  maxEpisodes: 10,
  minSimilarity: 0.3,
  minConfidence: 0.4,
  maxDepth: 3,
} as const satisfies RetrievalLimits

/** What candidates are wanted for. */
export interface CandidateQuery extends RetrievalLimits {
  readonly situation: Situation
  readonly request: string
  /** Sections that the policy in force shuts out: nothing need be looked for there. */
  readonly shut: readonly Section[]
}

/** Options of `openGovernor`. */
export interface GovernorOptions {
  /** Selects and shows: `compile` of `prehend`, or that of a compiler of one's own. */
  readonly compile: (input: CompileInput) => CompileResult
  /** The host's retrieval; the governor itself looks for nothing. */
  readonly candidates: (query: CandidateQuery) => Promise<readonly Item[]>
  /** As it stands now, with what has been learnt; the shipped `governor` by default. */
  readonly policy?: () => Policy
  /** What is absent is 10 episodes, a similarity of 0.3, a confidence of 0.4 and a depth of 3. */
  readonly retrieval?: RetrievalLimits
  /** Keeps what was assembled, before it is used. */
  readonly keep?: (assembled: AssembledCall) => Promise<void> | void
  /** Told after each turn; what is learnt of it is the host's. */
  readonly learn?: (record: TurnRecord) => void
}

/** One invocation of a model, with all of the turns that it takes. */
export interface Invocation {
  /** The same tick is the same invocation. */
  readonly tick: number
  readonly frame: StepFrame
  readonly budget: BudgetRequest
  readonly situation?: Situation
  readonly model?: string
}

/** The workspace that was assembled for a call of the agent. */
export interface AssembledCall {
  readonly tick: number
  readonly workspace: Workspace
  /** Since the workspace before; absent for the first. */
  readonly delta?: WorkspaceDelta
  readonly result: CompileResult
}

/** What a turn came to, and what the model was shown for it. */
export interface TurnRecord {
  readonly tick: number
  readonly outcome: 'good' | 'bad' | 'unknown'
  readonly workspace: Workspace
  readonly reasons: readonly AssemblyReason[]
}

/** Rebuilds the workspace of an agent for each of its calls. */
export interface Governor {
  /** The workspace of an invocation, assembled once: asked again for the same tick, it is the same. */
  beforeCall(invocation: Invocation): Promise<AssembledCall>
  /** Files what a turn came to. Throws `not-found` for a tick that has not been assembled, or is no longer the last. */
  afterTurn(turn: Pick<TurnRecord, 'tick' | 'outcome'>): TurnRecord
}

/**
 * Rebuilds an agent's context for each invocation: policy, overrides, affect, candidates of the host, budgets, selection, storage, in this
 * order. It keeps no conversation and retrieves nothing.
 */
export function openGovernor(options: GovernorOptions): Governor {
  let last: { readonly tick: number; readonly assembled: Promise<AssembledCall> } | undefined
  let settled: AssembledCall | undefined
  let turns: Promise<unknown> = Promise.resolve()
  return {
    beforeCall(invocation) {
      if (last?.tick === invocation.tick) return last.assembled
      const assembled = turns.then(async () => {
        settled = await assemble(options, invocation, settled?.workspace)
        return settled
      })
      last = { tick: invocation.tick, assembled }
      // What has failed is tried again when it is asked for again.
      turns = assembled.catch(() => (last = last?.assembled === assembled ? undefined : last))
      return assembled
    },
    afterTurn({ tick, outcome }) {
      if (settled?.tick !== tick) throw notAssembled(tick)
      const { workspace } = settled
      const record = { tick, outcome, workspace, reasons: workspace.reasons }
      options.learn?.(record)
      return record
    },
  }
}

async function assemble(
  options: GovernorOptions,
  { tick, frame, budget, situation = {}, model }: Invocation,
  before: Workspace | undefined,
): Promise<AssembledCall> {
  const policy = options.policy?.() ?? governorPolicy
  const inForce = composePolicy(policy, situation).policy
  const { request } = frame
  const items = await options.candidates({
    ...usualRetrieval,
    ...options.retrieval,
    situation,
    request,
    shut: shutBy(inForce),
  })
  const result = options.compile({
    items,
    policy,
    situation,
    budget,
    frame,
    layout: 'payload',
    ...(model === undefined ? {} : { model }),
  })
  const workspace = workspaceOf(result)
  const assembled = { tick, workspace, ...(before && { delta: workspaceDelta(before, workspace) }), result }
  await options.keep?.(assembled)
  return assembled
}

function shutBy({ fractions = {} }: Policy): readonly Section[] {
  return Object.keys(fractions).filter((section) => fractions[section] === 0)
}

function notAssembled(tick: number): PrehendError<'not-found'> {
  const what = `workspace of tick ${tick}`
  const remedy = 'Call beforeCall with this tick first, and afterTurn before the next one'
  return new PrehendError('not-found', `There is no ${what}. ${remedy}.`, { what, remedy })
}
