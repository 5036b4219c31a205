import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort, Transferable } from 'node:worker_threads'
import { isPrehendError } from '../../core/index.ts'
import { PassingMap, letGo } from '../../host/index.ts'
import { timely } from '../../sessions/index.ts'
import type { Hot, ThreadedStore } from '../../stores/index.ts'
import type { CompileAnswer, CompileRequest } from '../app/compile-route.ts'
import type { ArrivedRequest } from '../http/arrived.ts'
import type { ServedClient } from '../http/handle-exchange.ts'
import type { Observation } from '../upkeep/calibration-keeper.ts'
import { serveHot } from '../../stores/index.ts'
import type { OpenedBlobs } from '../configured-blobs.ts'
import { blobsFor } from './blobs-port.ts'
import { threadEnded } from './thread-ended.ts'
import { receivedError, sentError } from '../../core/index.ts'
import type { CarriedRequest, ThreadNews, ThreadOrder, ThreadStart, Told } from './messages.ts'
import { pulseBytes, pulseOf, watchPulse } from './pulse.ts'
import type { Pulse } from './pulse.ts'
import { writtenAnswer } from './written-answer.ts'
import type { WrittenAnswer } from './written-answer.ts'

/** How it ended that a thread carried a request. */
export type CarryEnd =
  /** It was answered. */
  | 'over'
  /** The thread did not come back from working on it, and was ended. */
  | 'stuck'
  /** The thread ended before the request went anywhere: whoever can may carry it. */
  | 'unsent'
  /** It has gone upstream, and its answer is lost; or what was still to come of it. */
  | 'lost'
  | 'lost-midstream'

/** A request whose body is here. */
export type ReadyRequest = ArrivedRequest & { readonly bytes: Buffer }

/** Gives out ports to the store. */
export type StorePorts = Pick<ThreadedStore, 'connect' | 'remedy'>

export interface ThreadOptions extends Pick<ThreadStart, 'config' | 'calibration'> {
  readonly store: StorePorts
  readonly told: (told: Told) => void
  /** Called once, when it can be given nothing more. */
  readonly ended: (why: ThreadEnd) => void
  readonly stopwatch: () => number
  readonly hot: Hot
  readonly blobs: OpenedBlobs
}

export type ThreadEnd = 'stuck' | 'died' | 'closed'

interface Underway {
  readonly id: number
  readonly answer: WrittenAnswer
  readonly done: (end: CarryEnd) => void
  readonly whenSent: () => void
  /** Until nobody else may carry it any more. */
  readonly bytes: Buffer
  readonly whenTraced: ArrivedRequest['whenTraced']
  isSent: boolean
}

