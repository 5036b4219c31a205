import { PrehendError } from '../../core/index.ts'
import { compileRoute } from '../app/compile-route.ts'
import type { Compile } from '../app/compile-route.ts'
import type { ArrivedRequest } from '../http/arrived.ts'
import type { Carry } from '../http/carry.ts'
import type { ServedClient } from '../http/handle-exchange.ts'
import type { CarryingThread, ReadyRequest } from './carrying-thread.ts'
import { endLost } from './end-lost.ts'
import { threadCrew } from './thread-crew.ts'
import type { CrewOptions } from './thread-crew.ts'

/** Carries requests with small bodies on the thread that serves, and those with large ones on others. */
export interface CarryingThreads {
  /** Never rejects. */
  carry(arrived: ArrivedRequest, to: ServedClient): Promise<void>
  readonly compile: Compile
  close(): Promise<void>
}

export interface ThreadsOptions extends CrewOptions {
  /** How a request is carried on the serving thread. */
  readonly carryHere: Carry
}

/** Times that a request is given to a thread. */
const mostTries = 2

export function carryingThreads({ carryHere, ...options }: ThreadsOptions): CarryingThreads {
  const { parts } = options
  const crew = threadCrew(options)

  const carryThere = async (arrived: ReadyRequest, to: ServedClient, tries: number): Promise<void> => {
    let thread: CarryingThread | undefined
    try {
      thread = await crew.threadFor(arrived)
    } catch {
      return carryHere({ ...arrived, unread: takesTooLong() }, to)
    }
    if (!thread) return carryHere(arrived, to)
    const end = await thread.carry(arrived, to)
    if (end === 'lost' || end === 'lost-midstream') return endLost(parts, { end, arrived, to })
    if (end === 'unsent' && tries > 1) return carryThere(arrived, to, tries - 1)
    if (end !== 'over') await carryHere({ ...arrived, unread: takesTooLong() }, to)
  }

  const { threadBytes } = parts.config.limits
  return {
    carry: (arrived, to) => {
      const { bytes } = arrived
      const isLarge = bytes !== undefined && bytes.length >= threadBytes
      if (!isLarge) return carryHere(arrived, to)
      const ready = { ...arrived, bytes }
      return carryThere(ready, to, mostTries).finally(() => crew.over(ready))
    },
    compile: (request) => {
      const thread = request.body.length >= threadBytes ? crew.leastBusy() : undefined
      return thread ? thread.compile(request) : compileRoute(parts, request)
    },
    close: crew.close,
  }
}

function takesTooLong(): PrehendError {
  const remedy = 'Nothing is to be done: it goes on as it came.'
  return new PrehendError('internal', `Reading and packing the request takes too long. ${remedy}`, { remedy })
}
