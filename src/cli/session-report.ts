import { percent } from '../inspect/index.ts'
import { savingsIfOn, savingsOf } from '../stores/index.ts'
import { whyWholeText } from '../sessions/index.ts'
import type { CompactionResult, HandoffResult } from '../sessions/index.ts'
import type { Dollars, ReceiptSummary, Savings, SessionCost, SessionSummary } from '../stores/index.ts'
import { counted } from './counted.ts'
import { dollarText } from './dollar-text.ts'
import { fittedTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

/** Of the newest request: `why` where nothing of it was shortened, and `leftTools` where tools were left to be found. */
export type SessionWithWhy = SessionSummary &
  Pick<ReceiptSummary, 'why' | 'leftTools'> & {
    /** Why it costs more than the client's own requests would have. */
    readonly whyMore?: string
    /** Whether the simulated provider answered. */
    readonly simulated?: true
  }

export function sessionTable(list: readonly SessionWithWhy[], columns?: number): string {
  if (list.length === 0) return 'There are no sessions yet.\n'
  const isObserved = list.some(({ cost }) => cost.observedUsd > 0)
  const isWhole = list.some(({ why }) => why !== undefined)
  const isMixed = new Set(list.map(({ simulated = false }) => simulated)).size > 1
  const rows = list.map(({ session, usedMs, cost, why, leftTools, simulated }) => [
    session,
    new Date(usedMs).toISOString().slice(0, 19),
    cost.priced === cost.requests ? String(cost.requests) : `${cost.priced} of ${cost.requests}`,
    String(cost.inputTokens),
    String(cost.passThroughTokens),
    ...moneyCells(cost),
    ...(isObserved ? [wouldSaveCell(savingsIfOn(cost))] : []),
    ...(isWhole ? [wholeCell(why, leftTools)] : []),
    ...(isMixed ? [simulated ? 'simulated' : ''] : []),
  ])
  const money = ['cost', 'own cost', 'saved', 'share', 'by marks', 'by packing']
  const head = ['session', 'last used', 'requests', 'tokens', 'all tokens', ...money]
  const drop = ['last used', 'all tokens', 'tokens', 'own cost', 'requests']
  const notes = [
    ...moneyNotes(isObserved),
    ...pricedNotes(list),
    ...wholeNotes(list),
    ...moreNotes(list),
    ...simulatedNotes(list),
  ]
  const titles = [
    ...head,
    ...(isObserved ? ['would save'] : []),
    ...(isWhole ? ['why whole'] : []),
    ...(isMixed ? ['provider'] : []),
  ]
  const table = fittedTable(titles, rows, { columns, drop: [...drop, 'provider', 'why whole'] })
  return `${table}\n\n${notes.map((note) => hanging(note, columns)).join('\n')}\n`
}

function moneyNotes(isObserved: boolean): readonly string[] {
  return [
    "cost: what the providers reported, at the prices of each request's model.",
    "own cost: what the client's own requests would have cost, with its own cache marks or none; all tokens: of these requests. Estimates.",
    'saved, share: own cost less cost; by marks: what our cache marks save of the unshortened requests, an estimate; by packing: the rest, less our tools and hidden rounds.',
    ...(isObserved
      ? [
          'would save: what mode on would have saved of what mode observe paid, estimated with a simulated cache. saved and share leave out what mode observe paid.',
        ]
      : []),
  ]
}

function pricedNotes(list: readonly SessionSummary[]): readonly string[] {
  const isPartly = list.some(({ cost }) => cost.priced < cost.requests)
  return isPartly
    ? [
        'requests: priced of all. For the others, usage or prices are not known: the columns of dollars leave them out, and tokens count those with usage.',
      ]
    : []
}

/** One line for each reason that occurs. */
function wholeNotes(list: readonly SessionWithWhy[]): readonly string[] {
  const reasons = [...new Set(list.flatMap(({ why }) => why?.reason ?? []))]
  const whole = reasons.map(
    (reason) => `why whole: nothing of the newest request was shortened. ${reason}: ${whyWholeText({ reason })}`,
  )
  const leavesTools = list.some(({ why, leftTools }) => why !== undefined && leftTools !== undefined)
  const note = 'tools N of M: the newest request defines N of the M tools of the client; the model finds the others.'
  return leavesTools ? [...whole, note] : whole
}

/** Such as `nothing-long, tools 1 of 46`. */
function wholeCell(why: ReceiptSummary['why'], left: ReceiptSummary['leftTools']): string {
  if (why === undefined) return ''
  return left === undefined ? why.reason : `${why.reason}, tools ${left.tools - left.left} of ${left.tools}`
}

/** One line for each session that costs more. */
function moreNotes(list: readonly SessionWithWhy[]): readonly string[] {
  return list.flatMap(({ session, whyMore }) =>
    whyMore === undefined ? [] : [`${session} costs more than the client's own requests would have. ${whyMore}`],
  )
}

function simulatedNotes(list: readonly SessionWithWhy[]): readonly string[] {
  const simulated = list.filter((one) => one.simulated)
  if (simulated.length === 0) return []
  const whose = simulated.length === list.length ? '' : ` in the sessions of provider "simulated"`
  return [`${simulatedNote}${whose}; dollars are what a provider would have charged.`]
}

function moneyCells(cost: SessionCost): readonly string[] {
  if (cost.priced === 0) return ['n/a', 'n/a', 'n/a', 'n/a', 'n/a', 'n/a']
  const { savedUsd, share, byMarksUsd, byPackingUsd, ofUsd } = savingsOf(cost)
  if (ofUsd === 0 && cost.observedUsd > 0)
    return [dollarText(cost.usd), dollarText(cost.clientUsd), 'n/a', 'n/a', 'n/a', 'n/a']
  const dollars = [dollarText(cost.usd), dollarText(cost.clientUsd), dollarText(savedUsd)]
  return [...dollars, percent(share ?? null), dollarText(byMarksUsd), dollarText(byPackingUsd)]
}

/** An estimate, such as `~$1.23 (26.0%)`. */
export function wouldSaveCell(would: Savings | undefined): string {
  return would === undefined ? 'n/a' : `~${dollarText(would.savedUsd)} (${percent(would.share ?? null)})`
}

/** Where the simulated provider has answered. */
export const simulatedNote = 'simulated provider: no money was spent'

/** What sessions have come to, in a line. Of the requests without dollars, `rows` say why. */
export function costLine({ requests, priced, ...cost }: SessionCost, rows: readonly ReceiptSummary[]): string {
  const { inputTokens, passThroughTokens } = cost
  const tokens = `${inputTokens} tokens in, ${passThroughTokens} with everything sent`
  if (priced === 0) return `${tokens}; ${whyUnpriced(rows)}`
  if (priced === requests) return `${moneyLine(cost)}; ${tokens}`
  return `${moneyLine(cost)} (${priced} of ${counted(requests, 'request')}); ${tokens}; of the others ${whyUnpriced(rows)}`
}

/** A cost without dollars is that of a model whose prices nobody has named. */
function whyUnpriced(rows: readonly ReceiptSummary[]): string {
  const models = rows.flatMap(({ model, result }) =>
    model !== undefined && result?.cost && result.cost.usd === undefined ? [model] : [],
  )
  const names = [...new Set(models)].map((name) => JSON.stringify(name))
  if (names.length === 0) return 'usage or prices are not known'
  const settings = names.map((name) => `models.${name}.prices`).join(' and ')
  return `prices of ${names.join(' and ')} are not known: set ${settings} in the configuration`
}

/** What was paid, and what was saved of the client's own requests; apart from that, what would have been of those observed. */
export function moneyLine(cost: Dollars): string {
  const would = savingsIfOn(cost)
  const saved = savingsOf(cost)
  const own = `${dollarText(cost.usd - cost.observedUsd)}, the client's own requests about ${dollarText(saved.ofUsd)}: saved ${savingsText(saved)}`
  if (would === undefined) return own
  const observed = `${dollarText(cost.observedUsd)}${saved.ofUsd === 0 ? '' : ' in mode observe'}`
  const estimate = `${observed}; mode on would have saved about ${savingsText(would)}`
  return saved.ofUsd === 0 ? estimate : `${own}; ${estimate}`
}

function savingsText({ savedUsd, share, byMarksUsd, byPackingUsd }: Savings): string {
  const parts = `${dollarText(byMarksUsd)} by cache marks, ${dollarText(byPackingUsd)} by packing`
  return `${dollarText(savedUsd)} (${percent(share ?? null)}), ${parts}`
}

export function compactionText({
  sessionId,
  status,
  tokensBefore,
  tokensAfter,
  tokensSaved,
  compactionCount,
}: CompactionResult): string {
  if (status === 'nothing')
    return `Nothing of session ${sessionId} can be compacted: its last request takes ${tokensBefore} tokens.\n`
  return [
    `The next request of session ${sessionId} will be compacted.`,
    `The last request took ${tokensBefore} tokens. Compacted, it would take ${tokensAfter}, ${tokensSaved} fewer.`,
    `This is compaction ${compactionCount} of the session.`,
    '',
  ].join('\n')
}

export function handoffText({ sessionId, parentId, tokensBefore, tokensAfter, briefing }: HandoffResult): string {
  return [
    `Session ${sessionId} continues ${parentId}, which is unchanged.`,
    `To use it, send the header x-session-id: ${sessionId}`,
    `The last request took ${tokensBefore} tokens; the briefing takes ${tokensAfter}.`,
    '',
    `Objective: ${briefing.objective}`,
    ...listed('Context', briefing.context),
    ...listed('State', briefing.state),
    ...listed('Constraints', briefing.constraints),
    ...listed('Next steps', briefing.nextSteps),
    '',
  ].join('\n')
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
}
