import { PrehendError } from '../core/index.ts'
import type { Manifest, Outcome } from '../core/index.ts'

/**
 * Why nothing may be sent of a request that has no pack: where its policy says so, or where only splitting it would help.
 * The error's `traceId` is the hash of the compile's input. Undefined where the client's own bytes are the lesser harm.
 */
export function refusalOf(
  { overflow, inputHash: traceId }: Pick<Manifest, 'overflow' | 'inputHash'>,
  outcome: Outcome,
): PrehendError<'budget-exhausted'> | undefined {
  const isShort = outcome.kind === 'budget-exhausted' || outcome.kind === 'split-required'
  if (!isShort || (overflow !== 'fail-loud' && outcome.kind !== 'split-required')) return undefined
  const { neededTokens, availableTokens } = outcome
  const remedy = 'Send less, split the task, or choose a policy that may leave something out.'
  const message = `The request needs ${neededTokens} tokens and the window has ${availableTokens}. ${remedy}`
  return new PrehendError('budget-exhausted', message, { neededTokens, availableTokens, traceId, remedy })
}
