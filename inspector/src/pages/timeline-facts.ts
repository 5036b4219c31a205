import type { TimelineEntry } from '../api/answers.ts'

export function beginsEpoch({ epoch }: TimelineEntry): boolean {
  return epoch?.decision === 'begin' && epoch.cause !== 'first-request'
}

export function hasFailed({ status, failure }: TimelineEntry): boolean {
  return status !== null && (status === 0 || status >= 400 || (failure !== null && failure !== 'client-gone'))
}

/** Whether something was read anew that a cache could have held; what is too short for it is not kept at all. */
export function breaksCache({ cacheMiss }: TimelineEntry): boolean {
  return cacheMiss !== undefined && cacheMiss.cause !== 'too-short'
}

/** Of what a provider read; undefined where it has not said. */
export function cachedShare({ cachedTokens, uncachedTokens }: TimelineEntry): number | undefined {
  if (cachedTokens === null || uncachedTokens === null || cachedTokens + uncachedTokens === 0) return undefined
  return cachedTokens / (cachedTokens + uncachedTokens)
}
