import type { AssistantMessage, EventStream, StreamEvent } from './types.ts'

/** Events as pi reads them: one after another, or only what comes of all of them. */
export function eventStream(events: AsyncGenerator<StreamEvent, void, undefined>): EventStream {
  const waiting: StreamEvent[] = []
  let wake = (): void => undefined
  let isOver = false
  const played = (async () => {
    let last: AssistantMessage | undefined
    try {
      for await (const event of events) {
        if (event.type === 'done') last = event.message
        if (event.type === 'error') last = event.error
        waiting.push(event)
        wake()
      }
    } finally {
      isOver = true
      wake()
    }
    if (last === undefined) throw new Error('the stream was cut off')
    return last
  })()
  // It is told to whoever asks for the result or reads to the end.
  played.catch(() => undefined)
  return {
    result: () => played,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const event = waiting.shift()
        if (event !== undefined) yield event
        else if (isOver) break
        else await new Promise<void>((resolve) => (wake = resolve))
      }
      await played
    },
  }
}
