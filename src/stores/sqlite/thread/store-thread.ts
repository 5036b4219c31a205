import type { MessagePort, Worker } from 'node:worker_threads'
import type { OnTrouble } from '../../kernel/troubles.ts'
import { troubles } from '../../kernel/troubles.ts'
import { hostModule } from '../../kernel/host-module.ts'
import type { StoreThreadStart, ThreadedSqliteOptions } from '../sqlite-options.ts'
import type { ThreadNews, ThreadOrder } from './messages.ts'

/** The thread of a store, started again whenever it dies. */
export interface StoreThread {
  /** Gives out a port to the store, now and whenever the thread has been started again. The returned function ends that. */
  connect(attach: (port: MessagePort) => void): () => void
  readonly onTrouble: OnTrouble
  close(): Promise<void>
}

/** How soon a thread that has died is started again; later and later where it cannot open its database. */
const restartMs = { least: 20, most: 5000 }

export type StoreThreadOptions = Omit<ThreadedSqliteOptions, 'rememberedBytes'>

/** Rejects when the database cannot be opened. */
export async function storeThread({ onTightened, ...options }: StoreThreadOptions): Promise<StoreThread> {
  const attached = new Set<(port: MessagePort) => void>()
  const { onTrouble, tell } = troubles()
  let closed = false
  let isRunning = true
  const first = await opened(startWorker(options))
  let { worker } = first
  if (first.tightened.length > 0) onTightened?.(first.tightened)

  const give = (attach: (port: MessagePort) => void): void => {
    const { MessageChannel } = hostModule('node:worker_threads')
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ kind: 'serve', port: port2 } satisfies ThreadOrder, [port2])
    attach(port1)
  }

  const restart = async (waitMs: number): Promise<void> => {
    if (closed) return
    try {
      worker = (await opened(startWorker(options))).worker
      if (closed) return void worker.terminate()
      isRunning = true
      watch()
      for (const attach of attached) give(attach)
    } catch {
      setTimeout(() => void restart(Math.min(2 * waitMs, restartMs.most)), waitMs).unref()
    }
  }

  const watch = (): void => {
    let isReplaced = false
    worker.on('message', ({ kind }: ThreadNews) => {
      if (kind === 'busy' || kind === 'replaced') tell(kind)
      isReplaced ||= kind === 'replaced'
    })
    worker.on('exit', () => {
      isRunning = false
      if (closed) return
      if (!isReplaced) tell('died')
      void restart(restartMs.least)
    })
    // Last: whoever listens keeps the process. A store alone must not.
    worker.unref()
  }

  watch()
  return {
    connect(attach) {
      attached.add(attach)
      if (isRunning) give(attach)
      return () => void attached.delete(attach)
    },
    onTrouble,
    async close() {
      if (closed) return
      closed = true
      if (!isRunning) return
      const gone = new Promise((done) => void worker.once('exit', done))
      worker.ref()
      worker.postMessage({ kind: 'close' } satisfies ThreadOrder)
      await gone
    },
  }
}

/** What it is given to write is soon written. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** As it was built, or unbuilt. */
const workerFile = new URL(`store.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

function startWorker(options: StoreThreadStart): Worker {
  // Options of the process need not fit a thread, such as `--input-type`.
  const threads = hostModule('node:worker_threads')
  return new threads.Worker(workerFile, { workerData: options, name: 'prehend-store', execArgv: [], resourceLimits })
}

/** Waits until the thread has opened its database. Its death is heard of by `exit`. */
function opened(worker: Worker): Promise<{ readonly worker: Worker; readonly tightened: readonly string[] }> {
  return new Promise((done, failed) => {
    worker.on('error', failed)
    worker.once('exit', () => failed(new Error('its thread has stopped')))
    worker.once('message', (news: ThreadNews) => {
      if (news.kind === 'open') done({ worker, tightened: news.tightened })
      else failed(new Error(news.kind === 'refused' ? news.reason : news.kind))
    })
  })
}
