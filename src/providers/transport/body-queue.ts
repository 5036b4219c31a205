/** How a queue governs the connection that fills it. */
export interface BodyFlow {
  pause(): void
  resume(): void
  /** The reader left before the end. */
  cancel(): void
}

/** A body between the connection that fills it and its one reader. Passes chunks on as they come. */
export interface BodyQueue {
  push(chunk: Uint8Array): void
  end(): void
  /** What has come is still delivered, unless `now`. */
  fail(error: Error, now?: boolean): void
  readonly body: AsyncIterable<Uint8Array>
}

/** More than this waiting for the reader stops the connection. */
const fullBytes = 65_536

interface Reader {
  give(result: IteratorResult<Uint8Array, undefined>): void
  fail(error: Error): void
}

const done: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined }

export function bodyQueue(flow: BodyFlow): BodyQueue {
  let chunks: Uint8Array[] = []
  let bytes = 0
  let paused = false
  let ended = false
  let failure: Error | undefined
  let reader: Reader | undefined

  function take(): IteratorResult<Uint8Array, undefined> | undefined {
    const chunk = chunks.shift()
    if (chunk === undefined) return ended ? done : undefined
    bytes -= chunk.length
    if (paused && bytes < fullBytes / 2) {
      paused = false
      flow.resume()
    }
    return { done: false, value: chunk }
  }

  const iterator: AsyncIterator<Uint8Array, undefined> = {
    next() {
      const result = take()
      if (result !== undefined) return Promise.resolve(result)
      if (failure !== undefined) return Promise.reject(failure)
      return new Promise((give, fail) => {
        reader = { give, fail }
      })
    },
    return() {
      chunks = []
      if (!ended && failure === undefined) flow.cancel()
      ended = true
      return Promise.resolve(done)
    },
  }

  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    push(chunk) {
      if (reader !== undefined) {
        reader.give({ done: false, value: chunk })
        reader = undefined
        return
      }
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes < fullBytes || paused) return
      paused = true
      flow.pause()
    },
    end() {
      ended = true
      reader?.give(done)
      reader = undefined
    },
    fail(error, now = false) {
      if (ended || failure !== undefined) return
      failure = error
      if (now) chunks = []
      reader?.fail(error)
      reader = undefined
    },
  }
}
