import { Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { PrehendError } from '../../core/index.ts'
import type { Store, ThreadedStore } from '../../stores/index.ts'
import { receivedError } from '../../core/index.ts'
import { readingAnswers } from './reading-answers.ts'
import type { ReadingNews, ReadingOrder } from './reading-messages.ts'
import type { ReadingDesk, ReadingQuestion } from './reading.ts'

export interface ReadingDeskOptions {
  readonly store: Store & Partial<Pick<ThreadedStore, 'connect'>>
  /** How long a reading may take. */
  readonly mostMs?: number
  /** How long the thread stays when nobody asks anything. */
  readonly idleMs?: number
}

/** As it was built, or unbuilt. */
const workerFile = new URL(`reading.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

const mostAtOnce = 64
/** More, and the thread dies instead of the process. */
const mostHeapMb = 2048

/**
 * On a thread of its own, which begins with the first question and ends when nobody asks any more; where the store cannot be reached from
 * another thread, on the thread that asks.
 */
export function readingDesk({ store, mostMs = 60_000, idleMs = 300_000 }: ReadingDeskOptions): ReadingDesk {
  const { connect } = store
  if (!connect) return { read: readingAnswers(store), expect: () => undefined, close: () => undefined }
  let thread: ReadingThread | undefined
  const open = (): ReadingThread => {
    thread ??= readingThread(connect, { mostMs, idleMs, ended: () => (thread = undefined) })
    return thread
  }
  return {
    read: async (question) => open().read(question),
    expect: () => void open(),
    close: () => thread?.end(),
  }
}

interface ReadingThread {
  read(question: ReadingQuestion): Promise<Uint8Array<ArrayBuffer>>
  end(): void
}

interface ThreadOptions extends Required<Pick<ReadingDeskOptions, 'mostMs' | 'idleMs'>> {
  /** It takes no more questions. */
  readonly ended: () => void
}

interface Pending extends PromiseWithResolvers<Uint8Array<ArrayBuffer>> {
  readonly timer: NodeJS.Timeout
}

function readingThread(connect: ThreadedStore['connect'], { mostMs, idleMs, ended }: ThreadOptions): ReadingThread {
  const worker = new Worker(workerFile, {
    name: 'prehend-reading',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb, maxYoungGenerationSizeMb: 12 },
  })
  const tell = (order: ReadingOrder, port?: MessagePort): void => worker.postMessage(order, port ? [port] : [])
  const pending = new Map<number, Pending>()
  let numbers = 0
  let isOver = false
  let hasBegun = false
  const disconnect = connect((port) => tell({ kind: 'store', port: port as MessagePort }, port as MessagePort))
  const end = (): void => {
    if (isOver) return
    isOver = true
    ended()
    clearTimeout(idle)
    disconnect()
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer)
      reject(tooMuch())
    }
    // One that is still being loaded is let begin first: V8 may lose count of its pages of machine code otherwise (nodejs/node#64500).
    if (hasBegun) void worker.terminate()
  }
  const idle = setTimeout(() => (pending.size === 0 ? end() : idle.refresh()), idleMs)
  worker.on('message', (news: ReadingNews) => {
    if (news.kind === 'begun') {
      hasBegun = true
      if (isOver) void worker.terminate()
      return
    }
    const asked = pending.get(news.id)
    pending.delete(news.id)
    if (pending.size === 0) idle.refresh()
    clearTimeout(asked?.timer)
    if (news.kind === 'read') asked?.resolve(news.bytes)
    else asked?.reject(receivedError(news.error))
  })
  worker.on('error', end)
  worker.on('exit', end)
  worker.unref()
  idle.unref()
  return {
    read(question) {
      if (pending.size >= mostAtOnce) throw tooMuch()
      numbers += 1
      // Whatever else it was to answer is lost with it; nothing but the end of a thread ends its work.
      const timer = setTimeout(end, mostMs)
      timer.unref()
      const asked = { ...Promise.withResolvers<Uint8Array<ArrayBuffer>>(), timer }
      pending.set(numbers, asked)
      idle.refresh()
      tell({ kind: 'read', id: numbers, question })
      return asked.promise
    },
    end,
  }
}

function tooMuch(): PrehendError<'unavailable'> {
  const remedy = 'Ask again in a moment, for less: a page of it (limit), or another request.'
  return new PrehendError('unavailable', `This took longer than it may. ${remedy}`, { retryAfterMs: 5000, remedy })
}
