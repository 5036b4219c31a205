import type { Answer } from '../../codecs/index.ts'
import { streamReply, wholeReply } from '../outlet/reply.ts'
import type { Reply } from '../outlet/reply.ts'
import type { Exchange } from './exchange.ts'

/** A reply without a provider, in the client's dialect, streamed where the client asked for a stream. */
export function answered(
  { id, codec, conversation, receivedMs }: Exchange,
  said: Omit<Answer, 'id' | 'model' | 'createdMs'>,
): Reply {
  const { body, events } = codec.writeAnswer({ ...said, id, model: conversation.model, createdMs: receivedMs })
  return conversation.stream ? streamReply(events) : wholeReply({ text: body })
}
