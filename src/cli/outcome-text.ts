import type { RecordedOutcome } from '../stores/index.ts'
import { printable } from './printable.ts'

/** An outcome in a line, where its request is known. */
export function outcomeText({ requestId, source, quality, note }: RecordedOutcome): string {
  const of = requestId === undefined ? ', of the whole session' : ''
  return `${quality} by ${source}${of}${note === undefined ? '' : `: ${printable(note)}`}`
}
