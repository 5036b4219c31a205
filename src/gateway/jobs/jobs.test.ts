import { describe, expect, it } from 'vitest'
import { manualClock } from '../../providers/index.ts'
import { inProcessHot } from '../../stores/index.ts'
import { gatewayMetrics } from '../telemetry/metrics.ts'
import type { Job, JobKind } from './job.ts'
import { openJobs } from './jobs.ts'
import type { JobsParts } from './jobs.ts'

const clockParts = (clock = manualClock(1_000_000)) => ({
  clock,
  hot: inProcessHot({ clock: () => clock.now() }),
})

/** A scheduler by a clock that stands still, with what has happened, in order. */
function underTest(given: Partial<JobsParts> & { readonly time?: ReturnType<typeof clockParts> } = {}) {
  const { time = clockParts(), ...more } = given
  const { clock, hot } = time
  const metrics = gatewayMetrics()
  const log: string[] = []
  const jobs = openJobs({
    hot,
    owner: 'one',
    mostRunning: 8,
    clock: () => clock.now(),
    wait: (ms, signal) => clock.wait(ms, signal),
    graceWait: (ms, signal) => clock.wait(ms, signal),
    counts: metrics.jobs,
    failed: (kind, error) => void log.push(`${kind} failed: ${(error as Error).message}`),
    ...more,
  })
  const atMs = (): number => clock.now() - 1_000_000
  /** Notes when it starts, and takes so long. */
  const job = (kind: JobKind, name: string, tookMs = 0): Job => ({
    kind,
    name,
    async run(signal) {
      log.push(`${name} starts at ${atMs()}`)
      if (tookMs > 0) await clock.wait(tookMs, signal)
    },
    ended: () => void log.push(`${name} ends at ${atMs()}`),
  })
  const figures = (kind: string) => {
    const { kind: _, ...counts } = metrics.jobFigures().find((each) => each.kind === kind)!
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
  }
  return { jobs, job, log, clock, metrics, figures }
}

const plain: JobKind = { name: 'plain' }
const starts = (log: readonly string[]): readonly string[] => log.filter((line) => line.includes('starts'))

describe('jobs', () => {
  it('run at once, after a delay, and again from the start of one run to that of the next, until the last', async () => {
    const { jobs, job, log, clock, figures } = underTest()
    let runs = 0
    jobs.add(job(plain, 'now'))
    jobs.add({ ...job(plain, 'later'), delayMs: 50 })
    const often = job(plain, 'often', 30)
    const run: Job['run'] = async (signal) => {
      await often.run(signal)
      runs += 1
      return runs === 3 ? 'last' : undefined
    }
    jobs.add({ ...often, delayMs: 100, everyMs: 100, run })
    await clock.advance(1000)
    expect(log).toEqual([
      'now starts at 0',
      'now ends at 0',
      'later starts at 50',
      'later ends at 50',
      'often starts at 100',
      'often starts at 200',
      'often starts at 300',
      'often ends at 330',
    ])
    expect(figures('plain')).toEqual({ done: 5 })
  })

  it('of one name and kind there is one at a time; it may come again when it has ended', async () => {
    const { jobs, job, log, clock } = underTest()
    expect([jobs.add(job(plain, 'a', 10)), jobs.add(job(plain, 'a', 10))]).toEqual([true, false])
    expect(jobs.add(job({ name: 'other' }, 'a', 10))).toBe(true)
    await clock.advance(10)
    expect(jobs.add(job(plain, 'a'))).toBe(true)
    expect(starts(log)).toHaveLength(3)
  })

  it('a job that is cancelled never runs, or is aborted, and frees its place at once', async () => {
    const { jobs, job, log, clock, figures } = underTest({ mostRunning: 1 })
    const signals: AbortSignal[] = []
    jobs.add({
      kind: plain,
      name: 'deaf',
      run: (signal) => new Promise(() => void signals.push(signal)),
    })
    jobs.add(job(plain, 'second'))
    jobs.add({ ...job(plain, 'third'), delayMs: 10 })
    jobs.cancel(plain, 'third')
    expect(starts(log)).toEqual([])
    jobs.cancel(plain, 'deaf')
    await clock.advance(20)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(starts(log)).toEqual(['second starts at 0'])
    expect(figures('plain')).toEqual({ done: 1, cancelled: 2 })
  })
})

