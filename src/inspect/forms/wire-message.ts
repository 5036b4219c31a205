import type { Dialect, JsonObject } from '../../core/index.ts'

/** What a body says, in messages that the trace reader takes, whatever its dialect. */
export interface WireMessages {
  readonly dialect: Dialect
  readonly messages: readonly WireMessage[]
  /** The member of the body in which its messages stand. */
  readonly member: string
  /** `tools` and `system`, as an Anthropic body has them. */
  readonly front: JsonObject
}

export interface WireMessage {
  /** In the form of Chat Completions or Anthropic; as it came where the body has that form. */
  readonly raw: unknown
  /** The index of its first element in the member of the body. */
  readonly at: number
}
