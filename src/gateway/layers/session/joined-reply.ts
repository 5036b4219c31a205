import { hasHiddenCalls, isBeyondLimits, withoutTools } from '../../../codecs/index.ts'
import type { StreamEnd } from '../../../codecs/index.ts'
import type { Usage } from '../../../core/index.ts'
import { sumUsage } from '../../../sessions/index.ts'
import { bodyOf, isSuccess, wholeReply } from '../../outlet/reply.ts'
import type { Reply } from '../../outlet/reply.ts'
import { replyTooLong } from '../../outlet/unreadable.ts'
import type { HiddenTurns } from './hidden-turns.ts'
import { usageHeader } from './usage-header.ts'

/** One whole reply out of those of all rounds, without calls of our own tool; the bytes as they came where there was none. */
export async function joinedReply(turn: HiddenTurns, first: Reply): Promise<Reply> {
  const { codec, rounds, send, usages } = turn
  const body = await bodyOf(first)
  let end = endOf(turn, body.text)
  const same = wholeReply(body, first)
  if (!end) return same
  usages.push(end.reply.usage)
  if (!hasHiddenCalls(end.reply, rounds.names)) {
    await rounds.file(end)
    const text = end.reply.failure ? body.text : withoutTools(codec, body.text, rounds.names)
    const shown = text === body.text ? same : wholeReply({ text }, first)
    return { ...shown, ...toldOf(shown, usages) }
  }
  const texts = [body.text]
  let held = body.text.length
  while (end.mustContinue) {
    const next = await rounds.next(end)
    if (next === undefined) break
    const reply = await send(next)
    if (!isSuccess(reply)) return { ...reply, ...toldOf(reply, usages) }
    const { text } = await bodyOf(reply)
    held += text.length
    if (held > turn.replyBytes) throw replyTooLong(turn.replyBytes)
    end = codec.endOf(codec.decodeReply(text), rounds.names)
    texts.push(text)
    usages.push(end.reply.usage)
  }
  const joined = codec.mergeReplies(texts, rounds.names)
  await rounds.file(end)
  return wholeReply({ text: joined }, { status: first.status, ...toldOf(first, usages) })
}

/** What a reply says; undefined where it is not a reply that we can read, which the client may still want. */
function endOf({ codec, rounds }: HiddenTurns, text: string): StreamEnd | undefined {
  try {
    return codec.endOf(codec.decodeReply(text), rounds.names)
  } catch (error) {
    if (isBeyondLimits(error)) throw error
    return undefined
  }
}

/** What the rounds have used, as it is told: in the body for the last one, in a header and in the receipt for all. */
function toldOf({ status, headers }: Reply, usages: readonly (Usage | undefined)[]): Pick<Reply, 'headers' | 'report'> {
  const usage = sumUsage(usages)
  const isInBody = usages.length === 1 && isSuccess({ status })
  return {
    headers: { ...headers, ...(!isInBody && usageHeader(usages.length, usage)) },
    report: () => ({ ...(usage && { usage }) }),
  }
}
