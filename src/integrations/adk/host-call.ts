import type { Context, LlmRequest } from './types.ts'

/** Where in the host's own records a call stands. */
export interface AdkCall {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
  readonly invocationId: string
  readonly agent: string
  /** Of agents that run beside one another. */
  readonly branch?: string
  /** How many events the session had. */
  readonly eventCount: number
  /** Of the last of them. */
  readonly lastEventId?: string
  /** Tools that the agent offers, in the order in which it does. */
  readonly tools: readonly string[]
  /** Artifacts that the session's events have saved, each with its last version. */
  readonly artifacts: Readonly<Record<string, number>>
}

export function hostCall({ invocationContext, agentName }: Context, { toolsDict }: LlmRequest): AdkCall {
  const { session, invocationId, branch } = invocationContext
  const last = session.events.at(-1)
  return {
    appName: session.appName,
    userId: session.userId,
    sessionId: session.id,
    invocationId,
    agent: agentName,
    ...(branch !== undefined && { branch }),
    eventCount: session.events.length,
    ...(last && { lastEventId: last.id }),
    tools: Object.keys(toolsDict),
    artifacts: Object.assign({}, ...session.events.map(({ actions }) => actions.artifactDelta)) as AdkCall['artifacts'],
  }
}

/** Our session of a call: agents of one session of the host have each a conversation of their own. */
export function sessionKey({ invocationContext }: Context, { appName, userId, sessionId, agent }: AdkCall): string {
  const { branch, isolationScope } = invocationContext
  const names = [appName, userId, sessionId, agent, branch ?? '', isolationScope ?? '']
  return `adk/${names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')}`
}
