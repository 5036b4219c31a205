import type { SimulationClock } from './clock.ts'
import type { Chunk } from './dialect.ts'
import type { Fault } from './script.ts'
import { connectionDied } from './wire.ts'

export interface PaceOptions {
  readonly clock: SimulationClock
  /** Absent: as fast as it is read. */
  readonly tokensPerSecond?: number | undefined
  readonly fault?: Fault | undefined
  readonly signal: AbortSignal
  /** The event that a mid-stream error ends with. */
  errorEvent(fault: Fault & { readonly kind: 'stream-error' }): string
  /** Called once, with whether everything was sent. */
  onEnd(complete: boolean): void
}

/** A stream at its pace, until its end or its fault. */
export async function* paced(chunks: readonly Chunk[], options: PaceOptions): AsyncGenerator<string, void, undefined> {
  const { clock, tokensPerSecond, fault, signal } = options
  const faultAt = faultPosition(fault)
  let complete = false
  try {
    for (const [index, chunk] of chunks.entries()) {
      if (index === faultAt) {
        yield* broken(fault, options)
        return
      }
      signal.throwIfAborted()
      if (tokensPerSecond !== undefined) await clock.wait((chunk.tokens * 1000) / tokensPerSecond, signal)
      yield chunk.data
    }
    complete = true
  } finally {
    options.onEnd(complete)
  }
}

function faultPosition(fault: Fault | undefined): number {
  const breaks = fault?.kind === 'stream-error' || fault?.kind === 'connection-death' || fault?.kind === 'hang'
  return breaks ? (fault.afterChunks ?? 0) : -1
}

async function* broken(fault: Fault | undefined, { signal, errorEvent }: PaceOptions): AsyncGenerator<string> {
  if (fault?.kind === 'stream-error') yield errorEvent(fault)
  else if (fault?.kind === 'hang') await aborted(signal)
  else throw connectionDied
}

/** Never resolves; rejects when the other side gives up. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    if (signal.aborted) fail(signal.reason)
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
  })
}
