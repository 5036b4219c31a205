import * as shape from './shape.ts'

/** How long earlier sessions of the same kind were; what one tenant, or one class of tasks, has had. */
export interface SessionLengths {
  readonly sessions: number
  /** Of all of them together. */
  readonly requests: number
}

export const sessionLengthsShape = shape.object<SessionLengths>({ sessions: shape.count, requests: shape.count })
