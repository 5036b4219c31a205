import type { SseEvent } from '../../codecs/index.ts'
import type { PrehendError } from '../../core/index.ts'
import { timeoutError } from '../../providers/index.ts'

/** Gives up on a stream that lives and says nothing. Time counts while the provider is waited for, not while the client reads. */
export interface ContentClock {
  /** What comes next. Rejects where nothing has been said for too long. */
  next<Value>(coming: Promise<Value>): Promise<Value>
  heard(events: readonly SseEvent[]): void
}

/** Silence is timed elsewhere: this clock goes from the first sign of life behind the last content. */
export function contentClock(contentMs: number): ContentClock {
  let isWaiting = false
  let waitedMs = 0
  return {
    async next(coming) {
      if (!isWaiting) return coming
      const fromMs = performance.now()
      try {
        return await within(coming, contentMs - waitedMs, () => timeoutError('content', contentMs))
      } finally {
        waitedMs += performance.now() - fromMs
      }
    },
    heard(events) {
      if (events.length === 0) return
      isWaiting = !events.some(isContent)
      if (!isWaiting) waitedMs = 0
    },
  }
}

function isContent({ event, data }: SseEvent): boolean {
  return data !== '' && event !== 'ping'
}

async function within<Value>(coming: Promise<Value>, ms: number, late: () => PrehendError): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(late()), Math.max(0, ms))
  })
  try {
    return await Promise.race([coming, end])
  } finally {
    clearTimeout(timer)
  }
}