/** As it was built, or unbuilt. */
const workerFile = new URL(`carry.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** Room for the new objects of those requests that are under way at a time: without a bound V8 keeps 128 MB for them. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 }

/** How long a thread may take to let go of its connections. */
const lastWordsMs = 5000

/** One more thread that carries requests, from its start to its end. */
export class CarryingThread {
  /** Resolves when it can be given requests; rejects when it ends before. */
  readonly ready: Promise<void>
  isReady = false
  /** Requests that it was given and that have not gone upstream. */
  waiting = 0
  readonly #worker: Worker
  readonly #pulse: Pulse
  readonly #options: ThreadOptions
  readonly #underway = new PassingMap<number, Underway>()
  readonly #compiles = new PassingMap<number, PromiseWithResolvers<CompileAnswer>>()
  #numbers = 0
  #end: ThreadEnd = 'died'
  /** Since when it has had nothing to do; undefined while it has. */
  #idleSinceMs: number | undefined
  #unwatch: (() => void) | undefined

  constructor(options: ThreadOptions) {
    const { config, calibration, store, ended } = options
    const { port1, port2 } = new MessageChannel()
    const closeHot = serveHot(options.hot, port1)
    const blobs = blobsFor(options.blobs)
    const pulse = new SharedArrayBuffer(pulseBytes)
    const hotIsOfProcess = options.hot.isOfProcess === true
    const own = { pulse, hot: port2, hotIsOfProcess, blobs: blobs.given, storeRemedy: store.remedy }
    const workerData: ThreadStart = { config, calibration, ...own }
    // Options of the process need not fit a thread, such as `--input-type`.
    const start = {
      workerData,
      transferList: [port2, ...blobs.handedOver],
      name: 'prehend-carry',
      execArgv: [],
      resourceLimits,
    }
    const worker = new Worker(workerFile, start)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => undefined)
    this.ready = promise
    this.#options = options
    this.#pulse = pulseOf(pulse)
    this.#worker = worker
    const disconnect = store.connect((port) =>
      this.#order({ kind: 'store', port: port as MessagePort }, port as MessagePort),
    )
    worker.on('message', (all: readonly ThreadNews[]) => {
      for (const news of all) {
        if (news.kind !== 'ready') this.#hear(news)
        else {
          this.isReady = true
          this.#restIfIdle()
          resolve()
        }
      }
    })
    // Its death is heard of by `exit`.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      this.isReady = false
      disconnect()
      closeHot()
      blobs.close()
      reject(new Error('the thread has ended'))
      ended(this.#end)
      this.#leaveAll()
    })
    worker.unref()
  }

  carry(arrived: ReadyRequest, to: ServedClient): Promise<CarryEnd> {
    this.#numbers += 1
    const id = this.#numbers
    const { promise, resolve: done } = Promise.withResolvers<CarryEnd>()
    const answer = writtenAnswer(to, (bytes) => this.#order({ kind: 'taken', id, bytes }))
    const { whenSent, whenTraced, bytes } = arrived
    this.#underway.set(id, { id, answer, done, whenSent, whenTraced, bytes, isSent: false })
    this.waiting += 1
    const request = carriedRequest(id, arrived)
    this.#order({ kind: 'carry', request }, request.body.buffer)
    const { signal } = to
    const aborted = (): void => {
      const { reason } = signal as { readonly reason: unknown }
      this.#order({ kind: 'end', id, ...(isPrehendError(reason) && { reason: sentError(reason) }) })
    }
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted)
    this.#work()
    return promise.finally(() => signal.removeEventListener('abort', aborted))
  }

  /** Rejects with `unavailable` where the thread ends meanwhile. */
  compile(request: CompileRequest): Promise<CompileAnswer> {
    this.#numbers += 1
    const id = this.#numbers
    const asked = Promise.withResolvers<CompileAnswer>()
    this.#compiles.set(id, asked)
    this.#order({ kind: 'compile', id, request })
    this.#work()
    return asked.promise.finally(() => {
      this.#compiles.delete(id)
      this.#restIfIdle()
    })
  }

  /** What a reply of another thread's has taught. */
  learn(seen: Observation): void {
    this.#order({ kind: 'observed', seen })
  }

  /** For how long it has had nothing to do, in milliseconds. */
  idleMs(): number {
    return this.#idleSinceMs === undefined ? 0 : this.#options.stopwatch() - this.#idleSinceMs
  }

  /** Lets it end; nothing may be given to it from now on. */
  async close(): Promise<void> {
    this.#end = 'closed'
    const hasWords = this.isReady
    this.isReady = false
    if (hasWords) {
      const gone = new Promise((done) => void this.#worker.once('exit', done))
      this.#order({ kind: 'close' })
      await timely(gone, lastWordsMs)
    }
    await this.#worker.terminate()
  }

  #order(order: ThreadOrder, ...handedOver: readonly Transferable[]): void {
    this.#worker.postMessage(order, handedOver)
  }

  #hear(news: Exclude<ThreadNews, { readonly kind: 'ready' }>): void {
    if (news.kind === 'told') return news.told.forEach(this.#options.told)
    if (news.kind === 'compiled') return this.#compiles.get(news.id)?.resolve(news.answer)
    if (news.kind === 'uncompiled') return this.#compiles.get(news.id)?.reject(receivedError(news.error))
    const id = news.kind === 'answer' ? news.part.id : news.id
    const request = this.#underway.get(id)
    if (!request) return
    if (news.kind === 'answer') request.answer.write(news.part)
    else if (news.kind === 'cut') request.answer.cut()
    else if (news.kind === 'traced') request.whenTraced?.(news.record)
    else if (news.kind === 'over') this.#leave(id, 'over')
    else if (!request.isSent) {
      request.isSent = true
      this.waiting -= 1
      letGo(request.bytes)
      request.whenSent()
    }
  }

  #leave(id: number, end: CarryEnd): void {
    const request = this.#underway.get(id)
    this.#underway.delete(id)
    if (request?.isSent === false) this.waiting -= 1
    if (request && end === 'over') letGo(request.bytes)
    this.#restIfIdle()
    request?.done(end)
  }

  #work(): void {
    this.#idleSinceMs = undefined
    this.#unwatch ??= this.#watch()
  }

  #restIfIdle(): void {
    if (this.#underway.size + this.#compiles.size > 0) return
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#idleSinceMs = this.#options.stopwatch()
  }

  #leaveAll(): void {
    const culprit = this.#end === 'stuck' ? this.#pulse.working : undefined
    for (const { reject } of this.#compiles.values()) reject(threadEnded())
    for (const { id, isSent, answer } of this.#underway.values()) {
      if (isSent) this.#leave(id, answer.isStream ? 'lost-midstream' : 'lost')
      else this.#leave(id, id === culprit ? 'stuck' : 'unsent')
    }
  }

  /** Ends the thread when it does not come back from its work: nothing else can. */
  #watch(): () => void {
    const { config, stopwatch } = this.#options
    const stopped = (): void => {
      this.#end = 'stuck'
      void this.#worker.terminate()
    }
    return watchPulse(this.#pulse, { stopwatch, limitMs: config.limits.packMs, stopped })
  }
}

function carriedRequest(id: number, arrived: ReadyRequest): CarriedRequest {
  const { requestId, tenant, principal, method, headers, receivedMs, startedMs, route, bytes } = arrived
  return {
    id,
    requestId,
    tenant,
    principal,
    method,
    headers,
    receivedMs,
    kind: route.kind,
    dialect: route.codec.dialect,
    path: route.path,
    traces: arrived.whenTraced !== undefined,
    startedEpochMs: performance.timeOrigin + startedMs,
    body: new Uint8Array(bytes),
  }
}
