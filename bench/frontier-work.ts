import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { frontierFigures } from './frontier-figures.ts'
import type { FrontierFigures, FrontierShare, FrontierWork, SentSession } from './frontier-figures.ts'

/** Sends the sessions on as many threads as there are processors; `told` is called for each session as it is done. */
export async function frontierWork(
  work: FrontierWork,
  told: (session: SentSession) => void,
): Promise<readonly FrontierFigures[]> {
  const workers = availableParallelism()
  const shares = Array.from({ length: workers }, (_, worker) => sentShare({ ...work, worker, workers }, told))
  return frontierFigures((await Promise.all(shares)).flat())
}

function sentShare(share: FrontierShare, told: (session: SentSession) => void): Promise<readonly SentSession[]> {
  const sent: SentSession[] = []
  const thread = new Worker(new URL('frontier.worker.ts', import.meta.url), { workerData: share })
  return new Promise((resolve, reject) => {
    thread.on('message', (session: SentSession) => {
      sent.push(session)
      told(session)
    })
    thread.on('error', reject)
    thread.on('exit', () => {
      resolve(sent)
    })
  })
}
