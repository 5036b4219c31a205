import type { Store, ToolUseChange, ToolUseRow } from '../../stores/index.ts'
import { nothingLearnt } from '../../tools/index.ts'
import type { LearntTool, LearntTools } from '../../tools/index.ts'
import { timely } from '../within-deadline.ts'

/** What is learnt of the tools of the tenants in use, as far as this thread knows it. The store has it. */
export interface TenantTools {
  /** Nothing where the store could not be read. */
  learnt(tenant: string): LearntTools
  /** Asks the store, in the background where something is known. Gives a promise where it has to be waited for; that never rejects. */
  load(tenant: string): Promise<void> | undefined
  /** Adds what was committed. */
  add(tenant: string, changes: readonly ToolUseChange[]): void
  forget(tenant: string): void
}

export interface TenantToolsOptions {
  readonly store: Pick<Store, 'read'>
  readonly stopwatch: () => number
  readonly stageMs: number
}

interface Known {
  readonly learnt: LearntTools
  /** When the store was asked. */
  readonly atMs: number
}

/** Other threads and gateways serve the same tenants. Past queries change as often, and with them the index of a catalogue. */
const freshMs = 60_000
const mostTenants = 100

export function tenantTools({ store, stopwatch, stageMs }: TenantToolsOptions): TenantTools {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<void>>()

  const ask = async (tenant: string): Promise<void> => {
    const atMs = stopwatch()
    const asked = await timely(store.read('tool-uses').all(tenant), stageMs)
    const isWanted = loading.delete(tenant)
    if (!isWanted) return
    const before = known.get(tenant)?.learnt ?? nothingLearnt
    const learnt = asked.kind === 'done' ? learntOf(asked.value, before) : before
    known.delete(tenant)
    known.set(tenant, { learnt, atMs })
    const [oldest] = known.keys()
    if (known.size > mostTenants && oldest !== undefined) known.delete(oldest)
  }

  return {
    learnt: (tenant) => known.get(tenant)?.learnt ?? nothingLearnt,
    load(tenant) {
      const before = known.get(tenant)
      if (before !== undefined && stopwatch() - before.atMs < freshMs) return undefined
      const under = loading.get(tenant)
      if (under === undefined)
        loading.set(
          tenant,
          Promise.resolve().then(() => ask(tenant)),
        )
      return before === undefined ? loading.get(tenant) : undefined
    },
    add(tenant, changes) {
      const before = known.get(tenant)
      if (before === undefined) return
      const uses = new Map(before.learnt.uses)
      for (const change of changes) uses.set(change.name, added(uses.get(change.name), change))
      known.set(tenant, { ...before, learnt: { ...before.learnt, uses } })
    },
    forget(tenant) {
      known.delete(tenant)
      loading.delete(tenant)
    },
  }
}

function learntOf(rows: readonly ToolUseRow[], { past: before }: LearntTools): LearntTools {
  const past = new Map(rows.flatMap(({ name, queries }) => (queries.length === 0 ? [] : [[name, queries]])))
  const isSame = JSON.stringify([...past]) === JSON.stringify([...before])
  return { uses: new Map(rows.map((row) => [row.name, row])), past: isSame ? before : past }
}

function added(use: LearntTool | undefined, { queries, ...change }: ToolUseChange): LearntTool {
  return {
    offered: (use?.offered ?? 0) + change.offered,
    called: (use?.called ?? 0) + change.called,
    failed: (use?.failed ?? 0) + change.failed,
    sessions: (use?.sessions ?? 0) + change.sessions,
    calledIn: (use?.calledIn ?? 0) + change.calledIn,
    queries: queries ?? use?.queries ?? [],
  }
}
