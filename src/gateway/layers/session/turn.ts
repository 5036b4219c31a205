import type { Exchange, Pack, ToolResult } from '../../../core/index.ts'
import type { Codec } from '../../../codecs/index.ts'
import type { GatewayParts } from '../../parts.ts'
import type { LiveSession } from '../../live-sessions.ts'
import type { Reply } from '../../outlet/reply.ts'

/** What a turn needs to answer calls of our own tool. */
export interface ToolOffer {
  readonly session: LiveSession
  /** The request that was encoded, and the pack it was encoded with. */
  readonly exchange: Exchange
  readonly pack: Pack
  /** What the window has room for beside the pack, in characters. */
  readonly roomChars: number
}

/** A request of a session on its way to the provider and back. */
export interface Turn {
  readonly parts: GatewayParts
  readonly codec: Codec
  readonly requestId: string
  /** The request as the layers before have left it. */
  readonly received: Exchange
  readonly send: (body: string) => Promise<Reply>
  /** Resolves when what the reply's headers promise is stored. */
  readonly stored: Promise<unknown>
  /** An answer of our own as the layers want it. */
  readonly admit: (result: ToolResult) => ToolResult
}
