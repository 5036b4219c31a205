import type { Session } from '../session.ts'
import type { SessionRequest, SessionTurn, UnpackedTurn } from '../session-turn.ts'

/** Packs a request with what was collected for it; without that where it cannot be compiled so, which is told. */
export async function packCollected(
  session: Session,
  request: SessionRequest,
  leftOut: (name: string, error: unknown) => void,
): Promise<SessionTurn | UnpackedTurn> {
  const { collected = [], ...alone } = request
  const turn = await session.pack(request)
  if (turn.kind !== 'unpacked' || turn.stage !== 'compile' || collected.length === 0) return turn
  leftOut('collect', turn.error)
  return session.pack(alone)
}
