import { writtenAnswer } from '../../codecs/index.ts'
import type { Answer } from '../../codecs/index.ts'
import { streamReply, wholeReply } from '../outlet/reply.ts'
import type { Reply } from '../outlet/reply.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** A reply without a provider, in the client's dialect, streamed where the client asked for a stream. */
export function answered(
  { id, codec, conversation, receivedMs }: Exchange,
  said: Omit<Answer, 'id' | 'model' | 'createdMs'>,
): Reply {
  const answer = { ...said, id, model: conversation.model, createdMs: receivedMs }
  const { body, events } = writtenAnswer(codec.replyWriter, answer)
  return conversation.stream ? streamReply(events) : wholeReply({ text: body })
}