describe('priority and caps', () => {
  it('the due job of the highest priority starts first, those of one priority in their order', async () => {
    const { jobs, job, log, clock } = underTest({ mostRunning: 1 })
    jobs.add(job(plain, 'first', 10))
    jobs.add(job({ name: 'low', priority: -1 }, 'low', 10))
    jobs.add(job(plain, 'a', 10))
    jobs.add(job({ name: 'high', priority: 1 }, 'high', 10))
    jobs.add(job(plain, 'b', 10))
    await clock.advance(100)
    expect(starts(log).map((line) => line.split(' ')[0])).toEqual(['first', 'high', 'a', 'b', 'low'])
  })

  it('a kind that runs as many as it may leaves its places to others', async () => {
    const { jobs, job, log, clock, figures } = underTest({ mostRunning: 3 })
    const single: JobKind = { name: 'single', priority: 9, mostRunning: 1 }
    for (const name of ['s1', 's2']) jobs.add(job(single, name, 10))
    for (const name of ['p1', 'p2', 'p3']) jobs.add(job(plain, name, 10))
    expect(starts(log).map((line) => line.split(' ')[0])).toEqual(['s1', 'p1', 'p2'])
    expect([figures('single'), figures('plain')]).toEqual([
      { running: 1, waiting: 1 },
      { running: 2, waiting: 1 },
    ])
    await clock.advance(10)
    expect(starts(log).slice(3)).toEqual(['s2 starts at 10', 'p3 starts at 10'])
  })

  it('without room the new job is dropped, or the oldest that wait, never one that runs', async () => {
    const { jobs, job, log, figures } = underTest()
    const full: JobKind = { name: 'full', mostHeld: 2, mostRunning: 1 }
    expect(['a', 'b', 'c'].map((name) => jobs.add(job(full, name, 10)))).toEqual([true, true, false])
    expect(log).toEqual(['a starts at 0', 'c ends at 0'])
    const bytes: JobKind = { name: 'bytes', mostBytes: 100, mostRunning: 1, drops: 'oldest' }
    const heavy = (name: string, weight: number): boolean => jobs.add({ ...job(bytes, name, 10), bytes: weight })
    expect([heavy('d', 40), heavy('e', 30), heavy('f', 30), heavy('g', 50)]).toEqual([true, true, true, true])
    expect(log.slice(2)).toEqual(['d starts at 0', 'e ends at 0', 'f ends at 0'])
    expect([heavy('h', 101), figures('bytes')]).toEqual([false, { running: 1, waiting: 1, dropped: 3 }])
  })
})

describe('failures', () => {
  it('are tried again after twice the wait each, and told once', async () => {
    const { jobs, log, clock, figures } = underTest()
    const ranMs: number[] = []
    const run = async (): Promise<void> => {
      ranMs.push(clock.now() - 1_000_000)
      throw new Error('no')
    }
    jobs.add({ kind: { name: 'tried', retries: 3, backoffMs: 100 }, name: 'a', run })
    await clock.advance(10_000)
    expect(ranMs).toEqual([0, 100, 300, 700])
    expect([log, figures('tried')]).toEqual([['tried failed: no'], { failed: 1 }])
  })

  it('do not end a job that repeats, unless it says so', async () => {
    const { jobs, clock, figures } = underTest()
    let failures = 0
    const run = () => Promise.reject(new Error('no'))
    const failed = () => ((failures += 1) === 3 ? 'last' : undefined)
    jobs.add({ kind: plain, name: 'a', everyMs: 100, run, failed })
    await clock.advance(10_000)
    expect([failures, figures('plain')]).toEqual([3, { failed: 3 }])
  })

  it('a run that passes its deadline is aborted, fails, and leaves its place, whether it listens or not', async () => {
    const { jobs, job, log, clock, figures } = underTest({ mostRunning: 1 })
    const signals: AbortSignal[] = []
    const kind: JobKind = { name: 'late', deadlineMs: 500 }
    jobs.add({ kind, name: 'deaf', run: (signal) => new Promise(() => void signals.push(signal)) })
    jobs.add(job(kind, 'punctual', 499))
    await clock.advance(499)
    expect([signals[0]!.aborted, starts(log)]).toEqual([false, []])
    await clock.advance(1)
    expect([signals[0]!.aborted, starts(log)]).toEqual([true, ['punctual starts at 500']])
    await clock.advance(1000)
    expect([log[0], figures('late')]).toEqual(['late failed: not done within 500 ms', { failed: 1, done: 1 }])
  })
})

