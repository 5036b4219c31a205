import type { JSX } from 'preact'
import { addressOf, useAddress } from '../address.ts'
import type { Artifact } from '../api/answers.ts'
import { useAllPages } from '../api/use-all-pages.ts'
import { bytes, count, counted } from '../format.ts'
import { Figure, Figures } from '../parts/figure.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { When } from '../parts/when.tsx'
import { artifactClasses, classWords, kindWords } from './artifact-words.ts'

const most = 2000

/** What is stored under a stable URI, by path. */
export function Artifacts(): JSX.Element {
  const { query } = useAddress()
  const { list, class: wanted = '', hold } = query
  const answer = useAllPages<Artifact>('/v1/artifacts', { list }, { limit: 500, most })
  const isWanted = (one: Artifact): boolean =>
    (wanted === '' || one.class === wanted) && (hold === undefined || one.hold)
  return (
    <div class="page">
      <header>
        <Title text="Artifacts" />
        <p class="quiet">Reports, manifests and raw results that are stored under a stable URI, by path.</p>
        <Filters />
      </header>
      <Answered answer={answer}>
        {(rows) =>
          rows.length === 0 ? (
            <NoArtifacts prefix={list ?? ''} />
          ) : (
            <>
              <Sums rows={rows} />
              <Rows rows={rows.filter(isWanted)} isCut={rows.length >= most} />
            </>
          )
        }
      </Answered>
    </div>
  )
}

function Filters(): JSX.Element {
  const { query, set } = useAddress()
  return (
    <div class="end">
      <label>
        <span class="hidden-label">Paths that begin with</span>
        <input
          type="search"
          placeholder="tasks/42/"
          value={query['list'] ?? ''}
          onChange={(event) => set({ list: event.currentTarget.value.trim() })}
        />
      </label>
      <label>
        <span class="hidden-label">Class</span>
        <select value={query['class'] ?? ''} onChange={(event) => set({ class: event.currentTarget.value })}>
          <option value="">All classes</option>
          {artifactClasses.map((name) => (
            <option key={name} value={name}>
              {classWords(name)}
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={query['hold'] !== undefined}
          onChange={(event) => set({ hold: event.currentTarget.checked ? '1' : undefined })}
        />{' '}
        on hold only
      </label>
    </div>
  )
}

function Sums({ rows }: { readonly rows: readonly Artifact[] }): JSX.Element {
  const held = rows.filter(({ hold }) => hold)
  return (
    <Figures>
      {artifactClasses.map((name) => {
        const own = rows.filter((row) => row.class === name)
        return (
          <Figure
            key={name}
            name={classWords(name)}
            value={count(own.length)}
            note={`${bytes(sizeOf(own))}, newest versions`}
          />
        )
      })}
      <Figure name="On hold" value={count(held.length)} note="neither removed nor expired" />
    </Figures>
  )
}

const sizeOf = (rows: readonly Artifact[]): number => rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

interface RowsProps {
  readonly rows: readonly Artifact[]
  readonly isCut: boolean
}

function Rows({ rows, isCut }: RowsProps): JSX.Element {
  return (
    <section class="panel">
      {rows.length === 0 ? (
        <Empty title="None of them is like that">
          <p>Choose another class, or leave out “on hold only”.</p>
        </Empty>
      ) : (
        <SortedTable caption="Artifacts" columns={columns} rows={rows} shownFirst={200} keyOf={({ uri }) => uri} />
      )}
      {isCut && (
        <p class="inside quiet">
          These are the first {counted(most, ['path', 'paths'])}; name the beginning of a path above to see others.
        </p>
      )}
    </section>
  )
}

function NoArtifacts({ prefix }: { readonly prefix: string }): JSX.Element {
  return (
    <section class="panel">
      <Empty title={prefix === '' ? 'There are no artifacts' : `No path begins with ${prefix}`}>
        <p>Requests that name a task store manifests and replies here. You can store bytes, too:</p>
        <pre>{`prehend artifacts put tasks/42/step-1/report.md report.md --url ${location.origin}`}</pre>
      </Empty>
    </section>
  )
}

const columns: readonly Column<Artifact>[] = [
  {
    name: 'path',
    title: 'Path',
    cell: ({ uri }) => (
      <a class="mono" href={addressOf.artifact(uri)}>
        {uri.replace('artifact://', '')}
      </a>
    ),
    by: ({ uri }) => uri,
  },
  {
    name: 'kind',
    title: 'Kind',
    cell: ({ mediaType }) => <span title={mediaType}>{kindWords(mediaType)}</span>,
    by: ({ mediaType }) => kindWords(mediaType),
  },
  { name: 'class', title: 'Class', cell: (row) => classWords(row.class), by: (row) => row.class },
  {
    name: 'hold',
    title: 'Hold',
    cell: ({ hold }) => hold && <span class="chip warn">on hold</span>,
    by: ({ hold }) => (hold ? 0 : 1),
  },
  { name: 'size', title: 'Size', isNumber: true, cell: (row) => bytes(row.sizeBytes), by: (row) => row.sizeBytes },
  { name: 'versions', title: 'Version', isNumber: true, cell: (row) => count(row.version), by: (row) => row.version },
  {
    name: 'created',
    title: 'Stored',
    cell: ({ createdMs }) => <When ms={createdMs} />,
    by: ({ createdMs }) => createdMs,
  },
  {
    name: 'from',
    title: 'From',
    cell: ({ requestId, session }) =>
      requestId !== undefined ? (
        <a href={addressOf.request(requestId)}>a request</a>
      ) : (
        session !== undefined && <a href={addressOf.session(session)}>a session</a>
      ),
    by: ({ session }) => session ?? '',
  },
]
