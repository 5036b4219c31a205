import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import type { PackComparison } from '../api/answers.ts'
import { count } from '../format.ts'
import { TextBlock } from '../parts/text-block.tsx'
import { TextDifference } from '../parts/text-difference.tsx'
import { reasonWords, rungMeaning, rungWords } from '../glossary.ts'
import { itemHeading, rungTone } from '../words.ts'
import { nameOf } from './request-compared-sides.tsx'

type Item = PackComparison['items'][number]
type Shown = Item['shown'][number]

interface ItemsProps {
  readonly comparison: PackComparison
  readonly isWhole: boolean
}

/** Messages beside each other: what two policies show otherwise, then the rest. */
export function ComparedItems({ comparison, isWhole }: ItemsProps): JSX.Element {
  const { query, set } = useAddress()
  const { items, counts, sides } = comparison
  const names = sides.map(nameOf)
  const isAll = query['only'] !== 'otherwise'
  const shown = isAll ? items : items.filter(({ isSame }) => !isSame)
  return (
    <section class="panel">
      <header>
        <h2>Side by side</h2>
        <p>
          {count(counts.otherwise)} of {count(counts.items)} items are shown otherwise; they stand first.
        </p>
        <label>
          <span class="hidden-label">Which items</span>
          <select
            value={isAll ? '' : 'otherwise'}
            onChange={(event) => set({ only: event.currentTarget.value || 'all' })}
          >
            <option value="">everything ({count(counts.items)})</option>
            <option value="otherwise">only what is shown otherwise ({count(counts.otherwise)})</option>
          </select>
        </label>
      </header>
      <ol class="conversation" aria-busy={!isWhole}>
        {shown.map((item) => (
          <Entry key={item.itemId} item={item} names={names} />
        ))}
      </ol>
    </section>
  )
}

interface EntryProps {
  readonly item: Item
  readonly names: readonly string[]
}

function Entry({ item, names }: EntryProps): JSX.Element {
  const { itemId, role, original, originalTokens, isSame, shown } = item
  const [isOpen, setIsOpen] = useState(false)
  const [first, second] = shown
  const isShortened = shown.some((one) => one.text !== null || one.rung === 'omitted')
  return (
    <li class={`entry of-${role ?? 'none'}`}>
      <header>
        <strong title={itemId}>{itemHeading(item)}</strong>
        <span class="quiet">{count(originalTokens)} tokens as it came</span>
        {isShortened && original !== null && (
          <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Close the original' : 'Open the original'}
          </button>
        )}
      </header>
      {isSame ? (
        <Column shown={first} original={original} name="by both" />
      ) : (
        <div class="side-by-side">
          <Column shown={first} original={original} name={names[0] ?? ''} />
          <Column shown={second} original={original} name={names[1] ?? ''} />
        </div>
      )}
      {isOpen && original !== null && (
        <div class="original">
          <h3>Original</h3>
          <TextBlock text={original} label="original" />
          {!isSame && (
            <details>
              <summary>From the one to the other</summary>
              <TextDifference
                before={textOf(first, original)}
                after={textOf(second, original)}
                label={`${itemHeading(item)}, from the one policy to the other`}
              />
            </details>
          )}
        </div>
      )}
    </li>
  )
}

function textOf({ rung, text }: Shown, original: string): string {
  return rung === 'omitted' ? '' : (text ?? original)
}

interface ColumnProps {
  readonly shown: Shown
  readonly original: string | null
  readonly name: string
}

function Column({ shown, original, name }: ColumnProps): JSX.Element {
  const { rung, reason, tokens, handle } = shown
  return (
    <div class="shown-by">
      <p class="quiet">
        {name}:{' '}
        <span class={`chip ${rungTone(rung)}`} title={rungMeaning(rung)}>
          {rungWords(rung)}
        </span>{' '}
        {count(tokens)} tokens
        {rung !== 'full' && `, ${reasonWords(reason)}`} {handle !== null && <code>[{handle}]</code>}
      </p>
      {rung === 'omitted' || original === null ? (
        <p class="quiet">Left out.</p>
      ) : (
        <TextBlock text={textOf(shown, original)} label={`${name}, as shown`} />
      )}
    </div>
  )
}
