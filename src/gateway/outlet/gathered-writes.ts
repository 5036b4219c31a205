import type { ClientResponse } from './client.ts'
import { writeOut } from './write-out.ts'

/** The pieces of a stream on their way to a client. */
export interface GatheredWrites {
  /** Waits while the client is slower than we are. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** Writes what has been gathered. */
  flush(): Promise<void> | undefined
}

/** A write costs about as much as everything else that is done with a piece. Models take longer than this for a token, and what comes alone goes at once. */
const gatherMs = 4
const mostBytes = 16_384

/** The first piece goes out at once; those that come within `gatherMs` of a write go out in one. */
export function gatheredWrites(response: ClientResponse, signal: AbortSignal): GatheredWrites {
  let gathered: Uint8Array[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const flush = (): Promise<void> | undefined => {
    if (bytes === 0) return writing
    const [only] = gathered
    const chunk = gathered.length === 1 && only ? only : Buffer.concat(gathered, bytes)
    gathered = []
    bytes = 0
    const written = writeOut(response, chunk, signal)
    if (written !== undefined) {
      const ended: Promise<void> = written.finally(() => {
        if (writing === ended) writing = undefined
      })
      writing = ended
    }
    return writing
  }

  const over = (): void => {
    timer = undefined
    if (bytes === 0) return
    timer = setTimeout(over, gatherMs)
    void flush()
  }

  return {
    write(chunk) {
      gathered.push(chunk)
      bytes += chunk.length
      if (timer !== undefined && bytes < mostBytes) return writing
      timer ??= setTimeout(over, gatherMs)
      return flush()
    },
    flush() {
      clearTimeout(timer)
      timer = undefined
      return flush()
    },
  }
}
