import type { RecordedOutcome } from '../../stores/index.ts'
import { recordOutcome } from '../outcomes/record-outcome.ts'
import type { GivenOutcome } from '../outcomes/record-outcome.ts'
import { scopeOf } from './handing-over.ts'
import type { HandingOptions } from './handing-over.ts'

/** How well a session in process does its work, as its host says. */
export interface Judging {
  /**
   * Records how good a request of the session turned out (`requestId`), or the session as a whole. Of a session with the `id` of the options,
   * or else of the one that was packed last. Rejects with `not-found`, and with `conflict` where the same source has given another quality.
   */
  outcome(given: GivenOutcome): Promise<RecordedOutcome>
}

export function judging(asked: HandingOptions): Judging {
  return {
    async outcome(given) {
      const scope = scopeOf(asked)
      const { parts } = await asked.open()
      return recordOutcome(parts, scope, given)
    },
  }
}
