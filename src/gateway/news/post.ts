import { isJsonObject, parseJson } from '../../core/index.ts'
import type { Hot } from '../../stores/index.ts'

export interface PostParts {
  readonly hot: Hot
  /** Tells this process from others. */
  readonly process: string
  /** Resolves after so many milliseconds: what is posted until then is one message. */
  readonly wait: (ms: number) => Promise<void>
  readonly failed: (error: unknown) => void
}

/** Passes news on to the other processes that share the hot state. News that cannot be sent is lost. */
export interface Post {
  /** After `delayMs` at most. */
  send(channel: string, news: unknown, delayMs: number): void
  /** Calls back with the news of other processes, until the returned function is called. */
  hear(channel: string, heard: (news: unknown) => void): () => void
}

/** Most news of one message; what goes beyond is left out. */
const mostOfMessage = 1000

export function openPost({ hot, process, wait, failed }: PostParts): Post {
  const waiting = new Map<string, unknown[]>()

  const flush = async (channel: string, delayMs: number): Promise<void> => {
    await wait(delayMs)
    const news = waiting.get(channel)
    waiting.delete(channel)
    await hot.publish(channel, JSON.stringify({ process, news }))
  }

  return {
    send(channel, news, delayMs) {
      const known = waiting.get(channel)
      if (known === undefined) {
        waiting.set(channel, [news])
        flush(channel, delayMs).catch(failed)
      } else if (known.length < mostOfMessage) known.push(news)
    },
    hear: (channel, heard) =>
      hot.subscribe(channel, (message) => {
        for (const news of newsIn(message, process)) heard(news)
      }),
  }
}

/** None of what this process has sent itself, nor of a message that no gateway has written. */
function newsIn(message: string, process: string): readonly unknown[] {
  try {
    const said = parseJson(message)
    if (!isJsonObject(said) || said['process'] === process || !Array.isArray(said['news'])) return []
    return said['news']
  } catch {
    return []
  }
}
