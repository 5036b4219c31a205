import type { PackedCall, ShownCall } from '../neutral/index.ts'
import { readReply, writeReply } from './replies.ts'
import type { AssistantMessage, Call, EventStream, From, PieceEvent, Said, StreamEvent } from './types.ts'

type Ask = (shown: ShownCall<From>) => EventStream
type Packed = PackedCall<From, Said>

/** The streams of all rounds as one: words flow on as they come, calls follow when the round is over and they are known to be the agent's. */
export async function* streamed(packed: Packed, ask: Ask): AsyncGenerator<StreamEvent, void, undefined> {
  const shown = shownParts()
  let asked = packed.shown
  for (let round = 0; ; round += 1) {
    let message: AssistantMessage | undefined
    for await (const event of asking(packed, () => ask(asked))) {
      if (event.type === 'error') {
        await packed.refused(undefined)
        yield { ...event, error: shown.reply(event.error) }
        return
      }
      if (event.type === 'done') message = event.message
      else if (event.type !== 'start') yield* shown.words(event, round)
      else if (round === 0) yield { ...event, partial: shown.reply(event.partial) }
    }
    // Cut off: nothing is known of its end.
    if (message === undefined) return
    const reply = readReply(message)
    const again = await packed.next(reply)
    if (again === undefined) {
      yield* ended(shown, writeReply(message, await packed.answered(reply)))
      return
    }
    asked = again
  }
}

/** What is not even asked for, as without a key, is refused as well. */
async function* asking(packed: Packed, ask: () => EventStream): AsyncGenerator<StreamEvent, void, undefined> {
  try {
    yield* ask()
  } catch (error) {
    await packed.refused(error)
    throw error
  }
}

function* ended(shown: ShownParts, message: AssistantMessage): Generator<StreamEvent, void> {
  for (const part of message.content) if (part.type === 'toolCall') yield* shown.call(part, message)
  yield { type: 'done', reason: message.stopReason, message }
}

/** What pi has been shown so far of the rounds of a reply. */
interface ShownParts {
  /** A reply with that in place of its own parts. */
  reply(partial: AssistantMessage): AssistantMessage
  /** A piece of words, in its place among all rounds. */
  words(event: PieceEvent, round: number): readonly StreamEvent[]
  /** A call that is the agent's, in one piece. */
  call(toolCall: Call, message: AssistantMessage): readonly StreamEvent[]
}

function shownParts(): ShownParts {
  const content: Said[] = []
  const places = new Map<string, number>()
  const reply = (partial: AssistantMessage): AssistantMessage => ({ ...partial, content: [...content] })
  return {
    reply,
    words(event, round) {
      const part = event.partial.content[event.contentIndex]
      if (event.type.startsWith('toolcall') || part === undefined) return []
      const key = `${round}:${event.contentIndex}`
      const contentIndex = places.get(key) ?? content.length
      places.set(key, contentIndex)
      content[contentIndex] = part
      return [{ ...event, contentIndex, partial: reply(event.partial) }]
    },
    call(toolCall, message) {
      const own = { contentIndex: content.push(toolCall) - 1, toolCall, partial: reply(message) }
      return [
        { ...own, type: 'toolcall_start' },
        { ...own, type: 'toolcall_end' },
      ]
    },
  }
}
