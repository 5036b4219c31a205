import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../address.ts'
import type { PackView, ShownItem } from '../api/answers.ts'
import { useGrowing } from '../api/use-growing.ts'
import type { Growing } from '../api/use-growing.ts'
import { useSteering } from '../api/use-steering.ts'
import type { Steered } from '../api/use-steering.ts'
import { count } from '../format.ts'
import { Answered } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import { TextDifference } from '../parts/text-difference.tsx'
import { WhyNot } from '../parts/why-not.tsx'
import { reasonMeaning, reasonWords, rungMeaning, rungWords } from '../glossary.ts'
import { itemHeading, rungTone } from '../words.ts'
import type { TabProps } from './tab-props.ts'

/** What the model saw, in its order; what was shortened opens to what it came as. */
export function Conversation({ id, pack }: TabProps): JSX.Element | null {
  const { query } = useAddress()
  const path = `/v1/packs/${encodeURIComponent(id)}/view`
  const answer = useGrowing<PackView, PackView>(path, { show: query['show'] }, growing)
  if (!pack) return null
  return (
    <Answered answer={answer}>
      {(view) =>
        view.whyNot === null ? (
          <Items view={view} isWhole={!answer.isWaiting} session={pack.session} />
        ) : (
          <WhyNot reason={view.whyNot} />
        )
      }
    </Answered>
  )
}

/** A screen of it first. */
const growing: Growing<PackView, PackView> = {
  limits: [24, 400],
  join: (before, page) => (before ? { ...before, items: [...before.items, ...page.items] } : page),
}

const choices = [
  ['', 'everything', 'items'],
  ['shortened', 'only what was shortened', 'shortened'],
  ['calls', 'only calls and results', 'calls'],
] as const

interface ItemsProps {
  readonly view: PackView
  readonly isWhole: boolean
  readonly session: string
}

function Items({ view, isWhole, session }: ItemsProps): JSX.Element {
  const steered = useSteering(session)
  const { query, set } = useAddress()
  const show = query['show'] ?? ''
  const cached = new Set(view.breakpoints)
  const all = view.counts[choices.find(([value]) => value === show)?.[2] ?? 'items']
  return (
    <section class="panel">
      <header>
        <h2>What the model saw</h2>
        <p>
          {count(all)} of {count(view.counts.items)} items
          {view.same === false && '; compiling it again gave another pack'}
        </p>
        <label>
          <span class="hidden-label">Which items</span>
          <select value={show} onChange={(event) => set({ show: event.currentTarget.value })}>
            {choices.map(([value, title, counted]) => (
              <option key={value} value={value}>
                {title} ({count(view.counts[counted])})
              </option>
            ))}
          </select>
        </label>
      </header>
      <ol class="conversation" aria-busy={!isWhole}>
        {view.items.map((item) => (
          <Entry
            key={item.itemId}
            item={item}
            isBreakpoint={cached.has(item.itemId)}
            isSought={item.itemId === query['item']}
            isOpenFirst={query['open'] === '1'}
            steered={steered}
          />
        ))}
      </ol>
    </section>
  )
}

/** What a person can keep whole: what a policy may shorten. */
const mayBePinned: ReadonlySet<string> = new Set(['tool-result', 'tool-call', 'text', 'media', 'evidence'])

/** Keeps an item of the session whole from its next request on, or lets it go again. */
function Pin({ item, steered }: Pick<EntryProps, 'item' | 'steered'>): JSX.Element | null {
  const { steering, isBusy, problem, change } = steered
  const { itemId, kind, section } = item
  if (steering === undefined || section === 'policy' || kind === null || !mayBePinned.has(kind)) return null
  const isPinned = steering.pins.some((pin) => pin.itemId === itemId)
  return (
    <button
      type="button"
      class="plain"
      aria-pressed={isPinned}
      disabled={isBusy}
      title={problem ?? (isPinned ? 'Let it be shortened again' : 'Keep it whole from the next request on')}
      onClick={() => void change(isPinned ? { unpin: [itemId] } : { pin: [itemId] })}
    >
      {isPinned ? 'Pinned' : 'Pin'}
      <span class="hidden-label"> {itemHeading(item)}</span>
    </button>
  )
}

interface EntryProps {
  readonly item: ShownItem
  readonly isBreakpoint: boolean
  /** Whether the address names it: it is brought into view. */
  readonly isSought: boolean
  readonly isOpenFirst: boolean
  readonly steered: Steered
}

function Entry({ item, isBreakpoint, isSought, isOpenFirst, steered }: EntryProps): JSX.Element {
  const { itemId, role, kind, toolName, rung, reason, tokens, originalTokens, handle, text, original } = item
  const [isOpen, setIsOpen] = useState(isSought && isOpenFirst)
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isSought) place.current?.scrollIntoView({ block: 'start' })
  }, [isSought])
  const isShortened = original !== null
  return (
    <li ref={place} class={`entry of-${role ?? 'none'}`} aria-current={isSought ? 'true' : undefined}>
      <header>
        <strong title={itemId}>{itemHeading(item)}</strong>
        <span class={`chip ${rungTone(rung)}`} title={rungMeaning(rung)}>
          {rungWords(rung)}
        </span>
        <span class="quiet">
          {tokens === originalTokens ? count(tokens) : `${count(tokens)} of ${count(originalTokens)}`} tokens
          {rung !== 'full' && (
            <>
              , <span title={reasonMeaning(reason)}>{reasonWords(reason)}</span>
            </>
          )}
        </span>
        {handle !== null && <code class="quiet">[{handle}]</code>}
        {isBreakpoint && <span class="chip">cache breakpoint</span>}
        <Pin item={item} steered={steered} />
        {isShortened && (
          <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Close the original' : 'Open the original'}
          </button>
        )}
      </header>
      {text === null ? (
        <p class="quiet">Left out: {reasonWords(reason)}.</p>
      ) : kind === 'media' && text === '' ? (
        <p class="quiet">A picture, a sound or a file; its bytes stand in “Bytes”.</p>
      ) : (
        <TextBlock text={text} label={`${kind ?? ''} ${toolName ?? ''} as sent`} />
      )}
      {isOpen && isShortened && (
        <div class="original">
          <h3>Original</h3>
          <TextBlock text={original} label="original" />
          {text !== null && (
            <details>
              <summary>What is gone</summary>
              <TextDifference before={original} after={text} label="what is gone of it" />
            </details>
          )}
        </div>
      )}
    </li>
  )
}
