import { hasHiddenCalls, isBeyondLimits, rewrittenReply, withoutTools } from '../../../codecs/index.ts'
import type { HiddenToolNames, StreamEnd } from '../../../codecs/index.ts'
import type { ModelReply as DecodedReply, Usage } from '../../../core/index.ts'
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
  let read = await readReply(turn, body.text)
  const same = wholeReply(body, first)
  if (!read) return same
  usages.push(read.end.reply.usage)
  if (!hasHiddenCalls(read.end.reply, read.names)) {
    await rounds.file(read.end)
    const text = read.end.reply.failure ? body.text : forClient(turn, withoutTools(codec, body.text, rounds.names))
    const shown = text === body.text ? same : wholeReply({ text }, first)
    return { ...shown, ...toldOf(shown, usages) }
  }
  const texts = [read.text]
  let held = body.text.length
  while (read.end.mustContinue) {
    const next = await rounds.next(read.end)
    if (next === undefined) break
    const reply = await send(next)
    if (!isSuccess(reply)) return { ...reply, ...toldOf(reply, usages) }
    const { text } = await bodyOf(reply)
    held += text.length
    if (held > turn.replyBytes) throw replyTooLong(turn.replyBytes)
    read = await split(turn, codec.decodeReply(text), text)
    texts.push(read.text)
    usages.push(read.end.reply.usage)
  }
  const joined = forClient(turn, codec.mergeReplies(texts, rounds.names))
  await rounds.file(read.end)
  return wholeReply({ text: joined }, { status: first.status, ...toldOf(first, usages) })
}

/** A reply with its calls as the client gets them. */
function forClient({ codec, rounds: { clientCalls } }: HiddenTurns, text: string): string {
  return clientCalls ? rewrittenReply(codec.calls, text, clientCalls) : text
}

interface ReadReply {
  readonly end: StreamEnd
  /** Of the tools whose calls are not for the client. */
  readonly names: HiddenToolNames
  /** Without calls of the client's that are held back. */
  readonly text: string
}

/** What a reply says; undefined where it is not a reply that we can read, which the client may still want. */
async function readReply(turn: HiddenTurns, text: string): Promise<ReadReply | undefined> {
  let reply: DecodedReply
  try {
    reply = turn.codec.decodeReply(text)
  } catch (error) {
    if (isBeyondLimits(error)) throw error
    return undefined
  }
  return split(turn, reply, text)
}

async function split({ codec, rounds }: HiddenTurns, reply: DecodedReply, text: string): Promise<ReadReply> {
  const names = await rounds.withheld.namesIn(reply)
  const end = codec.endOf(reply, names)
  return { end, names, text: names === rounds.names ? text : codec.mergeReplies([text], names) }
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
