import type { JSX } from 'preact'
import type { TokenUsage } from '../api/answers.ts'
import { clock, counted, dateAndTime, percent, tokens } from '../format.ts'
import { groupTone } from './overview-treemap.tsx'

type Run = TokenUsage['drift'][number]

const carriedBy = ({ groups }: Run): number => groups.reduce((sum, { carried }) => sum + carried, 0)
const perRequest = (run: Run): number => carriedBy(run) / Math.max(1, run.requests)

/** How the composition of requests changes over time: a bar for each run of requests, as high as what one of them took. */
export function Drift({ drift, groups }: Pick<TokenUsage, 'drift' | 'groups'>): JSX.Element | null {
  const [first, last] = [drift[0], drift.at(-1)]
  if (first === undefined || last === undefined || drift.length < 2) return null
  const most = Math.max(...drift.map(perRequest))
  const order = groups.map(({ group }) => group)
  return (
    <>
      <h3 class="inside">Over time</h3>
      <p class="drift-words quiet">
        {tokens(perRequest(first))} tokens a request at {clock(first.fromMs)}, {tokens(perRequest(last))} at{' '}
        {clock(last.fromMs)}. {shareWords(first, last, order[0] ?? '')}
      </p>
      <ol class="drift">
        {drift.map((run) => (
          <li key={run.fromMs} title={runWords(run, order)}>
            <span class="hidden-label">{runWords(run, order)}</span>
            {order.toReversed().map((group) => (
              <i
                key={group}
                aria-hidden="true"
                style={{
                  'height': `${(carriedOf(run, group) / run.requests / most) * 100}%`,
                  '--tone': groupTone(group),
                }}
              />
            ))}
          </li>
        ))}
      </ol>
    </>
  )
}

function carriedOf({ groups }: Run, group: string): number {
  return groups.find((one) => one.group === group)?.carried ?? 0
}

function shareOf(run: Run, group: string): string {
  return percent(carriedOf(run, group) / Math.max(1, carriedBy(run)))
}

function shareWords(first: Run, last: Run, group: string): string {
  return `The share of ${group} went from ${shareOf(first, group)} to ${shareOf(last, group)}.`
}

function runWords(run: Run, order: readonly string[]): string {
  const shares = order.flatMap((group) => (carriedOf(run, group) > 0 ? [`${group} ${shareOf(run, group)}`] : []))
  const { fromMs, requests } = run
  return `${counted(requests, ['request', 'requests'])} from ${dateAndTime(fromMs)}: ${tokens(perRequest(run))} tokens each; ${shares.join(', ')}`
}
