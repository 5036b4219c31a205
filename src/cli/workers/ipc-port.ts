import type { HotPort } from '../../stores/index.ts'

/** A port whose other end is in another process. */
export interface IpcPort extends HotPort {
  /** Takes a message in that the other end has sent. */
  receive(message: unknown): void
}

export function ipcPort(send: (message: unknown) => void): IpcPort {
  const heard: ((message: unknown) => void)[] = []
  const closed: ((message: unknown) => void)[] = []
  let isClosed = false
  return {
    postMessage(message) {
      if (!isClosed) send(message)
    },
    on(event, listener) {
      const listeners = event === 'message' ? heard : closed
      listeners.push(listener)
    },
    unref: () => undefined,
    close() {
      if (isClosed) return
      isClosed = true
      for (const each of closed) each(undefined)
    },
    receive(message) {
      for (const each of heard) each(message)
    },
  }
}
