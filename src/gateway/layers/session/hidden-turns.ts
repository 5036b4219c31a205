import type { Codec } from '../../../codecs/index.ts'
import type { HiddenRounds } from '../../../sessions/index.ts'
import type { Reply } from '../../outlet/reply.ts'

/** A request of a session, some of whose replies the client does not see. */
export interface HiddenTurns {
  readonly codec: Codec
  readonly send: (body: string) => Promise<Reply>
  readonly rounds: HiddenRounds
  /** Most that is held of the replies. */
  readonly replyBytes: number
}
