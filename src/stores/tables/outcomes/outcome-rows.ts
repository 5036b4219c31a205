import type { OutcomeSource, RecordedOutcome } from './outcome.ts'

/** An outcome, by the names of its columns. */
export function outcomeIn(row: Readonly<Record<string, unknown>>): RecordedOutcome {
  const { request_id: requestId, source, note } = row
  return {
    ...(requestId !== '' && { requestId: String(requestId) }),
    source: String(source) as OutcomeSource,
    quality: Number(row['quality']),
    weight: Number(row['weight']),
    atMs: Number(row['at_ms']),
    ...(typeof note === 'string' && { note }),
  }
}
