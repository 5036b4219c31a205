import type { Begun } from './begun.ts'
import { readReply, writeOutput } from './replies.ts'
import type { ModelRequest, StreamEvent } from './types.ts'

type Events = AsyncGenerator<StreamEvent, void, undefined>
type Done = Extract<StreamEvent, { readonly type: 'response_done' }>
type Ask = (request: ModelRequest) => AsyncIterable<StreamEvent>

/**
 * The streams of all rounds as one. Words flow on as they come; the provider's own events, from which nobody could take out what
 * is hidden, come when their round is over, and not at all where it has called tools of ours.
 */
export async function* streamed({ packed, requestOf }: Begun, ask: Ask): Events {
  let request = requestOf(packed.shown)
  for (let round = 0; ; round += 1) {
    const raw: StreamEvent[] = []
    let done: Done | undefined
    try {
      for await (const event of ask(request)) {
        if (event.type === 'response_done') done = event
        else if (event.type === 'model') raw.push(event)
        else if (round === 0 || event.type !== 'response_started') yield event
      }
    } catch (error) {
      await packed.refused(error)
      throw error
    }
    // Cut off: nothing is known of its end.
    if (done === undefined) return
    const { output, usage } = done.response
    const reply = readReply(output, usage)
    const again = await packed.next(reply)
    if (again === undefined) {
      const parts = await packed.answered(reply)
      const shown = new Set(parts.map(({ from }) => from))
      if (output.every((item) => shown.has(item))) yield* raw
      yield { ...done, response: { ...done.response, output: writeOutput(parts) } }
      return
    }
    request = requestOf(again)
  }
}
