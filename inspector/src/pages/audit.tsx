import type { JSX } from 'preact'
import type { AuditEntry } from '../api/answers.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { count, dateAndTime } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

const most = 1000

export function Audit(): JSX.Element {
  const answer = useAllPages<AuditEntry>('/v1/audit', {}, { limit: 200, most })
  return (
    <div class="page">
      <header>
        <Title text="Audit" />
        <p class="quiet">
          Who changed what, the newest first. <code>prehend audit verify</code> finds entries that were changed or
          removed.
        </p>
      </header>
      <Answered answer={answer}>
        {(rows) => (
          <section class="panel">
            {rows.length === 0 ? (
              <Empty title="Nothing has been changed yet">
                <p>Changes of keys, policies and the configuration appear here.</p>
              </Empty>
            ) : (
              <SortedTable
                caption="Audit"
                columns={columns}
                shownFirst={200}
                rows={rows}
                keyOf={({ tenant, seq }) => `${seq} ${tenant}`}
              />
            )}
            {rows.length >= most && (
              <p class="inside quiet">
                These are the newest {count(most)}; <code>prehend audit export</code> has all.
              </p>
            )}
          </section>
        )}
      </Answered>
    </div>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  {
    name: 'at',
    title: 'At',
    cell: ({ atMs }) => <time dateTime={new Date(atMs).toISOString()}>{dateAndTime(atMs)}</time>,
    by: ({ atMs }) => atMs,
  },
  { name: 'actor', title: 'Who', cell: ({ actor }) => actor, by: ({ actor }) => actor },
  { name: 'action', title: 'Action', cell: ({ action }) => <code>{action}</code>, by: ({ action }) => action },
  {
    name: 'target',
    title: 'Of',
    cell: ({ target }) => <code class="broken">{target}</code>,
    by: ({ target }) => target,
  },
  {
    name: 'tenant',
    title: 'Tenant',
    cell: ({ tenant }) => (tenant === '' ? 'the installation' : tenant),
    by: ({ tenant }) => tenant,
  },
  { name: 'entry', title: 'Entry', isNumber: true, cell: ({ seq }) => count(seq), by: ({ seq }) => seq },
  { name: 'from', title: 'From', cell: ({ from }) => from, by: ({ from }) => from },
]
