// Sends recorded conversations again, whatever that takes: nobody waits for it.
import { parentPort, workerData } from 'node:worker_threads'
import { isPrehendError } from '../../core/index.ts'
import { standBack } from '../jobs/stand-back.ts'
import type { ReplayNews, ReplayOrder, ReplayedRequest } from '../replays/replay-messages.ts'
import { runReplay } from '../replays/run-replay.ts'
import { openGatewayExtensions } from '../extensions/gateway-extensions.ts'
import { extensionTablesIn } from '../extensions/load-extensions.ts'
import type { ReplayThreadStart } from './replay-thread.ts'
import { memoryStore } from '../../stores/index.ts'
import { compileExtras, dialectsOf, noExtensions } from '../../sessions/index.ts'

standBack()
const requests: ReplayedRequest[] = []
const traces: string[] = []
const say = (news: ReplayNews): void => parentPort?.postMessage(news)

parentPort?.on('message', (order: ReplayOrder) => {
  if (order.kind === 'request') requests.push(order.request)
  else if (order.kind === 'trace') traces.push(order.text)
  else void run(workerData as ReplayThreadStart)
})

async function run({ extensions: named, ...start }: ReplayThreadStart): Promise<void> {
  try {
    const extensions = await opened(named)
    const dialects = dialectsOf(extensions)
    const extras = compileExtras(extensions.all.map(({ added }) => added))
    runReplay({ ...start, dialects, extras }, { requests, traces }, say)
    await extensions.close()
  } catch (error) {
    say(failure(error))
  }
  parentPort?.close()
}

/** With an empty store: a replay changes no state of the gateway. */
async function opened(named: ReplayThreadStart['extensions']) {
  if (named.length === 0) return noExtensions
  const { tables } = await extensionTablesIn(named)
  return openGatewayExtensions({ named, place: 'gateway', store: memoryStore({ tables }), clock: Date.now })
}

/** What was not foreseen may quote what was said to a model. */
function failure(error: unknown): ReplayNews {
  if (!isPrehendError(error)) return { kind: 'failed', message: 'Something went wrong while it was replayed.' }
  const { message, data } = error
  return { kind: 'failed', message, ...('field' in data && typeof data.field === 'string' && { field: data.field }) }
}
