import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { addressOf, useAddress } from '../address.ts'
import type { Figures as Sums, Statistics } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useLiveEvents } from '../api/use-live-events.ts'
import { count, counted, milliseconds, money, percent, savedTone, tokens } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { Figure, Figures } from '../parts/figure.tsx'
import { FirstSteps } from '../parts/first-steps.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

const spans = [
  ['1', 'Last 24 hours', 'hour'],
  ['7', 'Last 7 days', 'day'],
  ['30', 'Last 30 days', 'day'],
  ['', 'All time', 'day'],
] as const

const dayMs = 86_400_000

export function Overview(): JSX.Element {
  const { query, set } = useAddress()
  const [days, , by] = spans.find(([value]) => value === (query['days'] ?? '7')) ?? spans[1]
  // To the hour, so that the question stays the same while the page is looked at.
  const since = days === '' ? undefined : Math.floor(Date.now() / 3_600_000) * 3_600_000 - Number(days) * dayMs
  const overTime = useAnswer<Statistics>('/v1/stats', { by, since })
  const byModel = useAnswer<Statistics>('/v1/stats', { by: 'model', since })
  const byPolicy = useAnswer<Statistics>('/v1/stats', { by: 'policy', since })
  const byTenant = useAnswer<Statistics>('/v1/stats', { by: 'tenant', since })
  const { isOpen } = useAgainWhenLive([overTime.again, byModel.again, byPolicy.again, byTenant.again])
  return (
    <div class="page">
      <header>
        <Title text="Overview" />
        <span class={`chip ${isOpen ? 'good' : 'warn'}`} role="status">
          {isOpen ? 'live' : 'not connected'}
        </span>
        <div class="end">
          <label>
            <span class="hidden-label">Time</span>
            <select value={days} onChange={(event) => set({ days: event.currentTarget.value || 'all' })}>
              {spans.map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </div>
      </header>
      <Answered answer={overTime}>
        {(statistics) =>
          statistics.totals.requests === 0 ? (
            <FirstSteps />
          ) : (
            <>
              <Totals statistics={statistics} />
              <OverTime statistics={statistics} />
            </>
          )
        }
      </Answered>
      {(byTenant.data?.data.length ?? 0) > 1 && (
        <Groups title="By tenant" head="Tenant" answer={byTenant} nameOf={({ tenant }) => tenant} />
      )}
      <Groups title="By model" head="Model" answer={byModel} nameOf={({ model }) => model} />
      <Groups title="By policy" head="Policy" answer={byPolicy} nameOf={({ policy }) => policy} />
    </div>
  )
}

/** Figures are asked for again a little after something has happened, and not oftener than every other second. */
function useAgainWhenLive(agains: readonly (() => void)[]): { readonly isOpen: boolean } {
  const { events, isOpen } = useLiveEvents(false)
  const newest = events[0]?.id
  useEffect(() => {
    if (newest === undefined) return undefined
    const timer = setTimeout(() => {
      for (const again of agains) again()
    }, 2000)
    return () => clearTimeout(timer)
  }, [newest])
  return { isOpen }
}

function Totals({ statistics }: { readonly statistics: Statistics }): JSX.Element {
  const { totals, rules } = statistics
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
    </Figures>
  )
}

function Money({ totals, rules }: { readonly totals: Sums; readonly rules: string }): JSX.Element {
  const { requests, priced, usd, passThroughUsd, savedUsd, savedShare } = totals
  const isPriced = priced > 0
  const saved = `${percent(savedShare)} of ${money(passThroughUsd)}, our own tool and hidden rounds counted`
  return (
    <>
      <Figure
        name="Saved against sending everything"
        value={isPriced ? money(savedUsd) : 'n/a'}
        tone={savedTone(isPriced ? savedUsd : undefined)}
        note={isPriced ? <span title={rules}>{saved}</span> : 'no price is known'}
      />
      <Figure
        name="Spent"
        value={isPriced ? money(usd) : 'n/a'}
        note={
          priced < requests ? `${count(priced)} of ${count(requests)} requests are priced` : 'all rounds, in and out'
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

function OverTime({ statistics }: { readonly statistics: Statistics }): JSX.Element | null {
  const { data, totals } = statistics
  const at = useMemo(() => data.map(({ startMs }) => startMs ?? 0), [data])
  const series = useMemo(
    () => [
      { name: 'spent', tone: '--accent', values: data.map(({ figures }) => figures.usd) },
      {
        name: 'sending everything',
        tone: '--quiet',
        values: data.map(({ figures }) => figures.passThroughUsd),
        isDashed: true,
      },
    ],
    [data],
  )
  if (totals.priced === 0 || data.length < 2) return null
  return (
    <section class="panel">
      <header>
        <h2>Money over time</h2>
      </header>
      <div class="inside">
        <Chart
          label={`Money over ${data.length} spans of time: ${money(totals.usd)} spent, ${money(totals.passThroughUsd)} had everything been sent.`}
          at={at}
          isTime
          series={series}
          write={money}
        />
      </div>
    </section>
  )
}

type Row = Statistics['data'][number]

interface GroupsProps {
  readonly title: string
  /** Of the column of names. */
  readonly head: string
  readonly answer: Parameters<typeof Answered<Statistics>>[0]['answer']
  readonly nameOf: (row: Row) => string | undefined
}

function Groups({ title, head, answer, nameOf }: GroupsProps): JSX.Element | null {
  if ((answer.data?.data.length ?? 0) === 0) return null
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
      </header>
      <Answered answer={answer}>
        {({ data }) => (
          <SortedTable
            caption={title}
            orderName={`sort-${head.toLowerCase()}`}
            columns={[
              { name: 'name', title: head, cell: (row) => nameOf(row), by: (row) => nameOf(row) ?? '' },
              ...sums,
            ]}
            rows={data}
            keyOf={(row) => nameOf(row) ?? ''}
          />
        )}
      </Answered>
    </section>
  )
}

const sumColumn = (
  name: string,
  title: string,
  by: (sums: Sums) => number,
  cell: (sums: Sums) => string,
): Column<Row> => ({
  name,
  title,
  isNumber: true,
  cell: ({ figures }) => cell(figures),
  by: ({ figures }) => by(figures),
})

const sums: readonly Column<Row>[] = [
  sumColumn(
    'requests',
    'Requests',
    (each) => each.requests,
    (each) => count(each.requests),
  ),
  sumColumn(
    'errors',
    'Failed',
    (each) => each.errors,
    (each) => (each.errors === 0 ? '' : count(each.errors)),
  ),
  sumColumn(
    'input',
    'Input tokens',
    (each) => each.inputTokens,
    (each) => tokens(each.inputTokens),
  ),
  sumColumn(
    'cached',
    'Cached',
    (each) => each.cachedShare ?? 0,
    (each) => percent(each.cachedShare),
  ),
  sumColumn(
    'spent',
    'Spent',
    (each) => each.usd,
    (each) => (each.priced === 0 ? 'n/a' : money(each.usd)),
  ),
  sumColumn(
    'saved',
    'Saved',
    (each) => each.savedUsd,
    (each) => (each.priced === 0 ? 'n/a' : `${money(each.savedUsd)} (${percent(each.savedShare)})`),
  ),
  sumColumn(
    'latency',
    'Own latency p95',
    (each) => each.overheadMs.p95 ?? 0,
    (each) => milliseconds(each.overheadMs.p95),
  ),
]
