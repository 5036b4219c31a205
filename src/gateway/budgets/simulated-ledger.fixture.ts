import { inProcessHot, memoryStore } from '../../stores/index.ts'
import type { Ledgers, SpendingSum, SpendingWrite, Store, Unit } from '../../stores/index.ts'
import type { BudgetScope } from './budgets-of.ts'
import { ledgerDesk } from './ledger-desk.ts'
import type { LedgerDesk } from './ledger-desk.ts'
import { entriesOf, sumsOf } from './limit-entries.ts'
import type { Amounts } from './limit-entries.ts'

export const tenant = 'acme'
export const scopes: readonly BudgetScope[] = [
  { kind: 'tenant', name: '', limits: { tokensPerDay: 100, tokensPerMonth: 400 } },
  { kind: 'key', name: 'ci', limits: { tokensPerMonth: 250 } },
]
export const times = { beatMs: 1000, ownerMs: 10_000, graceMs: 2000 }
const startMs = Date.parse('2026-11-27T23:59:00Z')

/** A reservation of a process, while its call is under way. */
interface Call {
  readonly id: string
  readonly bound: number
  readonly atMs: number
  isEnded?: true
}

interface Process {
  readonly name: string
  readonly desk: LedgerDesk
  readonly calls: Call[]
  isAlive: boolean
}

