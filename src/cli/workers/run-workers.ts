import cluster from 'node:cluster'
import { once } from 'node:events'
import process from 'node:process'
import { inProcessHot } from '../../stores/index.ts'
import type { Io } from '../io.ts'
import { askedQuestions } from './asked.ts'
import type { WorkerOrder } from './messages.ts'
import { startWorker } from './served-worker.ts'
import type { CountNews, ServedWorker, WorkerExit } from './served-worker.ts'

/** A process that has ended is started again; one that ends again and again, later and later. */
const restartMs = { least: 100, most: 5000 }
const countMs = 1000

/**
 * Runs the command in so many processes, which share its port, its store and their hot state. Prints what the first of them says when it serves.
 * Gives the exit code: that of the first where it cannot serve.
 */
export async function runWorkers(count: number, io: Io): Promise<number> {
  cluster.setupPrimary({ args: process.argv.slice(2), serialization: 'advanced' })
  const crew = openCrew(io)
  const first = crew.start()
  const said = await first.said
  // It has printed why.
  if (said === undefined) return (await first.exited).code
  crew.keep(first)
  const rest = Array.from({ length: count - 1 }, () => crew.start())
  for (const each of rest) crew.keep(each)
  await Promise.all(rest.map((each) => each.said))
  io.out(said)
  io.whenHungUp(() => crew.order({ kind: 'reload' }))
  if (!io.interrupted.aborted) await once(io.interrupted, 'abort')
  await crew.stop()
  return 0
}

interface Crew {
  start(): ServedWorker
  /** Has another process started when this one ends. */
  keep(worker: ServedWorker): void
  order(given: WorkerOrder): void
  /** Resolves when all have ended. */
  stop(): Promise<void>
}

function openCrew(io: Io): Crew {
  const hot = inProcessHot()
  const crew = new Set<ServedWorker>()
  const counts = askedQuestions<readonly object[]>(countMs)
  let isStopping = false
  let failures = 0

  const count = async (worker: ServedWorker, news: CountNews): Promise<void> => {
    if (news.kind === 'counted') return counts.answer(news.asked, news.metrics)
    const others = [...crew].filter((each) => each !== worker)
    const found = await Promise.all(others.map((each) => counts.ask((asked) => each.order({ kind: 'count', asked }))))
    const metrics = found.filter((each) => each !== undefined)
    worker.order({ kind: 'others-counted', asked: news.asked, metrics })
  }

  const start = (): ServedWorker => {
    const worker: ServedWorker = startWorker(hot, (news) => void count(worker, news))
    crew.add(worker)
    void worker.exited.then(() => crew.delete(worker))
    return worker
  }

  const replace = ({ code, signal }: WorkerExit): void => {
    if (isStopping) return
    const waitMs = Math.min(restartMs.most, restartMs.least * 2 ** failures)
    failures += 1
    const how = signal === '' ? `exit code ${code}` : signal
    io.err(`prehend: a process that serves has ended (${how}); another one is started\n`)
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
    order(given) {
      for (const worker of crew) worker.order(given)
    },
    async stop() {
      isStopping = true
      const exits = [...crew].map(({ exited }) => exited)
      for (const worker of crew) worker.order({ kind: 'stop' })
      await Promise.all(exits)
    },
  }
}
