import cluster from 'node:cluster'
import process from 'node:process'
import { serveHot } from '../../stores/index.ts'
import type { Hot } from '../../stores/index.ts'
import { leanStart } from '../lean-start.ts'
import { ipcPort } from './ipc-port.ts'
import type { WorkerNews, WorkerOrder } from './messages.ts'

/** A process that serves, as the one sees it that has started it. */
export interface ServedWorker {
  /** Resolves with what it says when it serves; undefined where it ends before. */
  readonly said: Promise<string | undefined>
  readonly exited: Promise<WorkerExit>
  order(given: WorkerOrder): void
}

export interface WorkerExit {
  readonly code: number
  /** Empty where no signal has ended it. */
  readonly signal: string
}

/** What it says besides: answers and questions about what is counted, and what counts no more. */
export type CountNews = Extract<WorkerNews, { readonly kind: 'counted' | 'count-others' | 'tenant-gone' }>

export function startWorker(hot: Hot, heard: (news: CountNews) => void): ServedWorker {
  const worker = cluster.fork(variablesOfWorker())
  const order = (given: WorkerOrder): void => {
    if (worker.isConnected()) worker.send(given)
  }
  const port = ipcPort((message) => order({ kind: 'hot', message }))
  const closeHot = serveHot(hot, port)
  const said = Promise.withResolvers<string | undefined>()
  const exited = Promise.withResolvers<WorkerExit>()
  worker.on('message', (news: WorkerNews) => {
    if (news.kind === 'hot') port.receive(news.message)
    else if (news.kind === 'serving') said.resolve(news.said)
    else heard(news)
  })
  worker.on('exit', (code: number | null, signal: string | null) => {
    closeHot()
    said.resolve(undefined)
    exited.resolve({ code: code ?? 1, signal: signal ?? '' })
  })
  return { said: said.promise, exited: exited.promise, order }
}

/** What only the start of a process can say. */
function variablesOfWorker(): Readonly<Record<string, string>> {
  return leanStart({ ...process, env: process.env, channel: undefined })?.env ?? {}
}
