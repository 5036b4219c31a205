import type { SessionRecord } from '../core/index.ts'
import { recordIn, recordScope } from './compaction/session-record.ts'
import type { Branch } from './live-state.ts'
import { liveState } from './live-state.ts'
import type { ReceiptResult, Scope, SessionCost, Store } from '../stores/index.ts'
import { isBranchOf } from './branches.ts'
import type { SessionCosts } from './cost/session-costs.ts'
import { stepMeter } from './steps/step-meter.ts'
import type { StepMeter } from './steps/step-meter.ts'
import { turnTaking } from './turn-taking.ts'
import type { TurnTaking } from './turn-taking.ts'

/** Conversations that go under one session's name and begin alike: the place where their states are held. */
export interface Lane {
  readonly scope: Scope
  readonly turns: TurnTaking
  /** Those last used first; read from the store where it may know better. Rejects when the store cannot be read. */
  branches(): Promise<readonly Branch[]> | readonly Branch[]
  /** Replaces a branch, or adds it. */
  put(branch: Branch): void
  /** What is held may no longer be what the store has. */
  doubt(): void
  /** What is known of the session as a whole, as of when its branches were read. */
  record(): SessionRecord | undefined
  /** Takes over what it has become. */
  note(record: SessionRecord): void
  /** What the session has cost so far, in all its lanes, as far as it is known. */
  cost(): SessionCost | undefined
  /** Adds what was filed of it. */
  spent(result: ReceiptResult): void
  /** Of models that may stand in for one another, the one that has answered last; undefined where the first of them has. */
  answering: string | undefined
  /** What steps have taken that this process has seen. */
  readonly steps: StepMeter
  /** Those in memory. */
  held(): readonly Branch[]
}

/** Branches held of one lane; those used longest ago are left to the store. */
const mostBranches = 8

export interface LaneOptions {
  readonly store: Store
  readonly stageMs: number
  readonly costs: SessionCosts
}

export function openLane(scope: Scope, { store, stageMs, costs }: LaneOptions): Lane {
  let held: readonly Branch[] | undefined
  let record: SessionRecord | undefined

  /** No request depends on what it has cost. Says whether it is known to be new. */
  const loadCost = (): Promise<boolean> => costs.load(scope).catch(() => false)

  const load = async (): Promise<readonly Branch[]> => {
    const { tenant, session, lane = '' } = scope
    // Most that is not in memory is new: of a name that the store does not have nothing else need be asked.
    if (await loadCost()) {
      held = [{ scope, state: liveState() }]
      return held
    }
    const [first, lanes, ofSession] = await Promise.all([
      store.read('sessions').get(scope),
      store.read('sessions').lanes(tenant, session, lane),
      store.read('sessions').get(recordScope(scope)),
    ])
    record = recordIn(ofSession)
    const kept = lanes.filter((name) => isBranchOf(name, scope)).slice(0, mostBranches)
    const branches = await Promise.all(
      kept.map(async (name): Promise<Branch> => {
        const own = { ...scope, lane: name }
        return { scope: own, state: liveState(name === lane ? first : await store.read('sessions').get(own)) }
      }),
    )
    held = branches.length === 0 ? [{ scope, state: liveState(first) }] : branches
    return held
  }

  return {
    scope,
    // A turn may read and write once in its time, and be tried again.
    turns: turnTaking(4 * stageMs),
    branches() {
      if (!held) return load()
      void loadCost()
      return held
    },
    put(branch) {
      const others = (held ?? []).filter((other) => other.scope.lane !== branch.scope.lane)
      held = [branch, ...others].slice(0, mostBranches)
    },
    doubt() {
      held = undefined
      costs.forget(scope)
    },
    record: () => record,
    note: (now) => void (record = now),
    cost: () => costs.of(scope),
    spent: (result) => costs.add(scope, result),
    answering: undefined,
    steps: stepMeter(),
    held: () => held ?? [],
  }
}
