import type { JSX } from 'preact'
import { addressOf } from '../address.ts'
import type { List, ToolSummary } from '../api/answers.ts'
import { useGrowing } from '../api/use-growing.ts'
import { count, tokens } from '../format.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty } from '../parts/states.tsx'

interface ToolPage extends List<ToolSummary> {
  readonly missing: readonly { readonly server: string; readonly reason: string }[]
}

interface Tools {
  readonly rows: readonly ToolSummary[]
  readonly missing: ToolPage['missing']
}

/** The tools of the gateway's registry, and the sources that cannot tell theirs. */
export function Registry(): JSX.Element {
  const answer = useGrowing<ToolPage, Tools>(
    '/v1/tools',
    {},
    {
      limits: [200, 500],
      join: (before, { data, missing }) => ({ rows: [...(before?.rows ?? []), ...data], missing }),
    },
  )
  return (
    <Answered answer={answer}>
      {({ rows, missing }) => (
        <section class="panel">
          <header>
            <h2>Registry</h2>
            <p>Tools of MCP servers, OpenAPI documents, files and programs that this gateway runs, and your own.</p>
          </header>
          {missing.length > 0 && (
            <ul class="found bad" aria-label="Sources that fail">
              {missing.map(({ server, reason }) => (
                <li key={server}>
                  <code>{server}</code>: {reason}
                </li>
              ))}
            </ul>
          )}
          {rows.length === 0 ? (
            <NoRegistry />
          ) : (
            <SortedTable
              caption="Registry"
              orderName="sort-registry"
              columns={columns}
              rows={rows}
              shownFirst={100}
              keyOf={({ id }) => id}
            />
          )}
        </section>
      )}
    </Answered>
  )
}

function NoRegistry(): JSX.Element {
  return (
    <Empty title="The registry has no tools">
      <p>
        Name a source in the configuration and start the gateway with it:{' '}
        <code>prehend serve --config gateway.json</code>
      </p>
      <pre>{`{ "tools": { "sources": {
  "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"] } } } }`}</pre>
    </Empty>
  )
}

const tones = { ready: 'good', unavailable: 'warn', quarantined: 'bad' } as const

const columns: readonly Column<ToolSummary>[] = [
  {
    name: 'tool',
    title: 'Tool',
    cell: ({ id, calledAs, purpose }) => (
      <>
        <a class="mono" href={addressOf.tool(id)} title={purpose}>
          {calledAs}
        </a>
      </>
    ),
    by: ({ calledAs }) => calledAs,
  },
  { name: 'source', title: 'Source', cell: ({ id }) => <code>{id.split('::')[0]}</code>, by: ({ id }) => id },
  { name: 'level', title: 'Level', cell: ({ level }) => level, by: ({ level }) => level },
  {
    name: 'status',
    title: 'Status',
    cell: ({ status, why, heldBack }) => (
      <>
        <span class={`chip ${tones[status]}`} title={why}>
          {status}
        </span>{' '}
        {heldBack && status !== 'quarantined' && <span class="chip warn">definition held back</span>}
      </>
    ),
    by: ({ status }) => status,
  },
  {
    name: 'tokens',
    title: 'Definition',
    isNumber: true,
    cell: (row) => tokens(row.tokens),
    by: (row) => row.tokens,
  },
  {
    name: 'quality',
    title: 'Quality',
    isNumber: true,
    cell: (row) => row.quality.toFixed(2),
    by: (row) => row.quality,
  },
  usageColumn('offered', 'Offered', ({ offered }) => offered),
  usageColumn('called', 'Called', ({ called }) => called),
  usageColumn('failed', 'Failed', ({ failed }) => failed),
  usageColumn('results', 'Result tokens', (usage) => usage.tokens),
]

function usageColumn(name: string, title: string, of: (usage: ToolSummary['usage']) => number): Column<ToolSummary> {
  return { name, title, isNumber: true, cell: ({ usage }) => count(of(usage)), by: ({ usage }) => of(usage) }
}
