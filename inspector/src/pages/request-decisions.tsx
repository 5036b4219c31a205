import type { JSX } from 'preact'
import { addressOf, useAddress } from '../address.ts'
import type { Decision } from '../api/answers.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { count } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { SectionName } from '../parts/section-bar.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { reasonMeaning, reasonWords, rungMeaning, rungWords, wordsOfKind } from '../glossary.ts'
import { Meanings } from '../parts/term.tsx'
import { rungTone } from '../words.ts'
import type { TabProps } from './tab-props.ts'

/** Of every item: as what it is shown, why, and what that took. */
export function Decisions({ id, pack }: TabProps): JSX.Element | null {
  const answer = useAllPages<Decision>(`/v1/packs/${encodeURIComponent(id)}/decisions`, {}, { limit: 2000, most })
  if (!pack) return null
  return (
    <Answered answer={answer}>{(decisions) => <Decided decisions={decisions} requestId={pack.requestId} />}</Answered>
  )
}

const most = 20_000

interface DecidedProps {
  readonly decisions: readonly Decision[]
  readonly requestId: string
}

function Decided({ decisions, requestId }: DecidedProps): JSX.Element {
  const { query, set } = useAddress()
  const shown = decisions.filter((each) => isWanted(each, query))
  const choice = (name: 'section' | 'rung' | 'reason'): JSX.Element => (
    <Choice
      name={name}
      all={decisions.map((each) => each[name])}
      chosen={query[name] ?? ''}
      onChoose={(value) => set({ [name]: value })}
    />
  )
  return (
    <section class="panel">
      <header>
        <h2>Decisions</h2>
        <p>
          {count(shown.length)} of {count(decisions.length)} items
        </p>
        <div class="fields">
          {choice('section')}
          {choice('rung')}
          {choice('reason')}
          <label>
            Name
            <input
              type="search"
              value={query['item'] ?? ''}
              spellcheck={false}
              onInput={(event) => set({ item: event.currentTarget.value })}
            />
          </label>
        </div>
      </header>
      {shown.length === 0 ? (
        <Empty title="No item is like that">
          <p>Take one of the conditions back.</p>
        </Empty>
      ) : (
        <SortedTable
          caption="Decisions"
          columns={columns(requestId)}
          shownFirst={300}
          rows={shown}
          keyOf={({ itemId }) => itemId}
        />
      )}
      <Meanings
        words={decisions.flatMap(({ rung, reason }) => [
          [rungWords(rung), rungMeaning(rung)] as const,
          [reasonWords(reason), reasonMeaning(reason)] as const,
        ])}
      />
    </section>
  )
}

const choiceNames = { section: 'Section', rung: 'Shown', reason: 'Why' } as const

interface ChoiceProps {
  readonly name: keyof typeof wordsOfKind
  readonly all: readonly string[]
  readonly chosen: string
  readonly onChoose: (value: string) => void
}

function Choice({ name, all, chosen, onChoose }: ChoiceProps): JSX.Element {
  const counts = [...Map.groupBy(all, (each) => each)]
  return (
    <label>
      {choiceNames[name]}
      <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">all</option>
        {counts.map(([value, same]) => (
          <option key={value} value={value}>
            {wordsOfKind[name](value)} ({same.length})
          </option>
        ))}
      </select>
    </label>
  )
}

function isWanted(decision: Decision, query: Readonly<Record<string, string>>): boolean {
  const { section = '', rung = '', reason = '', item = '' } = query
  return (
    (section === '' || decision.section === section) &&
    (rung === '' || decision.rung === rung) &&
    (reason === '' || decision.reason === reason) &&
    (item === '' || decision.itemId.includes(item) || isNamed(decision, item) || (decision.handle ?? '').includes(item))
  )
}

function isNamed({ name }: Decision, sought: string): boolean {
  return (name ?? '').toLowerCase().includes(sought.toLowerCase())
}

const columns = (requestId: string): readonly Column<Decision>[] => [
  {
    name: 'id',
    title: 'Item',
    cell: ({ itemId, name }) => (
      <a href={addressOf.item(requestId, itemId)} title={itemId}>
        {name ?? itemId}
      </a>
    ),
    by: ({ itemId, name }) => name ?? itemId,
  },
  ...figures,
  {
    name: 'handle',
    title: 'Handle',
    cell: ({ handle, itemId }) =>
      handle && (
        <a href={addressOf.item(requestId, itemId, true)} title="Open the original">
          <code>{handle}</code>
        </a>
      ),
    by: ({ handle }) => handle ?? '',
  },
]

const figures: readonly Column<Decision>[] = [
  {
    name: 'as',
    title: 'Shown',
    cell: ({ rung }) => (
      <span class={`chip ${rungTone(rung)}`} title={rungMeaning(rung)}>
        {rungWords(rung)}
      </span>
    ),
    by: ({ rung }) => rung,
  },
  { name: 'tokens', title: 'Tokens', isNumber: true, cell: ({ tokens }) => count(tokens), by: ({ tokens }) => tokens },
  {
    name: 'before',
    title: 'Before',
    isNumber: true,
    cell: ({ originalTokens }) => count(originalTokens),
    by: ({ originalTokens }) => originalTokens,
  },
  {
    name: 'less',
    title: 'Less',
    isNumber: true,
    cell: ({ originalTokens, tokens }) => (originalTokens === tokens ? '' : count(originalTokens - tokens)),
    by: ({ originalTokens, tokens }) => originalTokens - tokens,
  },
  {
    name: 'why',
    title: 'Why',
    cell: ({ reason }) => (
      <span class="line" title={reasonMeaning(reason)}>
        {reasonWords(reason)}
      </span>
    ),
    by: ({ reason }) => reason,
  },
  {
    name: 'in',
    title: 'Section',
    cell: ({ section }) => <SectionName section={section} />,
    by: ({ section }) => section,
  },
]
