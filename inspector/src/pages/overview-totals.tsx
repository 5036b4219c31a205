import type { JSX } from 'preact'
import { addressOf } from '../address.ts'
import type { Figures as Sums, Statistics } from '../api/answers.ts'
import { count, counted, milliseconds, money, percent, tokens } from '../format.ts'
import { Figure, Figures } from '../parts/figure.tsx'
import { SavedFigures } from '../parts/saved.tsx'

/** What all requests of a span of time come to. */
export function Totals({ statistics }: { readonly statistics: Statistics }): JSX.Element {
  const { totals, rules, account } = statistics
  return (
    <Figures>
      <Money totals={totals} rules={rules} />
      <Figure
        name="Read from the cache"
        value={percent(totals.cachedShare)}
        note={`of ${tokens(totals.inputTokens)} input tokens`}
      />
      <Figure
        name="Read anew"
        value={tokens(totals.missedTokens)}
        note={`tokens a cache had held: ${money(totals.missedUsd)}`}
      />
      <Work totals={totals} />
      <Account account={account} />
    </Figures>
  )
}

/** Since the first request, whatever span of time is shown. */
function Account({ account }: Pick<Statistics, 'account'>): JSX.Element {
  const { passThrough, credit, lent, share } = account
  return (
    <Figure
      name="Account"
      value={passThrough > 0 ? tokens(credit) : 'n/a'}
      tone={credit < 0 ? 'bad' : undefined}
      note={
        passThrough > 0
          ? `saved in all, in input-token prices: ${percent(share)} of sending everything was paid; ${tokens(lent)} lent to sessions`
          : 'nothing was packed yet'
      }
    />
  )
}

function Money({ totals, rules }: { readonly totals: Sums; readonly rules: string }): JSX.Element {
  const { requests, priced, usd, observedUsd, cachedShare } = totals
  const isPriced = priced > 0
  return (
    <>
      <SavedFigures dollars={isPriced ? totals : undefined} rules={rules} cachedShare={cachedShare} />
      <Figure
        name="Spent"
        value={isPriced ? money(usd) : 'n/a'}
        note={
          priced < requests
            ? `${count(priced)} of ${count(requests)} requests are priced`
            : `all rounds, in and out, at the prices of each request’s model${observedUsd > 0 ? `; ${money(observedUsd)} in mode observe` : ''}`
        }
      />
    </>
  )
}

function Work({ totals }: { readonly totals: Sums }): JSX.Element {
  const { requests, errors, hiddenRounds, rehydrations, overheadMs } = totals
  const skipped = Object.entries(totals.skipped)
  return (
    <>
      <Figure
        name="Requests"
        value={count(requests)}
        note={errors === 0 ? 'none failed' : <a href={addressOf.failures}>{count(errors)} failed: see which</a>}
      />
      <Figure
        name="Hidden rounds"
        value={count(hiddenRounds)}
        note={`${counted(rehydrations, ['time', 'times'])} something was fetched back`}
      />
      <Figure
        name="Own latency"
        value={milliseconds(overheadMs.p50)}
        note={`p95 ${milliseconds(overheadMs.p95)}, p99 ${milliseconds(overheadMs.p99)}`}
      />
      <Figure
        name="Skipped stages"
        value={count(skipped.reduce((sum, [, times]) => sum + times, 0))}
        tone={skipped.length > 0 ? 'bad' : undefined}
        note={skipped.length > 0 ? skipped.map(([name, times]) => `${name} ${count(times)}`).join(', ') : 'none'}
      />
    </>
  )
}
