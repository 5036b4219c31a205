// Sends recorded conversations again, whatever that takes: nobody waits for it.
import { parentPort, workerData } from 'node:worker_threads'
import { isPrehendError } from '../../core/index.ts'
import { standBack } from '../jobs/stand-back.ts'
import type { ReplayNews, ReplayOrder, ReplayStart, ReplayedRequest } from './replay-messages.ts'
import { runReplay } from './run-replay.ts'

standBack()
const requests: ReplayedRequest[] = []
const traces: string[] = []
const say = (news: ReplayNews): void => parentPort?.postMessage(news)

parentPort?.on('message', (order: ReplayOrder) => {
  if (order.kind === 'request') requests.push(order.request)
  else if (order.kind === 'trace') traces.push(order.text)
  else run()
})

function run(): void {
  try {
    runReplay(workerData as ReplayStart, { requests, traces }, say)
  } catch (error) {
    say(failure(error))
  }
  parentPort?.close()
}

/** What was not foreseen may quote what was said to a model. */
function failure(error: unknown): ReplayNews {
  if (!isPrehendError(error)) return { kind: 'failed', message: 'Something went wrong while it was replayed.' }
  const { message, data } = error
  return { kind: 'failed', message, ...('field' in data && typeof data.field === 'string' && { field: data.field }) }
}
