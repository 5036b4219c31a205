import type { Item, Role } from '../core/index.ts'

/** One message of a recorded conversation, by the items that stand in it. Requests of one session share them. */
export interface TraceMessage {
  /** `m0`, `m1`, … in order of first appearance; `tools` and `system` for what a body holds outside its messages. */
  readonly id: string
  readonly role: Role
  readonly items: readonly Item[]
  /** When it was recorded, in milliseconds since 1970, where the trace says so. */
  readonly atMs?: number
}

/** One request of a session: everything that stood before an assistant message. */
export interface TraceRequest {
  readonly messages: readonly TraceMessage[]
  /** When it was sent, in milliseconds; never before the request in front of it. */
  readonly atMs: number
  /** What the agent answered, where the trace has it. */
  readonly answer?: TraceMessage
  /** What the model wrote in answer, where the provider's own count is recorded. */
  readonly answerTokens?: number | undefined
}

/** A string that a request's answer used in tool arguments and that stood, earlier, only in tool output. */
export interface Needle {
  readonly text: string
  /** Ids of the messages it stood in. */
  readonly sources: readonly string[]
}

/** A recorded session. */
export interface Trace {
  readonly id: string
  /** That its first request asked for, where the trace says so. */
  readonly model?: string
  readonly requests: readonly TraceRequest[]
  /** By index of the request whose answer used them; absent where no needles were recorded for the file. */
  readonly needles?: ReadonlyMap<number, readonly Needle[]>
}
