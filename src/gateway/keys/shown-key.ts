import type { UsedKey } from '../../stores/index.ts'
import { keyState } from './key-state.ts'
import type { KeyState } from './key-state.ts'

/** A key as it is shown: without its hash. */
export interface ShownKey extends Omit<UsedKey, 'hash' | 'revision'> {
  readonly state: KeyState
}

export function shownKey(stored: UsedKey, nowMs: number): ShownKey {
  const { hash: _, revision: __, ...rest } = stored
  return { ...rest, state: keyState(stored, nowMs) }
}
