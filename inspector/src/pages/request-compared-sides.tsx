import type { JSX } from 'preact'
import type { PackComparison } from '../api/answers.ts'
import { change, count, money, percent } from '../format.ts'
import { epochWords } from '../words.ts'

type Side = PackComparison['sides'][number]
type Bill = Side['bill']

interface SidesProps {
  readonly first: Side
  readonly second: Side
}

/** Two ways of sending a request, figure by figure. */
export function Sides({ first, second }: SidesProps): JSX.Element {
  const rows: readonly Row[] = [
    { name: 'Tokens of items sent', cell: (side) => count(side.packTokens), change: (side) => side.packTokens },
    {
      name: 'Read from the cache',
      cell: ({ bill }) => percent(bill.tokens > 0 ? bill.cachedTokens / bill.tokens : undefined),
    },
    { name: 'This request costs', cell: ({ bill }) => price(bill), change: ({ bill }) => bill.cost },
    { name: 'All up to this one', cell: ({ soFar }) => price(soFar), change: ({ soFar }) => soFar.cost },
    { name: 'Outcome', cell: outcomeWords },
    {
      name: 'Epoch',
      cell: ({ epoch }) => (epoch ? `${epoch.epoch}, ${epoch.decision}: ${epochWords(epoch.cause)}` : 'n/a'),
    },
  ]
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="What both come to">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{nameOf(first)}</th>
            <th scope="col">{nameOf(second)}</th>
            <th scope="col" class="number">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td>{row.cell(first)}</td>
              <td>{row.cell(second)}</td>
              <td class="number">{row.change && <Change now={row.change(second)} before={row.change(first)} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Row {
  readonly name: string
  readonly cell: (side: Side) => string
  readonly change?: (side: Side) => number
}

function Change({ now, before }: { readonly now: number; readonly before: number }): JSX.Element {
  return <span class={now < before ? 'good' : now > before ? 'bad' : undefined}>{change(now, before)}</span>
}

export function nameOf({ policy, isRecorded }: Side): string {
  return isRecorded ? `${policy}, as sent` : policy
}

function price({ usd, cost }: Bill): string {
  return usd === null ? `${count(Math.round(cost))} input tokens` : money(usd)
}

function outcomeWords({ outcome, asItCame, isRecorded, same }: Side): string {
  const words = outcome ?? 'its policy does not let it out'
  if (asItCame) return `${words}: it goes as it came`
  return isRecorded && same === false ? `${words}; made again it was another pack` : words
}
