import { PassingMap } from '../../host/index.ts'
import type { Hot } from '../../stores/index.ts'
import { runWithin } from './run-within.ts'
import type { Job, JobKind, JobState, JobTally } from './job.ts'

/** The one scheduler of background work on a thread. */
export interface Jobs {
  /** Whether the job is held from now on: none of its name was, there is room, and nothing drains. */
  add(job: Job): boolean
  /** Drops a job that waits and aborts one that runs. */
  cancel(kind: JobKind, name: string): void
  /** Takes no further job, lets those of a kind that finishes run for as long as the grace, then aborts the rest. Never rejects. */
  drain(graceMs: number): Promise<void>
}

export interface JobsParts {
  readonly hot: Hot
  /** Who holds the leases; distinct among all processes. */
  readonly owner: string
  /** Jobs of all kinds that run at once. */
  readonly mostRunning: number
  readonly clock: () => number
  /** Waits by that clock; rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Waits for the grace of a drain. */
  readonly graceWait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly counts: JobTally
  /** Hears of failures that the job itself does not hear of. */
  readonly failed: (kind: string, error: unknown) => void
}

export function openJobs(parts: JobsParts): Jobs {
  return new Scheduler(parts)
}

const usualMostHeld = 10_000
const usualBackoffMs = 1000
/** What a job that was aborted at the end of a drain has to say so. */
const lastWordsMs = 50
const otherHasIt = Symbol('another process holds the lease')

interface Held {
  readonly job: Job
  readonly key: string
  readonly stop: AbortController
  state: 'waiting' | 'due' | 'running' | 'over'
  /** Runs that have failed since the last success. */
  failures: number
  /** The wait that counts: an earlier one may still end. */
  waits: number
}

/** What the jobs of a kind take up. */
interface Use {
  held: number
  running: number
  bytes: number
}

class Scheduler implements Jobs {
  readonly #parts: JobsParts
  readonly #held = new PassingMap<string, Held>()
  readonly #due = new PassingMap<string, Held>()
  readonly #uses = new Map<string, Use>()
  readonly #drained = Promise.withResolvers<void>()
  #running = 0
  #isDraining = false

  constructor(parts: JobsParts) {
    this.#parts = parts
  }

  add(job: Job): boolean {
    const { kind, name, bytes = 0, delayMs = 0 } = job
    const key = keyOf(kind, name)
    if (this.#held.get(key)) return false
    if (this.#isDraining || !this.#makesRoom(job)) {
      this.#count(kind, 'dropped', 1)
      job.ended?.()
      return false
    }
    const held: Held = { job, key, stop: new AbortController(), state: 'waiting', failures: 0, waits: 0 }
    this.#held.set(key, held)
    const use = this.#useOf(kind)
    use.held += 1
    use.bytes += bytes
    this.#count(kind, 'waiting', 1)
    if (kind.atDrain !== 'begin') this.#dueIn(held, delayMs)
    return true
  }

  cancel(kind: JobKind, name: string): void {
    const held = this.#held.get(keyOf(kind, name))
    if (held) this.#end(held, 'cancelled')
  }

  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true
    for (const held of this.#all()) {
      if (held.job.kind.atDrain === 'abort') this.#end(held, 'dropped')
      else this.#becomeDue(held)
    }
    await this.#drainedWithin(graceMs)
    for (const { stop } of this.#all()) stop.abort(new Error(`not done within ${graceMs} ms`))
    await this.#drainedWithin(lastWordsMs)
    for (const held of this.#all()) this.#end(held, 'dropped')
  }

  async #drainedWithin(ms: number): Promise<void> {
    if (this.#held.size === 0) return
    const timer = new AbortController()
    const grace = this.#parts.graceWait(ms, timer.signal).catch(() => undefined)
    await Promise.race([this.#drained.promise, grace])
    timer.abort()
  }

  #all(): readonly Held[] {
    return [...this.#held.keys()].flatMap((key) => this.#held.get(key) ?? [])
  }

  #useOf({ name }: JobKind): Use {
    const known = this.#uses.get(name) ?? { held: 0, running: 0, bytes: 0 }
    this.#uses.set(name, known)
    return known
  }

  #count(kind: JobKind, state: JobState, by: number): void {
    this.#parts.counts.inc({ kind: kind.name, state }, by)
  }

  /** Whether the job has room, after the waiting jobs have made some where its kind says so. */
  #makesRoom({ kind, bytes = 0 }: Job): boolean {
    const { mostHeld = usualMostHeld, mostBytes = Infinity, drops } = kind
    const use = this.#useOf(kind)
    const fits = (): boolean => use.held < mostHeld && use.bytes + bytes <= mostBytes
    if (fits() || drops !== 'oldest' || bytes > mostBytes) return fits()
    for (const held of this.#all()) {
      if (fits()) break
      if (held.job.kind.name === kind.name && held.state !== 'running') this.#end(held, 'dropped')
    }
    return fits()
  }

  #dueIn(held: Held, ms: number): void {
    held.waits += 1
    const own = held.waits
    if (ms <= 0) {
      this.#becomeDue(held)
      return
    }
    const isDue = (): void => {
      if (held.waits === own) this.#becomeDue(held)
    }
    void this.#parts.wait(ms, held.stop.signal).then(isDue, () => undefined)
  }

