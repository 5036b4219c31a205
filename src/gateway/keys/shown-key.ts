import type { UsedKey } from '../../stores/index.ts'
import { keyState } from './key-state.ts'
import type { KeyState } from './key-state.ts'

/** A key as it is shown: without its hash. */
export interface ShownKey extends Omit<UsedKey, 'hash' | 'revision'> {
  readonly state: KeyState
}

/** A virtual key as routes show it: with its state at `nowMs`, and without the hash of its secret. */
export function shownKey(stored: UsedKey, nowMs: number): ShownKey {
  const { hash: _, revision: __, ...rest } = stored
  return { ...rest, state: keyState(stored, nowMs) }
}
