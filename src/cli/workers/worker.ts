import cluster from 'node:cluster'
import process from 'node:process'
import { hotOver } from '../../stores/index.ts'
import type { Gateway, GatewayConfig, OpenGatewayParts } from '../../gateway/index.ts'
import type { Io } from '../io.ts'
import { askedQuestions } from './asked.ts'
import { ipcPort } from './ipc-port.ts'
import type { WorkerNews, WorkerOrder } from './messages.ts'

/** This process, as one of several that serve on one port. */
export interface Worker {
  /** Its interruptions and signals come from the process that started it. */
  readonly io: Io
  /** What it shares with the others: a server of the configuration holds the hot state, or the process that started it. */
  partsFor(config: Pick<GatewayConfig, 'hot'>, count: number): Pick<OpenGatewayParts, 'hot' | 'siblings'>
  /** Answers for what the gateway counts, and says that it serves. */
  serves(gateway: Pick<Gateway, 'metrics'>, said: string): void
  /** Ends what keeps this process beside its gateway. */
  leave(): void
}

/** How long the others may take to say what they have counted. */
const countMs = 2000

export function openWorker(io: Io): Worker {
  const send = (news: WorkerNews): void => void process.send?.(news)
  const stopping = new AbortController()
  const port = ipcPort((message) => send({ kind: 'hot', message }))
  const others = askedQuestions<readonly (readonly object[])[]>(countMs)
  let reload: (() => void) | undefined
  let isReloadDue = false
  let isFirst = true
  let gateway: Pick<Gateway, 'metrics'> | undefined
  const obey = (order: WorkerOrder): void => {
    if (order.kind === 'stop') stopping.abort('SIGTERM')
    else if (order.kind === 'reload') {
      ;({ isFirst } = order)
      isReloadDue = reload === undefined
      reload?.()
    } else if (order.kind === 'hot') port.receive(order.message)
    else if (order.kind === 'others-counted') others.answer(order.asked, order.metrics)
    else void gateway?.metrics().then((metrics) => send({ kind: 'counted', asked: order.asked, metrics }))
  }
  process.on('message', obey)
  const left = (): void => {
    // A second signal ends everything at once. Where the other process was killed, requests under way end first.
    if (stopping.signal.aborted) process.exit(1)
    port.close()
    stopping.abort('SIGTERM')
  }
  process.on('disconnect', left)
  // Otherwise the process would end at once, requests under way or not.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  // A terminal sends these to all processes of a command.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  return {
    io: {
      ...io,
      interrupted: stopping.signal,
      whenHungUp(told) {
        reload = told
        // It was asked for while the gateway was being opened, perhaps with the configuration of before.
        if (isReloadDue) told()
      },
    },
    partsFor: ({ hot }, count) => ({
      ...(hot === undefined && { hot: hotOver(port) }),
      siblings: {
        count,
        metrics: async (metrics) => (await others.ask((asked) => send({ kind: 'count-others', asked, metrics }))) ?? [],
        records: () => isFirst,
        forgetTenant: (tenant) => send({ kind: 'tenant-gone', tenant }),
      },
    }),
    leave() {
      process.off('disconnect', left)
      process.channel?.unref()
    },
    serves(opened, said) {
      gateway = opened
      send({ kind: 'serving', said })
    },
  }
}
