import type { Codec } from '../../../codecs/index.ts'
import type { Usage } from '../../../core/index.ts'
import type { HiddenRounds } from '../../../sessions/index.ts'
import type { Reply } from '../../outlet/reply.ts'

/** A request of a session, some of whose replies the client does not see. */
export interface HiddenTurns {
  readonly codec: Codec
  readonly send: (body: string) => Promise<Reply>
  readonly rounds: HiddenRounds
  /** Filled, while the reply is read, with what each round has used, in order; undefined for one that did not say. */
  readonly usages: (Usage | undefined)[]
  /** Most that is held of the replies. */
  readonly replyBytes: number
}
