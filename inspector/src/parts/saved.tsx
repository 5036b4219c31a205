import type { JSX } from 'preact'
import { money, percent, savedTone } from '../format.ts'
import { isOnlyObserved, savingsIfOn, savingsOf } from '../savings.ts'
import type { Dollars, Savings } from '../savings.ts'
import { Figure } from './figure.tsx'

interface SavedFiguresProps {
  /** Undefined where nothing is priced. */
  readonly dollars: Dollars | undefined
  /** How it is reckoned, shown on hover. */
  readonly rules?: string
}

/** What was saved, by cache marks and by packing; and what would have been of what was only observed. */
export function SavedFigures({ dollars, rules }: SavedFiguresProps): JSX.Element {
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
          note={<span title={rules}>{partsOf(saved)}</span>}
        />
      )}
      {would && (
        <Figure
          name="Mode on would have saved"
          value={`about ${money(would.saved)}`}
          tone={savedTone(would.saved)}
          note={<span title={rules}>{partsOf(would)}; estimated with a simulated cache</span>}
        />
      )}
    </>
  )
}

function partsOf({ saved, byMarks, byPacking, of }: Savings): string {
  return `${percent(of === 0 ? undefined : saved / of)} of ${money(of)}, the client’s own requests: ${money(byMarks)} by cache marks, ${money(byPacking)} by packing`
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
