import type { Hot } from '../../stores/index.ts'

/** A clock that the implementation under test goes by. */
export interface HotUnderTest {
  readonly hot: Hot
  /** Another process on the same state. */
  readonly beside: Hot
  /** Lets time pass. */
  advance(ms: number): Promise<void>
}
