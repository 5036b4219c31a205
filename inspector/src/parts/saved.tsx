import type { JSX } from 'preact'
import { money, percent, savedTone } from '../format.ts'
import { isOnlyObserved, savedWords, savingsIfOn, savingsOf } from '../savings.ts'
import type { Dollars, Savings } from '../savings.ts'
import { Figure } from './figure.tsx'

interface SavedFiguresProps {
  /** Undefined where nothing is priced. */
  readonly dollars: Dollars | undefined
  /** How it is reckoned, shown on hover. */
  readonly rules?: string
  /** The share of input tokens that the provider's cache held; 0 needs a word where marks saved. */
  readonly cachedShare?: number | null
}

/** What was saved, by cache marks and by packing; and what would have been of what was only observed. */
export function SavedFigures({ dollars, rules, cachedShare }: SavedFiguresProps): JSX.Element {
  if (dollars === undefined) return <Figure name="Saved" value="n/a" note="no price is known" />
  const would = savingsIfOn(dollars)
  const saved = savingsOf(dollars)
  return (
    <>
      {!isOnlyObserved(dollars) && (
        <Figure
          name="Saved"
          value={money(saved.saved)}
          tone={savedTone(saved.saved)}
          note={<span title={rules}>{savedWords(saved, cachedShare)}</span>}
        />
      )}
      {would && (
        <Figure
          name="Mode on would have saved"
          value={`about ${money(would.saved)}`}
          tone={savedTone(would.saved)}
          note={<span title={rules}>{savedWords(would)}; estimated with a simulated cache</span>}
        />
      )}
    </>
  )
}

/** The same within a line or a cell: `$1.23 (26%)`. */
export function Saved({ savings }: { readonly savings: Savings | undefined }): JSX.Element {
  if (savings === undefined) return <span class="quiet">n/a</span>
  const { saved, of } = savings
  return (
    <span class={savedTone(saved)}>
      {money(saved)} <small>({percent(of === 0 ? undefined : saved / of)})</small>
    </span>
  )
}