describe('leases', () => {
  const leased: JobKind = { name: 'leased', leaseMs: 1000 }

  it('one of several processes runs a job, and another takes over when the lease has ended', async () => {
    const time = clockParts()
    const one = underTest({ time, owner: 'one' })
    const two = underTest({ time, owner: 'two' })
    for (const { jobs, job } of [one, two]) jobs.add({ ...job(leased, 'prune'), everyMs: 400 })
    await time.clock.advance(1100)
    expect([starts(one.log).length, starts(two.log).length]).toEqual([3, 0])
    expect(two.figures('leased')).toEqual({ waiting: 1, elsewhere: 3 })
    one.jobs.cancel(leased, 'prune')
    await time.clock.advance(200)
    expect(starts(two.log)).toEqual(['prune starts at 1200'])
  })

  it('a run is over before its lease; after a failure another process may try at once, after a success it may not', async () => {
    const time = clockParts()
    const one = underTest({ time, owner: 'one' })
    const two = underTest({ time, owner: 'two' })
    one.jobs.add(one.job(leased, 'slow', 5000))
    one.jobs.add(one.job(leased, 'quick'))
    one.jobs.add({ kind: leased, name: 'broken', run: () => Promise.reject(new Error('no')) })
    await time.clock.advance(900)
    two.jobs.add(two.job(leased, 'slow'))
    two.jobs.add(two.job(leased, 'quick'))
    two.jobs.add(two.job(leased, 'broken'))
    await time.clock.advance(50)
    expect([starts(two.log), two.figures('leased')]).toEqual([['broken starts at 900'], { done: 1, elsewhere: 2 }])
    expect(one.log).not.toContain('leased failed: not done within 1000 ms')
    await time.clock.advance(50)
    expect(one.log).toContain('leased failed: not done within 1000 ms')
  })

  it('a job that repeats leaves its lease to another process when a run has failed', async () => {
    const time = clockParts()
    const [one, two] = [underTest({ time, owner: 'one' }), underTest({ time, owner: 'two' })]
    const kind: JobKind = { name: 'leased', leaseMs: 10_000 }
    one.jobs.add({ kind, name: 'a', everyMs: 400, run: () => Promise.reject(new Error('no')) })
    await time.clock.advance(100)
    two.jobs.add(two.job(kind, 'a'))
    await time.clock.advance(0)
    expect(starts(two.log)).toEqual(['a starts at 100'])
  })
})

describe('draining', () => {
  const kinds = {
    finish: { name: 'finish' },
    abort: { name: 'abort', atDrain: 'abort' },
    begin: { name: 'begin', atDrain: 'begin' },
  } satisfies Record<string, JobKind>

  it('runs what is to finish or to begin, drops the rest, and takes nothing new', async () => {
    const { jobs, job, log, clock, figures } = underTest()
    jobs.add({ ...job(kinds.finish, 'waits', 20), delayMs: 100_000 })
    jobs.add({ ...job(kinds.finish, 'repeats', 20), delayMs: 500, everyMs: 500 })
    jobs.add(job(kinds.abort, 'aborted', 50))
    jobs.add(job(kinds.begin, 'begins', 30))
    await clock.advance(10)
    expect(starts(log)).toEqual(['aborted starts at 0'])
    const drained = jobs.drain(1000).then(() => log.push('drained'))
    expect(jobs.add(job(plain, 'late'))).toBe(false)
    await clock.advance(900)
    await drained
    expect(log.slice(1)).toEqual([
      'waits starts at 10',
      'repeats starts at 10',
      'aborted ends at 10',
      'begins starts at 10',
      'late ends at 10',
      'waits ends at 30',
      'repeats ends at 30',
      'begins ends at 40',
      'drained',
    ])
    expect(Object.keys(kinds).map(figures)).toEqual([{ done: 2 }, { dropped: 1 }, { done: 1 }])
  })

  it('a wait that a drain has cut short starts nothing later', async () => {
    const { jobs, clock } = underTest()
    const ranMs: number[] = []
    const run = async (): Promise<void> => {
      ranMs.push(clock.now() - 1_000_000)
      throw new Error('no')
    }
    jobs.add({ kind: { name: 'tried', retries: 1, backoffMs: 500 }, name: 'a', delayMs: 100, run })
    const drained = jobs.drain(1000)
    await clock.advance(600)
    await drained
    expect(ranMs).toEqual([0, 500])
  })

  it('waits no longer than its grace, then aborts: who listens may say so, others are dropped', async () => {
    const { jobs, job, log, clock, figures } = underTest()
    const signals: AbortSignal[] = []
    jobs.add({ kind: kinds.begin, name: 'deaf', run: (signal) => new Promise(() => void signals.push(signal)) })
    jobs.add(job({ ...kinds.begin, retries: 3 }, 'listens', 5000))
    let isDrained = false
    const drained = jobs.drain(1000).then(() => (isDrained = true))
    await clock.advance(999)
    expect([isDrained, signals[0]!.aborted]).toEqual([false, false])
    await clock.advance(1)
    expect([signals[0]!.aborted, log]).toEqual([
      true,
      ['listens starts at 0', 'begin failed: not done within 1000 ms', 'listens ends at 1000'],
    ])
    await clock.advance(50)
    await drained
    expect(figures('begin')).toEqual({ failed: 1, dropped: 1 })
    await jobs.drain(1000)
  })
})
