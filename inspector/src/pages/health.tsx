import type { JSX } from 'preact'
import type { Health as Told } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ago, count, dateAndTime } from '../format.ts'
import { Figure, Figures } from '../parts/figure.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

export function Health(): JSX.Element {
  const answer = useAnswer<Told>('/v1/health')
  return (
    <div class="page">
      <header>
        <Title text="Health" />
        <div class="end">
          <button type="button" onClick={answer.again}>
            Check again
          </button>
        </div>
      </header>
      <Answered answer={answer}>{(health) => <Checked health={health} />}</Answered>
    </div>
  )
}

const tones = { ok: 'good', warning: 'warn', failed: 'bad' } as const

function Checked({ health }: { readonly health: Told }): JSX.Element {
  const { state, startedMs, underway, mode, record, policy, checks, jobs, upstreams } = health
  return (
    <>
      <Figures>
        <Figure name="State" value={state} tone={state === 'ok' ? 'good' : state === 'failed' ? 'bad' : undefined} />
        <Figure name="Running since" value={ago(startedMs, Date.now())} note={dateAndTime(startedMs)} />
        <Figure name="Under way" value={count(underway)} note="requests that a provider answers" />
        <Figure name="Mode" value={mode} note={`policy ${policy}`} />
        <Figure
          name="Records"
          value={record}
          note={record === 'content' ? 'whole requests' : 'receipts without texts'}
        />
      </Figures>
      <section class="panel">
        <header>
          <h2>Checks</h2>
        </header>
        <SortedTable caption="Checks" columns={checkColumns} rows={checks} keyOf={({ name }) => name} />
      </section>
      {jobs.length > 0 && (
        <section class="panel">
          <header>
            <h2>Background jobs</h2>
          </header>
          <SortedTable caption="Background jobs" columns={jobColumns} rows={jobs} keyOf={({ kind }) => kind} />
        </section>
      )}
      {upstreams.length > 0 && (
        <section class="panel">
          <header>
            <h2>Upstreams</h2>
          </header>
          <SortedTable caption="Upstreams" columns={upstreamColumns} rows={upstreams} keyOf={({ name }) => name} />
        </section>
      )}
    </>
  )
}

const checkColumns: readonly Column<Told['checks'][number]>[] = [
  { name: 'name', title: 'Check', cell: ({ name }) => name },
  {
    name: 'state',
    title: 'State',
    cell: ({ state }) => <span class={`chip ${tones[state]}`}>{state}</span>,
    by: ({ state }) => state,
  },
  { name: 'about', title: 'What was found', cell: ({ about }) => about },
  { name: 'remedy', title: 'What to do', cell: ({ remedy }) => remedy },
]

const upstreamColumns: readonly Column<Told['upstreams'][number]>[] = [
  { name: 'name', title: 'Upstream', cell: ({ name }) => name },
  { name: 'dialects', title: 'Dialects', cell: ({ dialects }) => dialects.join(', ') },
  { name: 'address', title: 'Address', cell: ({ address }) => <code>{address ?? 'in process'}</code> },
  { name: 'credentials', title: 'Credentials', cell: ({ credentials }) => credentials },
]

const jobFigure = (
  name: 'waiting' | 'running' | 'done' | 'failed' | 'dropped',
  title: string,
): Column<Told['jobs'][number]> => ({
  name,
  title,
  isNumber: true,
  cell: (job) => count(job[name]),
  by: (job) => job[name],
})

const jobColumns: readonly Column<Told['jobs'][number]>[] = [
  { name: 'kind', title: 'Job', cell: ({ kind }) => kind },
  jobFigure('waiting', 'Waiting'),
  jobFigure('running', 'Running'),
  jobFigure('done', 'Done'),
  jobFigure('failed', 'Failed'),
  jobFigure('dropped', 'Dropped'),
]
