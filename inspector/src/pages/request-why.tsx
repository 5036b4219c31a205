import type { JSX } from 'preact'
import type { PackSummary } from '../api/answers.ts'
import { clock } from '../format.ts'
import { wholeWords } from '../words.ts'

/** Why nothing of a request was shortened. */
export function WhyWhole({ pack: { why } }: { readonly pack: PackSummary }): JSX.Element | null {
  if (why === undefined) return null
  const { reason, untilMs } = why
  return (
    <p class="quiet" role="note">
      Nothing was shortened: {wholeWords(reason)}.
      {untilMs !== undefined && ` The cache is warm until ${clock(untilMs)}.`}
    </p>
  )
}
