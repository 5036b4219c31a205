import type { MessagePort } from 'node:worker_threads'
import { PassingMap } from '../../host/index.ts'
import type { CorePruneStep, StoreCore } from '../rows/store-core.ts'
import { unitCells } from '../rows/unit-cells.ts'
import type { WriteOutcome } from '../rows/unit-rows.ts'
import type { CoreAnswer, CoreCall, CoreMethod } from './messages.ts'

/** The core of a store in another thread, through a port. */
export interface PortCore extends StoreCore {
  /** Speaks through this port from now on; what the one before has not answered fails. */
  attach(port: MessagePort): void
  /** Fails what is not answered, and all that is asked before another port is attached. */
  detach(): void
}

interface Pending {
  readonly askedMs: number
  readonly done: (json: string | undefined) => void
  readonly failed: (error: Error) => void
}

/** A thread that has not answered for so long is asked nothing more until it does. */
const silenceMs = 5000

export function portCore(stopwatch: () => number = () => performance.now()): PortCore {
  const { ask, attach, detach } = portCaller(stopwatch)
  const answer = async (method: CoreMethod, given: readonly unknown[]): Promise<unknown> => {
    const json = await ask(method, given)
    return json === undefined ? undefined : JSON.parse(json)
  }

  return {
    attach,
    detach,
    write: async (batch) => (await answer('write', [unitCells(batch)])) as readonly WriteOutcome[],
    read: (table, name, given) => answer('read', [table, name, given]),
    pruneStep: async (nowMs, retention) => (await answer('pruneStep', [nowMs, retention])) as CorePruneStep,
    dropTenantStep: async (tenant) => (await answer('dropTenantStep', [tenant])) as CorePruneStep,
    ping: async () => void (await answer('ping', [])),
  }
}

interface PortCaller extends Pick<PortCore, 'attach' | 'detach'> {
  /** Gives the answer's JSON. */
  ask(method: CoreMethod, given: readonly unknown[]): Promise<string | undefined>
}

function portCaller(stopwatch: () => number): PortCaller {
  const pending = new PassingMap<number, Pending>()
  let attached: MessagePort | undefined
  let calls = 0

  const detach = (): void => {
    const port = attached
    attached = undefined
    port?.close()
    const unanswered = [...pending.values()]
    pending.clear()
    for (const { failed } of unanswered) failed(new Error('its thread has stopped'))
  }

  const hear = ({ id, json, reason }: CoreAnswer): void => {
    const asked = pending.get(id)
    pending.delete(id)
    if (reason === undefined) asked?.done(json)
    else asked?.failed(new Error(reason))
  }

  let waiting: CoreCall[] = []
  const post = (): void => {
    const all = waiting
    waiting = []
    if (all.length > 0) attached?.postMessage(all)
  }

  /** What is asked in one turn of the event loop is one message. Commits have waited for each other already. */
  const send = (call: CoreCall): void => {
    const isFirst = waiting.push(call) === 1
    if (call.method === 'write') post()
    else if (isFirst) setImmediate(post)
  }

  const attach = (port: MessagePort): void => {
    detach()
    attached = port
    port.on('message', (answers: readonly CoreAnswer[]) => {
      answers.forEach(hear)
      // The process need not stay for a store that has nothing to do.
      if (pending.size === 0) port.unref()
    })
    port.on('close', () => attached === port && detach())
    port.unref()
  }

  const isSilent = (nowMs: number): boolean => {
    const { value: oldest } = pending.values().next()
    return oldest !== undefined && nowMs - oldest.askedMs > silenceMs
  }

  const ask = (method: CoreMethod, given: readonly unknown[]): Promise<string | undefined> =>
    new Promise((done, failed) => {
      const askedMs = stopwatch()
      if (!attached) return failed(new Error('its thread is not running'))
      if (isSilent(askedMs)) return failed(new Error('its thread does not answer'))
      calls += 1
      send({ id: calls, method, given })
      if (pending.size === 0) attached.ref()
      pending.set(calls, { askedMs, done, failed })
    })

  return { ask, attach, detach }
}
