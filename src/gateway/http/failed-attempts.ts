import { isPrehendError, keepNewest } from '../../core/index.ts'

/** Failures of an address in a row that are answered at once. */
const freeFailures = 10
const firstDelayMs = 100
const mostDelayMs = 5000
/** An address that has not failed for so long begins anew. */
const forgottenMs = 60_000
/** Addresses that are remembered; the one that has failed least recently goes first. */
const mostAddresses = 10_000
/** Answers that wait at once; beyond it they go out without a wait, so that waiting takes up no more memory. */
const mostWaiting = 1000

export interface FailedAttempts {
  /** Resolves when the failure of an address may be answered. Other errors than `unauthorized` are not counted. */
  failed(from: string, error: unknown): Promise<void>
}

export interface FailedAttemptsParts {
  readonly clock: () => number
  readonly wait: (ms: number) => Promise<unknown>
}

/**
 * Holds back refusals of an address that presents wrong tokens again and again, longer each time. Who presents a good token waits for
 * nothing, so that a broken client keeps nobody out who shares its address.
 */
export function failedAttempts({ clock, wait }: FailedAttemptsParts): FailedAttempts {
  const byAddress = new Map<string, { readonly failures: number; readonly lastMs: number }>()
  let waiting = 0
  const counted = (from: string): number => {
    const nowMs = clock()
    const before = byAddress.get(from)
    const failures = before !== undefined && nowMs - before.lastMs < forgottenMs ? before.failures + 1 : 1
    // Anew, so that it stands behind all others.
    byAddress.delete(from)
    byAddress.set(from, { failures, lastMs: nowMs })
    keepNewest(byAddress, mostAddresses)
    return failures
  }
  return {
    async failed(from, error) {
      if (!isPrehendError(error) || error.code !== 'unauthorized') return
      const over = counted(from) - freeFailures
      if (over <= 0 || waiting >= mostWaiting) return
      waiting += 1
      try {
        await wait(Math.min(mostDelayMs, firstDelayMs * 2 ** (over - 1)))
      } finally {
        waiting -= 1
      }
    },
  }
}
