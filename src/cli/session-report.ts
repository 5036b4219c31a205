import { percent } from '../inspect/index.ts'
import type { SessionCost, SessionSummary } from '../stores/index.ts'
import { dollarText } from './dollar-text.ts'
import { fittedTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

export function sessionTable(list: readonly SessionSummary[], columns?: number): string {
  if (list.length === 0) return 'There are no sessions yet.\n'
  const rows = list.map(({ session, usedMs, cost }) => [
    session,
    new Date(usedMs).toISOString().slice(0, 19),
    cost.priced === cost.requests ? String(cost.requests) : `${cost.priced} of ${cost.requests}`,
    String(cost.inputTokens),
    String(cost.passThroughTokens),
    ...moneyCells(cost),
  ])
  const head = ['session', 'last used', 'requests', 'tokens', 'all tokens', 'cost', 'all cost', 'saved', 'share']
  const drop = ['last used', 'all tokens', 'tokens', 'requests', 'all cost']
  const notes = [
    'all: what sending everything would have come to, an estimate; ours has our tools and hidden rounds in it.',
    ...(list.some(({ cost }) => cost.priced < cost.requests)
      ? ['requests: those that are in the money, of all; of the others usage or prices are not known.']
      : []),
  ]
  return `${fittedTable(head, rows, { columns, drop })}\n\n${notes.map((note) => hanging(note, columns)).join('\n')}\n`
}

function moneyCells(cost: SessionCost): readonly string[] {
  if (cost.priced === 0) return ['n/a', 'n/a', 'n/a', 'n/a']
  const { usd, passThroughUsd } = cost
  return [
    dollarText(usd),
    dollarText(passThroughUsd),
    dollarText(passThroughUsd - usd),
    shareOf(passThroughUsd - usd, passThroughUsd),
  ]
}

/** What a session has come to, in a line. */
export function costLine({ requests, priced, ...cost }: SessionCost): string {
  const { inputTokens, passThroughTokens, usd, passThroughUsd } = cost
  const tokens = `${inputTokens} tokens in, everything about ${passThroughTokens}`
  if (priced === 0) return `${tokens}; usage or prices are not known`
  const some = priced < requests ? ` (${priced} of ${requests} requests)` : ''
  return `${moneyLine(usd, passThroughUsd)}${some}; ${tokens}`
}

export function moneyLine(usd: number, passThroughUsd: number): string {
  const saved = passThroughUsd - usd
  return `${dollarText(usd)}, everything about ${dollarText(passThroughUsd)}: saved ${dollarText(saved)} (${shareOf(saved, passThroughUsd)})`
}

function shareOf(part: number, whole: number): string {
  return percent(whole === 0 ? null : part / whole)
}
