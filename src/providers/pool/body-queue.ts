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

/** What is under way in one queue. */
interface State {
  readonly flow: BodyFlow
  chunks: Uint8Array[]
  bytes: number
  paused: boolean
  ended: boolean
  failure: Error | undefined
  /** Someone who waits for the next chunk. */
  reader: Reader | undefined
}

export function bodyQueue(flow: BodyFlow): BodyQueue {
  const state: State = {
    flow,
    chunks: [],
    bytes: 0,
    paused: false,
    ended: false,
    failure: undefined,
    reader: undefined,
  }
  const iterator = iteratorOf(state)
  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    push: (chunk) => push(state, chunk),
    end() {
      state.ended = true
      state.reader?.give(done)
      state.reader = undefined
    },
    fail(error, now = false) {
      if (state.ended || state.failure !== undefined) return
      state.failure = error
      if (now) state.chunks = []
      state.reader?.fail(error)
      state.reader = undefined
    },
  }
}

function push(state: State, chunk: Uint8Array): void {
  const { flow, reader, chunks } = state
  if (reader !== undefined) {
    reader.give({ done: false, value: chunk })
    state.reader = undefined
    return
  }
  chunks.push(chunk)
  state.bytes += chunk.length
  if (state.bytes < fullBytes || state.paused) return
  state.paused = true
  flow.pause()
}

function iteratorOf(state: State): AsyncIterator<Uint8Array, undefined> {
  return {
    next() {
      const result = take(state)
      if (result !== undefined) return Promise.resolve(result)
      if (state.failure !== undefined) return Promise.reject(state.failure)
      return new Promise((give, fail) => {
        state.reader = { give, fail }
      })
    },
    return() {
      state.chunks = []
      if (!state.ended && state.failure === undefined) state.flow.cancel()
      state.ended = true
      return Promise.resolve(done)
    },
  }
}

function take(state: State): IteratorResult<Uint8Array, undefined> | undefined {
  const chunk = state.chunks.shift()
  if (chunk === undefined) return state.ended ? done : undefined
  state.bytes -= chunk.length
  if (state.paused && state.bytes < fullBytes / 2) {
    state.paused = false
    state.flow.resume()
  }
  return { done: false, value: chunk }
}