  #becomeDue(held: Held): void {
    if (held.state !== 'waiting') return
    held.state = 'due'
    this.#due.set(held.key, held)
    this.#startDue()
  }

  #startDue(): void {
    while (this.#running < this.#parts.mostRunning) {
      const next = this.#next()
      if (!next) return
      void this.#run(next)
    }
  }

  /** The first due job of the highest priority whose kind has room for another run. */
  #next(): Held | undefined {
    let best: Held | undefined
    for (const key of this.#due.keys()) {
      const held = this.#due.get(key)
      if (!held || this.#useOf(held.job.kind).running >= (held.job.kind.mostRunning ?? Infinity)) continue
      if (!best || (held.job.kind.priority ?? 0) > (best.job.kind.priority ?? 0)) best = held
    }
    return best
  }

  async #run(held: Held): Promise<void> {
    const { kind } = held.job
    this.#due.delete(held.key)
    held.state = 'running'
    this.#running += 1
    this.#useOf(kind).running += 1
    this.#count(kind, 'waiting', -1)
    this.#count(kind, 'running', 1)
    const startedMs = this.#parts.clock()
    try {
      const outcome = await this.#attempt(held)
      if (isOver(held)) return
      held.failures = 0
      this.#after(held, {
        startedMs,
        result: outcome === otherHasIt ? 'elsewhere' : 'done',
        isLast: outcome === 'last',
      })
    } catch (error) {
      if (!isOver(held)) this.#failed(held, error, startedMs)
    }
  }

  /** One run under its lease and within its deadline. */
  async #attempt(held: Held): Promise<unknown> {
    const { job, key, stop } = held
    const { hot, owner, wait } = this.#parts
    const { leaseMs, deadlineMs = Infinity } = job.kind
    if (leaseMs !== undefined && !(await hot.lease(leaseOf(key), owner, leaseMs))) return otherHasIt
    if (stop.signal.aborted) {
      this.#release(held)
      return otherHasIt
    }
    const mostMs = Math.min(deadlineMs, leaseMs ?? Infinity)
    return mostMs === Infinity ? job.run(stop.signal) : runWithin(mostMs, { job, wait, stop: stop.signal })
  }

  #failed(held: Held, error: unknown, startedMs: number): void {
    const { job, failures, stop } = held
    const { retries = 0, backoffMs = usualBackoffMs } = job.kind
    if (failures < retries && !stop.signal.aborted) {
      held.failures += 1
      this.#rest(held, backoffMs * 2 ** failures)
      return
    }
    held.failures = 0
    const said = job.failed ? job.failed(error) : this.#parts.failed(job.kind.name, error)
    this.#after(held, { startedMs, result: 'failed', isLast: said === 'last' })
  }

  /** Ends a job, or has it wait for its next run. */
  #after(held: Held, { startedMs, result, isLast }: Ran): void {
    const { kind, everyMs } = held.job
    if (everyMs === undefined || isLast || this.#isDraining) {
      this.#end(held, result)
      return
    }
    this.#count(kind, result, 1)
    if (result === 'failed') this.#release(held)
    this.#rest(held, startedMs + everyMs - this.#parts.clock())
  }

  #rest(held: Held, ms: number): void {
    this.#leave(held)
    held.state = 'waiting'
    this.#count(held.job.kind, 'waiting', 1)
    this.#dueIn(held, ms)
    this.#startDue()
  }

  #end(held: Held, result: JobState): void {
    const { job, key, stop } = held
    const { kind, bytes = 0 } = job
    this.#held.delete(key)
    this.#due.delete(key)
    this.#leave(held)
    held.state = 'over'
    const use = this.#useOf(kind)
    use.held -= 1
    use.bytes -= bytes
    this.#count(kind, result, 1)
    if (result !== 'done') this.#release(held)
    stop.abort(new Error('the job is over'))
    job.ended?.()
    if (this.#held.size === 0 && this.#isDraining) this.#drained.resolve()
    this.#startDue()
  }

  /** Counts the job no longer where it is, and frees its place among those that run. */
  #leave({ state, job: { kind } }: Held): void {
    this.#count(kind, state === 'running' ? 'running' : 'waiting', -1)
    if (state !== 'running') return
    this.#running -= 1
    this.#useOf(kind).running -= 1
  }

  #release({ job, key }: Held): void {
    const { hot, owner } = this.#parts
    if (job.kind.leaseMs !== undefined) void hot.release(leaseOf(key), owner).catch(() => undefined)
  }
}

interface Ran {
  readonly startedMs: number
  readonly result: 'done' | 'failed' | 'elsewhere'
  readonly isLast: boolean
}

function isOver({ state }: Held): boolean {
  return state === 'over'
}

function keyOf({ name }: JobKind, job: string): string {
  return `${name} ${job}`
}

function leaseOf(key: string): string {
  return `job ${key}`
}
