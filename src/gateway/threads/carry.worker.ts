// A thread that carries requests of the thread that serves: whatever a body costs to read and to pack, nobody else waits for it.
import { parentPort, workerData } from 'node:worker_threads'
import { PassingMap, collectAtRest, letGo } from '../../host/index.ts'
import { connectedStore } from '../../stores/index.ts'
import { compileRoute } from '../app/compile-route.ts'
import type { CompileRequest } from '../app/compile-route.ts'
import { extensionTablesIn } from '../extensions/load-extensions.ts'
import { gatewayParts, wayThrough } from '../gateway-parts.ts'
import type { ArrivedRequest } from '../http/arrived.ts'
import { carrier } from '../http/carry.ts'
import { toPrehendError } from '../outlet/respond.ts'
import { hotOver } from '../../stores/index.ts'
import { blobsOfThread } from './blobs-port.ts'
import { newsQueue } from './joined-news.ts'
import { receivedError, sentError } from '../../core/index.ts'
import type { CarriedRequest, ThreadOrder, ThreadStart, Told } from './messages.ts'
import type { SentError } from '../../core/index.ts'
import { pulseOf } from './pulse.ts'
import { drainMs } from '../jobs/gateway-jobs.ts'
import { hearGone } from '../keys/gone-tenants.ts'
import { standBack } from '../jobs/stand-back.ts'
import { toldLogger, toldMetrics } from './tell.ts'
import { ThreadResponse } from './thread-response.ts'

interface Underway {
  readonly response: ThreadResponse
  readonly abort: AbortController
}

standBack()
collectAtRest()
const { config, calibration, pulse: shared, hot, hotIsOfProcess, blobs, storeRemedy } = workerData as ThreadStart
// What cannot be loaded is told when the extensions are opened.
const { tables } = await extensionTablesIn(config.extensions).catch(() => ({ tables: [] }))
const { store, attach } = connectedStore(undefined, {
  tables,
  rememberedBytes: config.limits.liveBytes,
  remedy: storeRemedy,
})
const pulse = pulseOf(shared)
const underway = new PassingMap<number, Underway>()
const numbers = new Map<string, number>()
const { say, flush } = newsQueue((all, handedOver) => parentPort?.postMessage(all, handedOver))
const tell = (told: Told): void => say({ kind: 'told', told: [told] })

const { promise: hasStore, resolve: storeIsHere } = Promise.withResolvers<void>()
parentPort?.on('message', (order: ThreadOrder) => obey(order))
await hasStore
const logger = toldLogger(tell)
const sharedHot = hotOver(hot)
const parts = await gatewayParts(config, {
  store,
  logger,
  metrics: toldMetrics(tell),
  events: { tell: (happening) => tell({ to: 'events', happening }) },
  calibration,
  extensionHot: sharedHot,
  blobs: await blobsOfThread(blobs),
  hotIsOfProcess,
  compiles: (requestId) => {
    flush()
    pulse.works(numbers.get(requestId) ?? 0)
  },
}).catch((error: unknown) => {
  // An extension that opens on the serving thread may fail here.
  logger.error('thread-not-ready', { reason: toPrehendError(error).message })
  flush()
  throw error
})
parts.calibration.whenLearnt((seen, origin) => {
  if (origin === undefined) tell({ to: 'calibration', seen })
})
hearGone(sharedHot, (tenant) => parts.sessions.forget(tenant))
const carry = carrier(parts, wayThrough(parts, {}))
say({ kind: 'ready' })

function obey(order: ThreadOrder): void {
  if (order.kind === 'store') {
    attach(order.port)
    storeIsHere()
  } else if (order.kind === 'carry') void carried(order.request)
  else if (order.kind === 'taken') underway.get(order.id)?.response.taken(order.bytes)
  else if (order.kind === 'end') ended(underway.get(order.id), order.reason)
  else if (order.kind === 'compile') void compiled(order.id, order.request)
  else if (order.kind === 'observed') parts.calibration.learn(order.seen, shared)
  else void closed()
}

async function carried(request: CarriedRequest): Promise<void> {
  flush()
  const { id, requestId } = request
  const abort = new AbortController()
  const response = new ThreadResponse({
    answer: (part) => say({ kind: 'answer', part: { id, ...part } }),
    cut: () => say({ kind: 'cut', id }),
  })
  underway.set(id, { response, abort })
  numbers.set(requestId, id)
  const to = { response, signal: abort.signal, streams: () => response.streams() }
  await pulse.during(id, () => carry(arrived(request), to))
  letGo(request.body)
  underway.delete(id)
  numbers.delete(requestId)
  say({ kind: 'over', id })
}

function arrived({
  id,
  kind,
  dialect,
  path,
  body,
  startedEpochMs,
  traces,
  ...request
}: CarriedRequest): ArrivedRequest {
  return {
    ...request,
    route: { kind, codec: parts.dialects.for(dialect), path },
    startedMs: startedEpochMs - performance.timeOrigin,
    bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    whenSent() {
      say({ kind: 'sent', id })
      // Nobody may send it again, whatever becomes of this thread.
      flush()
    },
    ...(traces && { whenTraced: (record) => say({ kind: 'traced', id, record }) }),
  }
}

/** The client is there no more; or, with a reason, it is to be told that the gateway must end its request. */
function ended(request: Underway | undefined, reason: SentError | undefined): void {
  if (reason) request?.abort.abort(receivedError(reason))
  else {
    request?.response.left()
    request?.abort.abort(new Error('the client closed the connection'))
  }
}

async function compiled(id: number, request: CompileRequest): Promise<void> {
  flush()
  try {
    const answer = await pulse.during(id, () => compileRoute(parts, request))
    say({ kind: 'compiled', id, answer })
  } catch (error) {
    say({ kind: 'uncompiled', id, error: sentError(toPrehendError(error)) })
  }
}

async function closed(): Promise<void> {
  await parts.jobs.drain(drainMs)
  await parts.budgets.close()
  await parts.extensions.close()
  parts.sessionParts.meanings?.close()
  await parts.upstreams.close()
  // What was told of it goes out first.
  await new Promise((told) => void setImmediate(told))
  process.exit()
}
