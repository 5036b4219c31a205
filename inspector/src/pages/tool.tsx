import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { home } from '../address.ts'
import type { List, SessionLabel, Tool as Told, ToolCall } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { count, milliseconds, tokens } from '../format.ts'
import { SessionLink } from '../parts/session-link.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import { TextDifference } from '../parts/text-difference.tsx'
import { Title } from '../parts/title.tsx'
import { When } from '../parts/when.tsx'

/** One tool of the registry: its definition, one that is held back, and its newest calls. */
export function Tool(): JSX.Element {
  const { params } = useRoute()
  const id = params['id'] ?? ''
  const path = `/v1/tools/${encodeURIComponent(id)}`
  const answer = useAnswer<Told>(path)
  const calls = useAnswer<List<ToolCall>>(answer.data === undefined ? undefined : `${path}/calls`, { limit: 50 })
  return (
    <div class="page">
      <header>
        <p class="crumbs">
          <a href={`${home}tools`}>Tools</a>
        </p>
        <Title text={id} isCode />
      </header>
      <Answered answer={answer}>
        {(tool) => (
          <>
            <Facts tool={tool} />
            {tool.heldBack && <HeldBack tool={tool} heldBack={tool.heldBack} />}
            <section class="panel">
              <header>
                <h2>Definition</h2>
              </header>
              <div class="inside">
                <TextBlock text={tool.description} label="description" />
                <TextBlock text={JSON.stringify(tool.inputSchema, undefined, 2)} label="schema of its arguments" />
              </div>
            </section>
            <Answered answer={calls}>{({ data }) => <Calls id={id} rows={data} />}</Answered>
          </>
        )}
      </Answered>
    </div>
  )
}

function Facts({ tool }: { readonly tool: Told }): JSX.Element {
  const { calledAs, status, why, level, protocol, timeout, scopes, idempotent, usage, warnings, quality } = tool
  const facts: readonly (readonly [string, string])[] = [
    ['Called as', calledAs],
    ['Status', why === undefined ? status : `${status}: ${why}`],
    ['Level', level],
    ['Runs by', protocol],
    ['Timeout', timeout],
    ['Scopes', scopes.length === 0 ? 'none' : scopes.join(', ')],
    ['Tried again', idempotent ? 'once, where its server cannot be reached' : 'never'],
    ['Definition', `${tokens(tool.tokens)} tokens`],
    ['Quality', quality.toFixed(2)],
    ['Offered, called, failed', [usage.offered, usage.called, usage.failed].map(count).join(', ')],
    ...(warnings.length > 0 ? [['Left out', warnings.join('; ')] as const] : []),
  ]
  return (
    <section class="panel">
      <dl class="facts inside">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}

interface HeldBackProps {
  readonly tool: Told
  readonly heldBack: NonNullable<Told['heldBack']>
}

function HeldBack({ tool, heldBack }: HeldBackProps): JSX.Element {
  const { why, reasons = [], description } = heldBack
  return (
    <section class="panel">
      <header>
        <h2>Held back</h2>
        <p>
          {why === 'changed'
            ? 'Its server has changed the definition. The old one stays until somebody accepts the new one.'
            : `The definition looks like orders to a model${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}.`}
        </p>
      </header>
      <div class="inside">
        <TextDifference before={tool.description} after={description} label="the definition that is held back" />
        <p>To accept what its server says next, as an operator:</p>
        <pre>{`prehend tools remove ${tool.id} --url ${location.origin}`}</pre>
      </div>
    </section>
  )
}

function Calls({ id, rows }: { readonly id: string; readonly rows: readonly ToolCall[] }): JSX.Element {
  const labels = useSessionLabels()
  return (
    <section class="panel">
      <header>
        <h2>Newest calls</h2>
        <p>Without arguments and results.</p>
      </header>
      {rows.length === 0 ? (
        <Empty title="Nobody has called it yet">
          <pre>{`prehend tools call ${id} '{}' --url ${location.origin}`}</pre>
        </Empty>
      ) : (
        <SortedTable caption="Newest calls" columns={columnsOf(labels)} rows={rows} keyOf={(call) => call.id} />
      )}
    </section>
  )
}

const columnsOf = (labels: ReadonlyMap<string, SessionLabel>): readonly Column<ToolCall>[] => [
  { name: 'at', title: 'At', cell: ({ atMs }) => <When ms={atMs} />, by: ({ atMs }) => atMs },
  {
    name: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => <span class={`chip ${outcome === 'ok' ? 'good' : 'bad'}`}>{outcome}</span>,
    by: ({ outcome }) => outcome,
  },
  {
    name: 'took',
    title: 'Took',
    isNumber: true,
    cell: ({ tookMs }) => milliseconds(tookMs),
    by: ({ tookMs }) => tookMs,
  },
  { name: 'tokens', title: 'Result', isNumber: true, cell: (row) => tokens(row.tokens), by: (row) => row.tokens },
  {
    name: 'session',
    title: 'Session',
    cell: ({ session }) => session !== undefined && <SessionLink session={session} label={labels.get(session)} />,
    by: ({ session }) => session ?? '',
  },
]
