import cluster from 'node:cluster'
import { once } from 'node:events'
import process from 'node:process'
import { inProcessHot } from '../../stores/index.ts'
import type { LogFields } from '../../gateway/index.ts'
import type { Io } from '../io.ts'
import { crewCounts } from './crew-counts.ts'
import { startWorker } from './served-worker.ts'
import type { ServedWorker, WorkerExit } from './served-worker.ts'

/** A process that has ended is started again; one that ends again and again, later and later. */
const restartMs = { least: 100, most: 5000 }
/** What a killed process has counted since is lost; what `/metrics` has shown is not. */
const refreshMs = 2000

/**
 * Runs the command in so many processes, which share its port, its store and their hot state. Prints what the first of them says when it serves.
 * Gives the exit code: that of the first where it cannot serve.
 */
export async function runWorkers(count: number, io: Io, { isLogged }: Logged): Promise<number> {
  cluster.setupPrimary({ args: process.argv.slice(2), serialization: 'advanced' })
  const crew = openCrew(toldEnd(io, isLogged))
  const first = crew.start()
  const said = await first.said
  // It has printed why.
  if (said === undefined) return (await first.exited).code
  crew.keep(first)
  const rest = Array.from({ length: count - 1 }, () => crew.start())
  for (const each of rest) crew.keep(each)
  await Promise.all(rest.map((each) => each.said))
  io.out(said)
  io.whenHungUp(() => crew.reload())
  if (!io.interrupted.aborted) await once(io.interrupted, 'abort')
  await crew.stop()
  return 0
}

interface Crew {
  start(): ServedWorker
  /** Has another process started when this one ends. */
  keep(worker: ServedWorker): void
  /** Has all of them read the configuration again. */
  reload(): void
  /** Resolves when all have ended. */
  stop(): Promise<void>
}

interface Logged {
  /** Whether standard error takes JSON lines. */
  readonly isLogged: boolean
}

/** Says that a process has ended. */
function toldEnd(io: Io, isLogged: boolean): (exit: WorkerExit) => void {
  const logged = async (fields: LogFields): Promise<void> => {
    // Loaded when it is needed: this process serves nothing, and stays small.
    const { jsonLogger } = await import('../../gateway/index.ts')
    jsonLogger((line) => io.err(line), Date.now).error('worker-ended', fields)
  }
  return ({ code, signal }) => {
    if (isLogged) return void logged(signal === '' ? { code } : { signal })
    const how = signal === '' ? `exit code ${code}` : signal
    io.err(`prehend: a process that serves has ended (${how}); another one is started\n`)
  }
}

function openCrew(told: (exit: WorkerExit) => void): Crew {
  const hot = inProcessHot()
  const crew = new Set<ServedWorker>()
  const counts = crewCounts(crew)
  const refreshing = setInterval(() => void counts.refresh(), refreshMs).unref()
  let isStopping = false
  let failures = 0

  const start = (): ServedWorker => {
    const worker: ServedWorker = startWorker(hot, (news) => void counts.hear(worker, news))
    crew.add(worker)
    const leave = (): void => {
      crew.delete(worker)
      counts.ended(worker)
    }
    void worker.exited.then(leave)
    return worker
  }

  const replace = (exit: WorkerExit): void => {
    if (isStopping) return
    const waitMs = Math.min(restartMs.most, restartMs.least * 2 ** failures)
    failures += 1
    told(exit)
    setTimeout(() => {
      if (!isStopping) keep(start())
    }, waitMs)
  }

  const keep = (worker: ServedWorker): void => {
    void worker.said.then((said) => (failures = said === undefined ? failures : 0))
    void worker.exited.then(replace)
  }

  return {
    start,
    keep,
    reload() {
      for (const [index, worker] of [...crew].entries()) worker.order({ kind: 'reload', isFirst: index === 0 })
    },
    async stop() {
      isStopping = true
      clearInterval(refreshing)
      const exits = [...crew].map(({ exited }) => exited)
      for (const worker of crew) worker.order({ kind: 'stop' })
      await Promise.all(exits)
    },
  }
}
