import type { UpstreamReply } from '../providers/index.ts'
import type { HiddenRounds } from './hidden-rounds.ts'
import { hiddenRounds } from './hidden-rounds.ts'
import type { StreamEnd } from '../codecs/index.ts'
import { deliverAsItCame } from './deliver-as-it-came.ts'
import { readAll } from './read-all.ts'
import { rehydrateTool } from './rehydrate-tool.ts'
import { sendBody } from './respond.ts'
import { responseHeaders } from './forward-headers.ts'
import { isSuccess, sumUsage } from './turn.ts'
import type { ToolOffer, Turn, TurnEnd } from './turn.ts'

/** Delivers a whole reply; the bytes as they came, unless our own tool was called. */
export async function deliverJson(turn: Turn, first: UpstreamReply): Promise<TurnEnd> {
  const bytes = await readAll(first.body)
  const end = endOf(turn, bytes.toString('utf8'))
  if (turn.offer && end && end.hiddenCalls.length > 0) {
    return continueJson(turn, { offer: turn.offer, first, text: bytes.toString('utf8'), end })
  }
  await turn.stored
  const body = await writtenOut(turn, bytes)
  sendBody(turn.response, { status: first.status, headers: headersOf(turn, first), body })
  const usage = end?.reply.usage
  return { status: first.status, rehydrations: 0, ...(usage && { usage }) }
}

interface Continuation {
  readonly offer: ToolOffer
  readonly first: UpstreamReply
  readonly text: string
  readonly end: StreamEnd
}

async function continueJson(turn: Turn, { offer, first, text, end: firstEnd }: Continuation): Promise<TurnEnd> {
  const rounds = hiddenRounds(turn, offer)
  const texts = [text]
  const usages = [firstEnd.reply.usage]
  let end = firstEnd
  while (end.mustContinue) {
    const reply = await rounds.next(end)
    if (!reply) break
    if (!isSuccess(reply)) return { ...(await deliverAsItCame(turn, reply)), rehydrations: rounds.answered }
    const body = (await readAll(reply.body)).toString('utf8')
    end = turn.codec.endOf(turn.codec.decodeReply(body), rehydrateTool.name)
    texts.push(body)
    usages.push(end.reply.usage)
  }
  return sendMerged(turn, { rounds, texts, end, first, usages })
}

interface Merged {
  readonly rounds: HiddenRounds
  readonly texts: readonly string[]
  readonly end: StreamEnd
  readonly first: UpstreamReply
  readonly usages: readonly StreamEnd['reply']['usage'][]
}

async function sendMerged(turn: Turn, { rounds, texts, end, first, usages }: Merged): Promise<TurnEnd> {
  const body = await writtenOut(turn, turn.codec.mergeReplies(texts, rehydrateTool.name))
  await rounds.file(end)
  await turn.stored
  sendBody(turn.response, { status: first.status, headers: headersOf(turn, first), body })
  const usage = sumUsage(usages)
  return { status: first.status, rehydrations: rounds.answered, ...(usage && { usage }) }
}

/** A body in which no call has a marker of ours, as far as they can be resolved. */
async function writtenOut({ markers }: Turn, body: string | Buffer): Promise<string | Buffer> {
  return markers ? markers.reply(body.toString()) : body
}

function headersOf(turn: Turn, reply: UpstreamReply): ReturnType<typeof responseHeaders> {
  return { ...responseHeaders(reply.headers), ...(turn.headers as Record<string, string>) }
}

/** What a reply says; undefined where it is not a reply that we can read, which the client may still want. */
function endOf({ codec }: Turn, text: string): StreamEnd | undefined {
  try {
    return codec.endOf(codec.decodeReply(text), rehydrateTool.name)
  } catch {
    return undefined
  }
}
