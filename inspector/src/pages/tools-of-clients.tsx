import type { JSX } from 'preact'
import type { ClientTool, ClientToolUsage } from '../api/answers.ts'
import { count, money, percent, tokens, unknown } from '../format.ts'
import { Figure, Figures } from '../parts/figure.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Empty } from '../parts/states.tsx'

/** How the requests of some time used the tools that their clients sent. */
export function ClientTools({ usage }: { readonly usage: ClientToolUsage }): JSX.Element {
  const { requests, whole, unread, tools, data } = usage
  const used = data.filter(isUsed)
  const unused = data.filter((tool) => !isUsed(tool))
  return (
    <>
      {data.length > 0 && <Totals usage={usage} />}
      <section class="panel">
        <header>
          <h2>Tools of clients</h2>
          <p>
            In {whole ? '' : 'the newest '}
            {count(requests)} requests. A definition or a result counts once for every request that carried it. Wasted:
            of the requests that offered the tool, those whose conversation had not called it so far.
          </p>
        </header>
        {data.length === 0 && <NoTools />}
        {used.length > 0 && (
          <SortedTable
            caption="Tools of clients"
            columns={used.some(({ learnt }) => learnt) ? [...columns, ...learntColumns] : columns}
            rows={used}
            shownFirst={100}
            keyOf={({ name }) => name}
          />
        )}
        {data.length < tools && (
          <p class="inside quiet">
            These are the {count(data.length)} that took most, of {count(tools)}.
          </p>
        )}
        {unread > 0 && (
          <p class="inside quiet">
            The calls of {count(unread)} requests are not recorded: <code>prehend serve --record content</code> keeps
            them from now on.
          </p>
        )}
      </section>
      {unused.length > 0 && (
        <section class="panel">
          <header>
            <h2>Tools that no request of this time carried</h2>
            <p>
              Clients have sent them before, or their requests left them to be found. Quality is how searches rank a
              tool, from 0.5 to 1.5.
            </p>
          </header>
          <SortedTable
            caption="Tools that no request of this time carried"
            orderName="sort-unused"
            columns={[nameColumn, ...learntColumns]}
            rows={unused}
            shownFirst={10}
            keyOf={({ name }) => name}
          />
        </section>
      )}
    </>
  )
}

const isUsed = ({ defined, called }: ClientTool): boolean => defined > 0 || (called ?? 0) > 0

function NoTools(): JSX.Element {
  return (
    <Empty title="No request with tools in this time">
      <p>
        An agent that sends <code>tools</code> through this gateway appears here with its first request. Choose a longer
        time above, or send one:
      </p>
      <pre>{`curl ${location.origin}/v1/chat/completions -H 'content-type: application/json' -d '{"model": "gpt-5.1",
  "tools": [{"type": "function", "function": {"name": "ls", "parameters": {"type": "object"}}}],
  "messages": [{"role": "user", "content": "Hello"}]}'`}</pre>
    </Empty>
  )
}

function Totals({ usage }: { readonly usage: ClientToolUsage }): JSX.Element {
  const { totals, data } = usage
  const { definedTokens, wastedTokens, leftTokens, leftRequests } = totals
  const priced = data.flatMap(({ inputUsd }) => inputUsd ?? [])
  return (
    <Figures>
      <Figure
        name="Definitions"
        value={tokens(definedTokens)}
        note={`tokens of tools of clients in ${count(totals.requests)} requests`}
      />
      <Figure
        name="Wasted"
        value={definedTokens === 0 ? unknown : percent(wastedTokens / definedTokens)}
        tone={wastedTokens * 2 > definedTokens ? 'bad' : undefined}
        note={`${tokens(wastedTokens)} tokens of tools that their conversation had not called so far`}
      />
      <Figure
        name="Left to be found"
        value={tokens(leftTokens)}
        tone={leftTokens > 0 ? 'good' : undefined}
        note={
          leftTokens > 0 ? (
            `tokens of definitions that ${count(leftRequests)} requests did not carry`
          ) : (
            <>
              no request left any; <code>balanced</code> and <code>thrifty</code> select tools of servers, and all tools
              of an agent with more than 40
            </>
          )
        }
      />
      <Figure
        name="At the input price"
        value={priced.length === 0 ? unknown : money(priced.reduce((sum, usd) => sum + usd, 0))}
        note="definitions and results, as if no cache had been read"
      />
    </Figures>
  )
}

const nameColumn: Column<ClientTool> = {
  name: 'tool',
  title: 'Tool',
  cell: ({ name, isOurs }) => (
    <>
      <code>{name}</code> {isOurs && <span class="chip">of the gateway</span>}
    </>
  ),
  by: ({ name }) => name,
}

const learntColumns: readonly Column<ClientTool>[] = [
  {
    name: 'sessions',
    title: 'In sessions',
    isNumber: true,
    cell: ({ learnt }) => learnt && `${count(learnt.calledIn)} of ${count(learnt.sessions)}`,
    by: ({ learnt }) => (learnt && learnt.sessions > 0 ? learnt.calledIn / learnt.sessions : -1),
  },
  {
    name: 'quality',
    title: 'Quality',
    isNumber: true,
    cell: ({ learnt }) => learnt && learnt.quality.toFixed(2),
    by: ({ learnt }) => learnt?.quality ?? -1,
  },
]

const columns: readonly Column<ClientTool>[] = [
  nameColumn,
  numberColumn('offered', 'Offered', ({ defined }) => defined),
  numberColumn('called', 'Called', ({ called }) => called),
  {
    ...numberColumn('failed', 'Failed', ({ failed }) => failed),
    cell: ({ failed }) => <span class={failed ? 'bad' : undefined}>{count(failed)}</span>,
  },
  {
    name: 'wasted',
    title: 'Wasted',
    isNumber: true,
    cell: ({ wasted, defined, wastedTokens }) =>
      wasted === null || defined === 0 ? (
        unknown
      ) : (
        <span title={`${count(wastedTokens)} tokens in ${count(wasted)} requests`}>{percent(wasted / defined)}</span>
      ),
    by: ({ wasted, defined }) => (wasted === null || defined === 0 ? -1 : wasted / defined),
  },
  tokenColumn('size', 'Size', (tool) => tool.tokens),
  tokenColumn('definitions', 'Definitions', ({ definitionTokens }) => definitionTokens),
  tokenColumn('results', 'Results', ({ resultTokens }) => resultTokens),
  moneyColumn('price', 'Input price', ({ inputUsd }) => inputUsd),
  moneyColumn('cost', 'Cost', ({ usd }) => usd),
]

type Value = (tool: ClientTool) => number | null

function numberColumn(name: string, title: string, of: Value): Column<ClientTool> {
  return { name, title, isNumber: true, cell: (tool) => count(of(tool)), by: (tool) => of(tool) ?? -1 }
}

function tokenColumn(name: string, title: string, of: Value): Column<ClientTool> {
  return { ...numberColumn(name, title, of), cell: (tool) => tokens(of(tool)) }
}

function moneyColumn(name: string, title: string, of: Value): Column<ClientTool> {
  return { ...numberColumn(name, title, of), cell: (tool) => money(of(tool)) }
}
