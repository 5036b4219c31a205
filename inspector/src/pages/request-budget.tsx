import type { JSX } from 'preact'
import type { PackSummary, SectionBudget } from '../api/answers.ts'
import { count, milliseconds, percent } from '../format.ts'
import { SectionName } from '../parts/section-bar.tsx'
import { sectionMeaning, sectionWords, termMeaning } from '../glossary.ts'
import { Meanings } from '../parts/term.tsx'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { epochWords } from '../words.ts'
import type { TabProps } from './tab-props.ts'

/** How the window was shared out, what an epoch would have cost, and where the time went. */
export function Budget({ pack }: TabProps): JSX.Element | null {
  if (!pack) return null
  const { sections } = pack.manifest
  const used = sections.filter(({ demandTokens, allocatedTokens }) => demandTokens + allocatedTokens > 0)
  return (
    <>
      <section class="panel">
        <header>
          <h2>Budget</h2>
          <p>What each section asked for, was granted and took, in tokens.</p>
        </header>
        <SortedTable caption="Budget by section" columns={columns} rows={used} keyOf={({ section }) => section} />
        <Meanings
          words={[
            ...used.map(({ section }) => [sectionWords(section), sectionMeaning(section)] as const),
            ['Readable', termMeaning('Readable') ?? ''],
          ]}
        />
      </section>
      <div class="halves">
        <Window pack={pack} />
        <Compaction pack={pack} />
        <Times pack={pack} />
      </div>
    </>
  )
}

const columns: readonly Column<SectionBudget>[] = [
  {
    name: 'section',
    title: 'Section',
    cell: ({ section }) => <SectionName section={section} />,
  },
  { name: 'tier', title: 'Tier', isNumber: true, cell: ({ tier }) => tier, by: ({ tier }) => tier },
  {
    name: 'asked',
    title: 'Asked',
    isNumber: true,
    cell: (row) => count(row.demandTokens),
    by: (row) => row.demandTokens,
  },
  {
    name: 'granted',
    title: 'Granted',
    isNumber: true,
    cell: (row) => count(row.allocatedTokens),
    by: (row) => row.allocatedTokens,
  },
  { name: 'took', title: 'Took', isNumber: true, cell: (row) => count(row.usedTokens), by: (row) => row.usedTokens },
  { name: 'items', title: 'Items', isNumber: true, cell: (row) => count(row.included), by: (row) => row.included },
  {
    name: 'out',
    title: 'Left out',
    isNumber: true,
    cell: (row) => (row.excluded > 0 ? count(row.excluded) : ''),
    by: (row) => row.excluded,
  },
  {
    name: 'kept',
    title: 'Readable',
    isNumber: true,
    cell: ({ fidelity }) => (fidelity === undefined ? 'all' : percent(fidelity)),
    by: ({ fidelity }) => fidelity ?? 1,
  },
]

function Window({ pack }: { readonly pack: PackSummary }): JSX.Element {
  const { windowTokens, reserveTokens, overheadTokens, utilisation, shadowPrice, epoch, tokenizerId, layout } =
    pack.manifest
  return (
    <section class="panel">
      <header>
        <h2>Window and epoch</h2>
      </header>
      <div class="inside">
        <dl class="facts">
          <Fact name="window" value={`${count(windowTokens)} tokens`} />
          <Fact name="kept for the answer" value={count(reserveTokens)} />
          <Fact name="frame of the request" value={count(overheadTokens)} />
          <Fact name="used" value={percent(utilisation)} />
          <Fact
            name="one more token is worth"
            value={shadowPrice === undefined ? 'nothing: all that asked for room had it' : shadowPrice.toPrecision(3)}
          />
          <Fact name="layout" value={layout} />
          <Fact name="counted by" value={tokenizerId} />
          {epoch && (
            <>
              <Fact name="epoch" value={`${epoch.epoch}, ${epoch.decision}: ${epochWords(epoch.cause)}`} />
              <Fact name="writing anew would cost" value={`${count(Math.round(epoch.rewriteCost))} tokens of input`} />
              <Fact name="and save a turn" value={count(Math.round(epoch.savingPerTurn))} />
              <Fact name="turns expected" value={count(Math.round(epoch.expectedTurns))} />
              <Fact name="account" value={count(Math.round(epoch.credit))} />
            </>
          )}
        </dl>
      </div>
    </section>
  )
}

/** Of a request that was compacted: what that saved, and when it pays. */
function Compaction({ pack }: { readonly pack: PackSummary }): JSX.Element | null {
  const { compaction } = pack.manifest
  if (compaction === undefined) return null
  const { cause, tokensBefore, tokensAfter, briefTokens, items, handles, price, rent, paybackTurns } = compaction
  return (
    <section class="panel">
      <header>
        <h2>Compaction {compaction.count} of this conversation</h2>
      </header>
      <div class="inside">
        <dl class="facts">
          <Fact name="why" value={cause} />
          <Fact name="tokens before and after" value={`${count(tokensBefore)}, ${count(tokensAfter)}`} />
          <Fact name="of that the brief" value={count(briefTokens)} />
          <Fact name="stands for" value={`${count(items)} items: ${handles.join(', ')}`} />
          <Fact name="cost now" value={`${count(Math.round(price))} tokens of input`} />
          <Fact name="holding on had cost" value={count(Math.round(rent))} />
          <Fact
            name="pays back after"
            value={paybackTurns === undefined ? 'unknown' : `${count(paybackTurns)} requests`}
          />
        </dl>
      </div>
    </section>
  )
}

function factsText(facts: { readonly [name: string]: unknown }): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${text(value)}`)
    .join(', ')
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function Times({ pack }: { readonly pack: PackSummary }): JSX.Element {
  const { stages = [] } = pack.manifest
  const layers = pack.result?.layers ?? []
  const longest = layers.reduce((most, { ms }) => Math.max(most, ms), 0)
  return (
    <section class="panel">
      <header>
        <h2>Where the time went</h2>
        <p>Ours, before the request went on.</p>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">Layer</th>
            <th scope="col">Outcome</th>
            <th scope="col">Facts</th>
            <th scope="col" class="number">
              Time
            </th>
            <th scope="col" aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {layers.map(({ name, ms, outcome = '', facts = {} }, at) => (
            <tr key={`${name} ${at}`}>
              <td>{name}</td>
              <td>{outcome}</td>
              <td>{factsText(facts)}</td>
              <td class="number">{milliseconds(ms)}</td>
              <td class="time-bar" aria-hidden="true">
                <i style={{ width: `${longest > 0 ? (ms / longest) * 100 : 0}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {stages.length > 0 && <Stages stages={stages} />}
    </section>
  )
}

type StagesProps = Required<Pick<PackSummary['manifest'], 'stages'>>

function Stages({ stages }: StagesProps): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col" class="number">
            Items left
          </th>
          <th scope="col" class="number">
            Tokens left
          </th>
        </tr>
      </thead>
      <tbody>
        {stages.map(({ stage, items, tokens }) => (
          <tr key={stage}>
            <td>{stage}</td>
            <td class="number">{count(items)}</td>
            <td class="number">{count(tokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
