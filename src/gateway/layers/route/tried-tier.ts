import { PrehendError, isPrehendError } from '../../../core/index.ts'
import type { SaidReply } from '../../../core/index.ts'
import { bodyOf, isSuccess } from '../../outlet/reply.ts'
import type { Reply, ReplyEnd } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Next } from '../../exchange/layer.ts'
import { trial } from '../trial.ts'
import { heldPieces } from './held-pieces.ts'

/** What came of asking a model that another stands behind: its reply, or why it did not manage. */
export type TriedTier = { readonly reply: Reply } | { readonly because: string }

/**
 * Asks a model, and reads all that it says before anybody gets a word of it. It has not managed where it refuses, breaks off, is cut off
 * though its client would have let it go on, says nothing, or breaks a constraint.
 */
export async function triedTier(parts: GatewayParts, exchange: Exchange, next: Next): Promise<TriedTier> {
  const own = trial(exchange)
  const failed = async (end: ReplyEnd, because: string): Promise<TriedTier> => {
    await own.failed(end)
    return { because }
  }
  try {
    const reply = await next(own.exchange)
    if (!isSuccess(reply)) {
      // Off its connection; what a refusal says is nobody's any more.
      await bodyOf(reply).catch(() => undefined)
      return await failed({ status: reply.status }, `it answered ${reply.status}`)
    }
    const { reply: held, said } = await heldPieces(exchange.codec, reply, parts.config.limits.replyBytes)
    const because = said && shortcomingOf(said, exchange)
    if (because !== undefined)
      return await failed(
        { status: reply.status, ...(said?.usage && { usage: said.usage }), failure: passedOver(because) },
        because,
      )
    own.counts()
    return { reply: held }
  } catch (error) {
    if (!isPrehendError(error) || exchange.signal.aborted) {
      own.counts()
      throw error
    }
    return failed({ status: 502, failure: error }, error.code)
  }
}

/** For the receipt of the try: the client has not seen its reply. */
function passedOver(because: string): PrehendError {
  const remedy = 'Nothing is to be done: the model of the next tier was asked.'
  return new PrehendError('reply-refused', `The reply was not used: ${because}. ${remedy}`, {
    constraints: [],
    remedy,
  })
}

function shortcomingOf(said: SaidReply, { conversation }: Exchange): string | undefined {
  const { failure, reason, isRefusal, text, calls, usage } = said
  if (failure) return 'it broke off'
  if (reason === 'refused' || isRefusal) return 'it refused'
  if (reason === 'length') {
    const most = conversation.maxOutputTokens
    return most !== undefined && usage !== undefined && usage.outputTokens >= most ? undefined : 'it was cut off'
  }
  return text.trim() === '' && calls.length === 0 && reason !== 'paused' ? 'it said nothing' : undefined
}
