import { failureStatus } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { ModelReply as DecodedReply } from '../../core/index.ts'
import { chained, isSuccess, readOrPass, wholeReply } from '../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'

/** Errors are short. */
const mostErrorChars = 65_536
const nameOfError = /"error"\s*:/

/** A whole reply that holds an error and no answer has the status of that error, whatever status it came with. */
export async function withErrorStatus(reply: Reply, codec: Codec): Promise<Reply> {
  if (reply.form !== 'whole' || !isSuccess(reply)) return reply
  const body = await readOrPass(reply)
  if ('problem' in body) return { ...reply, pieces: body.pieces }
  const { text, bytes } = body
  const failure = text.length < mostErrorChars && nameOfError.test(text) ? failureIn(codec, text) : undefined
  const same = { ...reply, ...wholeReply(body, reply) }
  if (failure === undefined) return same
  return {
    ...same,
    status: failureStatus(failure),
    form: 'raw',
    ...(bytes && { pieces: onePiece({ events: [], bytes }) }),
  }
}

function failureIn(codec: Codec, text: string): DecodedReply['failure'] {
  try {
    return codec.decodeReply(text).failure
  } catch {
    return undefined
  }
}

async function* onePiece(piece: ReplyPiece): AsyncGenerator<ReplyPiece> {
  yield piece
}

/** A stream, and the error with which it begins, if it says nothing before. */
export interface BegunStream {
  readonly reply: Reply
  readonly failure?: NonNullable<DecodedReply['failure']>
}

/** Reads a stream up to the first event that says something; nothing of it is lost. Rejects where it breaks off before. */
export async function begunStream(reply: Reply, codec: Codec): Promise<BegunStream> {
  const { replyReader: reader } = codec
  const pieces = reply.pieces[Symbol.asyncIterator]()
  const read: ReplyPiece[] = []
  let state = reader.initial
  for (;;) {
    const { done, value } = await pieces.next()
    if (done === true) break
    read.push(value)
    for (const event of value.events) {
      const step = reader.step(state, event)
      state = step.state
      const [first] = step.events.filter(({ kind }) => kind !== 'begin')
      if (first === undefined) continue
      const whole = { ...reply, pieces: chained(read, pieces) }
      return first.kind === 'failed' ? { reply: whole, failure: first.failure } : { reply: whole }
    }
  }
  return { reply: { ...reply, pieces: chained(read, pieces) } }
}
