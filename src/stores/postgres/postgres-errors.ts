/** Classes of SQLSTATE that say something of the server, and nothing of the statement: connection, credentials, room, shutdown, read only. */
const serverClasses: ReadonlySet<string> = new Set(['08', '25', '28', '3D', '53', '57', '58', 'XX'])

/** A statement that took too long. */
const canceled = '57014'

/** Two transactions that stood in each other's way: the one that was taken back may be tried again. */
const retriedStates: ReadonlySet<string> = new Set(['40001', '40P01'])

function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'PostgresError' || !('code' in error)) return undefined
  return String(error.code)
}

/** An error of the connection: it has a code, as those of sockets have. */
export function connectionError(message: string): Error {
  return Object.assign(new Error(message), { code: 'CONNECTION_LOST' })
}

/** Whether all writes would fail so, whatever is written. An error that has a code and no state is one of the connection. */
export function isOfServer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = stateOf(error)
  if (state !== undefined) return state !== canceled && serverClasses.has(state.slice(0, 2))
  return 'code' in error
}

/** The server, the database or the role has all the connections that it may have. */
export function isConnectionLimit(error: unknown): boolean {
  return stateOf(error) === '53300'
}

export function isRetried(error: unknown): boolean {
  return retriedStates.has(stateOf(error) ?? '')
}

/** The role may not do this. */
export function isDenied(error: unknown): boolean {
  return stateOf(error) === '42501'
}
