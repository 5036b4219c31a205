import type { VirtualKey } from '../../stores/index.ts'

/** `replaced`: a rotation made another key, and the time of grace is over. */
export const keyStates = ['active', 'expired', 'replaced', 'revoked'] as const
export type KeyState = (typeof keyStates)[number]

export function keyState({ revokedMs, expiresMs, replacedBy }: VirtualKey, nowMs: number): KeyState {
  if (revokedMs !== undefined) return 'revoked'
  if (expiresMs === undefined || nowMs < expiresMs) return 'active'
  return replacedBy === undefined ? 'expired' : 'replaced'
}
