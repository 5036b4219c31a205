import { deliverAsItCame } from './deliver-as-it-came.ts'
import { deliverJson } from './deliver-json.ts'
import { deliverStream } from './deliver-stream.ts'
import { contentType, isSuccess } from './turn.ts'
import type { Turn, TurnEnd } from './turn.ts'

/** Sends a turn upstream and delivers what comes back. Nothing is sent to the client before the provider's status is known. */
export async function deliver(turn: Turn): Promise<TurnEnd> {
  const reply = await turn.send(turn.body)
  if (!isSuccess(reply)) return deliverAsItCame(turn, reply)
  if (contentType(reply).startsWith('text/event-stream')) return deliverStream(turn, reply)
  return deliverJson(turn, reply)
}
