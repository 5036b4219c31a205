// Answers what somebody looks at, whatever that takes to make again: nobody's request waits for it.
import { parentPort } from 'node:worker_threads'
import { collectAtRest } from '../../host/index.ts'
import { connectedStore } from '../../stores/index.ts'
import { toPrehendError } from '../outlet/respond.ts'
import { sentError } from '../../core/index.ts'
import { standBack } from '../jobs/stand-back.ts'
import { extendedAnswers } from './extended-answers.ts'
import type { ReadingNews, ReadingOrder } from './reading-messages.ts'
import type { ReadingQuestion } from './reading.ts'
import { warmUp } from './warm-up.ts'

standBack()
collectAtRest()
const { store, attach, withTables } = connectedStore()
const answer = extendedAnswers(store, withTables)
let isAsked = false

parentPort?.on('message', (order: ReadingOrder) => {
  if (order.kind === 'store') attach(order.port)
  else {
    isAsked = true
    void read(order.id, order.question)
  }
})

say({ kind: 'begun' })
// Without it all is as right, and slower at first.
await warmUp(() => isAsked).catch(() => undefined)

async function read(id: number, question: ReadingQuestion): Promise<void> {
  try {
    const bytes = await answer(question)
    say({ kind: 'read', id, bytes }, [bytes.buffer])
  } catch (error) {
    say({ kind: 'failed', id, error: sentError(toPrehendError(error)) })
  }
}

function say(news: ReadingNews, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(news, transferred)
}
