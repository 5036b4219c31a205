import { Worker } from 'node:worker_threads'
import type { NamedExtension } from '../extensions/load-extensions.ts'
import type { ReplayNews, ReplayStart, ReplayThread } from '../replays/replay-messages.ts'

/** As it was built, or unbuilt. */
const workerFile = new URL(`replay.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** More, and it dies instead of the process. */
const mostHeapMb = 4096

/** What a thread that replays is started with. */
export interface ReplayThreadStart extends ReplayStart {
  /** Their ladders, scorers, detectors and dialects pack the replayed requests. */
  readonly extensions: readonly NamedExtension[]
}

export function replayThread(start: ReplayThreadStart, hear: (news: ReplayNews) => void): ReplayThread {
  const worker = new Worker(workerFile, {
    workerData: start,
    name: 'prehend-replay',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
  })
  let isOver = false
  worker.on('message', (news: ReplayNews) => {
    isOver ||= news.kind === 'done' || news.kind === 'failed'
    hear(news)
  })
  const died = (): void => {
    if (!isOver) hear({ kind: 'failed', message: 'Its thread has died; what is replayed may be too much for it.' })
    isOver = true
  }
  worker.on('error', died)
  worker.on('exit', died)
  worker.unref()
  return {
    tell: (order) => worker.postMessage(order),
    end() {
      isOver = true
      void worker.terminate()
    },
  }
}