/** Processes, one ledger server and one store; every message between them is a step that `choose` puts in some order. */
export function simulatedLedger(choose: (most: number) => number) {
  let nowMs = startMs
  let skewMs = 0
  let isDown = false
  let isStoreDown = false
  let choices = 0
  let ids = 0
  let hot = inProcessHot({ clock: () => nowMs })
  const store = memoryStore()
  const steps: (() => void)[] = []
  const timers: { readonly atMs: number; readonly due: () => void }[] = []
  const processes: Process[] = []
  /** What every call came to, as the store was told last. */
  const recorded = new Map<string, SpendingWrite>()
  /** Reservations that the ledger has been told of since it was lost. */
  const told = new Set<string>()

  const hop = (): Promise<void> => new Promise((done) => void steps.push(done))
  /** A message to a server and its answer; either may be lost with the server, and an answer with who waits for it. */
  const exchanged = async <Answer>(from: () => boolean, work: () => Promise<Answer>): Promise<Answer> => {
    await hop()
    if (!from()) return new Promise(() => undefined)
    const answer = await work()
    await hop()
    return from() ? answer : new Promise(() => undefined)
  }
  const over = (from: () => boolean): Ledgers => {
    const ask = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
      exchanged(from, () => (isDown ? Promise.reject(new Error('no answer')) : work())).then((answer) => {
        if (isDown) throw new Error('no answer')
        return answer
      })
    return {
      reserve: (ledger, order) =>
        ask(() => {
          if (order.id !== undefined) told.add(order.id)
          return hot.reserve(ledger, order)
        }),
      settle: (...given) => ask(() => hot.settle(...given)),
      announce: (ledger, owner, open) =>
        ask(() => {
          for (const { id } of open) told.add(id)
          return hot.announce(ledger, owner, open)
        }),
      ledger: (...given) => ask(() => hot.ledger(...given)),
      confirm: (...given) => ask(() => hot.confirm(...given)),
      dropLedger: (...given) => ask(() => hot.dropLedger(...given)),
    }
  }
  const storeOver = (from: () => boolean): Pick<Store, 'commit' | 'read'> => ({
    async commit(unit) {
      await exchanged(from, async () => {
        if (isStoreDown) throw new Error('no store')
        await store.commit(unit)
        note(unit)
      })
    },
    read: (name) => {
      const { standing } = store.read('spending')
      const asked: typeof standing = (...given) =>
        exchanged(from, () => (isStoreDown ? Promise.reject(new Error('no store')) : standing(...given)))
      return { ...store.read(name), standing: asked }
    },
  })
  const note = ({ writes }: Unit): void => {
    for (const { table, ...write } of writes) {
      if (table !== 'spending') continue
      const counted = write as SpendingWrite
      const known = recorded.get(counted.id)
      if (known === undefined || (known.lapsed === true && counted.lapsed !== true)) recorded.set(counted.id, counted)
      for (const { calls } of processes) {
        const at = calls.findIndex(({ id }) => id === counted.id)
        if (at >= 0 && counted.lapsed !== true) calls.splice(at, 1)
      }
    }
  }

  const start = (): void => {
    const name = `p${processes.length}`
    const isAlive = (): boolean => process.isAlive
    const wait = (ms: number): Promise<void> =>
      new Promise((due) => void timers.push({ atMs: nowMs + ms, due: () => (isAlive() ? due() : undefined) }))
    const own = {
      ledgers: over(isAlive),
      store: storeOver(isAlive),
      owner: name,
      times,
      wait,
      clock: () => nowMs + skewMs,
    }
    const process: Process = { name, desk: ledgerDesk(own), calls: [], isAlive: true }
    processes.push(process)
  }
  const living = (): readonly Process[] => processes.filter((one) => one.isAlive)
  const step = async (): Promise<boolean> => {
    await new Promise((done) => setImmediate(done))
    if (steps.length === 0) return false
    if (steps.length > 1) choices += 1
    steps.splice(choose(steps.length), 1)[0]?.()
    await new Promise((done) => setImmediate(done))
    return true
  }

  return {
    start,
    living,
    step,
    choices: () => choices,
    begin(process: Process, bound: number): void {
      const id = `${process.name}-${(ids += 1)}`
      const atMs = nowMs + skewMs
      const entries = entriesOf(scopes, amountsOf(bound), atMs)
      void process.desk
        .reserve(tenant, { id, entries })
        .then(({ outcome }) => void (outcome === 'granted' && process.calls.push({ id, bound, atMs })))
        .catch(() => undefined)
    },
    /** Ends a call at a share of its bound; nothing is billed where that is 0. */
    end(process: Process, call: Call, share: number): void {
      if (call.isEnded) return
      call.isEnded = true
      const spent = amountsOf(Math.floor(call.bound * share))
      if (spent.tokens === 0) process.calls.splice(process.calls.indexOf(call), 1)
      const write = { id: call.id, spent: sumsOf(scopes, spent, call.atMs) }
      void process.desk.settle(tenant, {
        id: call.id,
        spent: spent.tokens === 0 ? [] : entriesOf(scopes, spent, call.atMs),
        ...(spent.tokens > 0 && { write }),
      })
    },
    /** What a lost ledger was not told of again dies with its process. */
    crash(process: Process): void {
      process.isAlive = false
      process.calls.splice(0, process.calls.length, ...process.calls.filter(({ id }) => told.has(id)))
    },
    /** With it goes what only the dead have reserved. */
    flush(): void {
      hot = inProcessHot({ clock: () => nowMs })
      told.clear()
      for (const { isAlive, calls } of processes) if (!isAlive) calls.length = 0
    },
    down: (value: boolean) => void (isDown = value),
    storeDown: (value: boolean) => void (isStoreDown = value),
    skew: (ms: number) => void (skewMs = ms),
    /** Lets all messages arrive, then time pass, and again; what is sent at the end of it is on its way. */
    async pass(ms: number): Promise<void> {
      for (const untilMs = nowMs + ms; nowMs < untilMs;) {
        for (let more = true; more;) more = await step()
        nowMs = Math.min(untilMs, nowMs + times.beatMs / 2)
        for (const timer of timers.splice(0)) {
          if (timer.atMs <= nowMs) timer.due()
          else timers.push(timer)
        }
      }
    },
    async drain(): Promise<void> {
      for (let more = true; more;) more = await step()
    },
    /** What counts against each limit: what the store holds, and calls that it does not hold, those included whose process has died. */
    async counted(): Promise<ReadonlyMap<string, number>> {
      const { sums } = await store.read('spending').standing(tenant, { since: '2026-01-01', ids: [] })
      const inTheStore = new Set([...recorded.values()].flatMap(({ id }) => id))
      const live = processes.flatMap(({ calls }) => calls).filter(({ id }) => !inTheStore.has(id))
      return added([...sums, ...live.flatMap(({ bound, atMs }) => sumsOf(scopes, amountsOf(bound), atMs))])
    },
    /** The ledger's own figures of today, for whoever asks now. */
    standing: (process: Process) =>
      process.desk.reserve(tenant, { entries: entriesOf(scopes, amountsOf(0), nowMs + skewMs) }),
    recorded,
    sums: async () => (await store.read('spending').standing(tenant, { since: '2026-01-01', ids: [] })).sums,
    nowMs: () => nowMs + skewMs,
  }
}

function amountsOf(tokens: number): Amounts {
  return { nanoUsd: 0, tokens, requests: 0 }
}

/** By scope, and by day or month. */
export function added(sums: readonly SpendingSum[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>()
  for (const { scope, day, unit, amount } of sums.filter(({ amount: some }) => some !== 0))
    for (const period of [day, day.slice(0, 7)]) {
      const key = `${scope} ${period} ${unit}`
      all.set(key, (all.get(key) ?? 0) + amount)
    }
  return all
}
