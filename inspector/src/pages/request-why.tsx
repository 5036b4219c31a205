import type { JSX } from 'preact'
import type { PackSummary } from '../api/answers.ts'
import { clock, count } from '../format.ts'
import { wholeWords } from '../words.ts'

/** Tools that a request left to be found. */
export function LeftTools({ pack: { leftTools: found } }: { readonly pack: PackSummary }): JSX.Element | null {
  if (found === undefined) return null
  const { tools, left, leftTokens, isDeferred, ofRegistry = 0 } = found
  return (
    <p class="quiet" role="note">
      {left > 0 &&
        `${left} of ${tools} tools are left for the model to find${isDeferred ? ', and kept aside by the provider' : ''}: their definitions would take ${count(leftTokens)} tokens. `}
      {ofRegistry > 0 && `The model can find ${ofRegistry} tools of the registry.`}
    </p>
  )
}

/** Tools of the client that a request defines and that its conversation has not called. */
export function WastedTools({ pack: { wastedTools: found } }: { readonly pack: PackSummary }): JSX.Element | null {
  if (found === undefined || found.wasted === 0) return null
  const { defined, wasted, definedTokens, wastedTokens } = found
  return (
    <p class="quiet" role="note">
      {wasted} of {defined} defined tools have not been called so far: their definitions take {count(wastedTokens)} of{' '}
      {count(definedTokens)} tokens.
    </p>
  )
}

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
