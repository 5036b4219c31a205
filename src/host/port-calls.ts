import { PassingMap } from './passing-map.ts'

/** Calls that go to the other end of a port, each of which is answered once. */
export interface PortCalls {
  /** Sends a call under a number of its own. */
  ask(call: object): Promise<unknown>
  /** Whoever waits for the answer of this number, and then nobody any more. */
  take(id: number): PromiseWithResolvers<unknown> | undefined
  /** The other end is gone: what waits is rejected, and so is all that is asked from now on. */
  end(): void
}

export function portCalls(post: (message: object) => void, gone: () => Error): PortCalls {
  const pending = new PassingMap<number, PromiseWithResolvers<unknown>>()
  let ids = 0
  let hasEnded = false
  return {
    ask(call) {
      const asked = Promise.withResolvers<unknown>()
      if (hasEnded) asked.reject(gone())
      else {
        pending.set((ids += 1), asked)
        post({ ...call, id: ids })
      }
      return asked.promise
    },
    take(id) {
      const asked = pending.get(id)
      pending.delete(id)
      return asked
    },
    end() {
      hasEnded = true
      for (const { reject } of pending.values()) reject(gone())
      pending.clear()
    },
  }
}
