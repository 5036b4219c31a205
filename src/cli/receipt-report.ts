import { compileReport } from './compile-report.ts'
import { dollarText } from './dollar-text.ts'
import { dollarsOf, savingsIfOn, savingsOf } from '../stores/index.ts'
import { moneyLine, simulatedNote, wouldSaveCell } from './session-report.ts'
import { fittedTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'
import { outcomeText } from './outcome-text.ts'
import { whyWholeText } from '../sessions/index.ts'
import type { JudgedReceipt } from '../sessions/index.ts'
import type { JsonValue, LinkEnd, Manifest, Usage } from '../core/index.ts'
import { hasPack } from '../core/index.ts'
import { sentAs, stoppedBy } from '../stores/index.ts'
import type {
  CacheMiss,
  Crossed,
  ExchangeCost,
  Fetched,
  HostStep,
  Receipt,
  ReceiptResult,
  ReceiptSummary,
} from '../stores/index.ts'

export function receiptTable(list: readonly ReceiptSummary[], columns?: number): string {
  if (list.length === 0) return 'There are no receipts yet.\n'
  const isObserved = list.some(({ result }) => result?.cost?.ifOn !== undefined)
  const rows = list.map((one) => [
    one.requestId,
    String(one.sequence),
    timeOf(one.createdMs),
    one.session,
    one.model ?? 'n/a',
    one.mode === 'on' ? one.outcome : `${one.mode}${unreadField(one.result)}`,
    one.epoch === undefined ? 'n/a' : String(one.epoch),
    String(one.originalTokens),
    String(one.packTokens),
    cached(one.result?.usage),
    one.result === undefined ? 'n/a' : one.result.overheadMs.toFixed(1),
    ...moneyCells(one.result?.cost, isObserved),
  ])
  const head = 'request,#,time,session,model,outcome,epoch,tokens,packed,cached,own ms,cost,saved'.split(',')
  const titles = isObserved ? [...head, 'would save'] : head
  const last = isObserved ? ['saved', 'packed', 'tokens'] : []
  const drop = ['own ms', 'epoch', 'model', 'session', 'outcome', 'time', '#', 'cached', ...last]
  return `${fittedTable(titles, rows, { columns, drop })}\n`
}

export function receiptReport(receipt: JudgedReceipt, columns?: number): string {
  const { requestId, session, createdMs, dialect, mode, manifest, result } = receipt
  const lines = [
    `request    ${requestId} (${dialect}, mode ${mode})`,
    `session    ${session}`,
    ...stepLines(receipt.step),
    `time       ${timeOf(createdMs)}`,
    ...resultLines(result).map((line) => hanging(line, columns)),
    ...whyLines(receipt).map((line) => hanging(line, columns)),
    ...toolLines(receipt).map((line) => hanging(line, columns)),
    ...skippedLines(receipt).map((line) => hanging(line, columns)),
    ...layerLines(result).map((line) => hanging(line, columns)),
    ...wasteLines(manifest).map((line) => hanging(line, columns)),
    ...outcomeLines(receipt).map((line) => hanging(line, columns)),
    ...linkLines(manifest).map((line) => hanging(line, columns)),
  ]
  // Of what nobody has packed there is no more to say.
  if (mode === 'answered') return `${lines.join('\n')}\nsent       nothing: ${stopText(result)}\n`
  if (mode === 'unpacked') return `${lines.join('\n')}\nsent       ${receipt.packId}\n`
  // The receipt of a compile reads like the compile did; its pack is known by its hash only.
  const report = compileReport({ manifest }, columns)
  return `${lines.join('\n')}\n${sentLine(receipt)}\n${report}`
}

function sentLine(receipt: Receipt): string {
  const { packId, manifest, mode, dialect, result } = receipt
  switch (sentAs(receipt)) {
    case 'packed':
      return `pack       ${packId}`
    case 'nothing':
      return `pack       ${packId}${dialect === 'compile' ? '' : `; nothing was sent: ${stopText(result)}`}`
    case 'refused':
      return 'sent       nothing: prehend refused the request'
    case 'unchanged':
      return `sent       ${packId}, the client's own bytes, all ${manifest.originalTokens} tokens${mode === 'observe' && hasPack(manifest) ? '; below is what would have been sent' : ''}`
  }
}

function whyLines({ why }: Receipt): readonly string[] {
  return why === undefined ? [] : [`whole      ${whyWholeText(why)}`]
}

function toolLines(receipt: Receipt): readonly string[] {
  return [...leftLines(receipt), ...wastedLines(receipt)]
}

function wastedLines({ wastedTools: found }: Receipt): readonly string[] {
  if (found === undefined || found.wasted === 0) return []
  const { defined, wasted, definedTokens, wastedTokens } = found
  return [
    `uncalled   ${wasted} of ${defined} defined tools so far: their definitions take ${wastedTokens} of ${definedTokens} tokens`,
  ]
}

function leftLines({ leftTools: found }: Receipt): readonly string[] {
  if (found === undefined) return []
  const { tools, left, leftTokens, isDeferred, ofRegistry = 0 } = found
  const registry = ofRegistry > 0 ? [`registry   ${ofRegistry} tools of the registry can be found`] : []
  if (left === 0) return registry
  const where = isDeferred ? ', kept aside by the provider' : ''
  return [
    `tools      ${left} of ${tools} are left to be found${where}: their definitions would take ${leftTokens} tokens`,
    ...registry,
  ]
}

function skippedLines({ mode, result }: Receipt): readonly string[] {
  const named = (result?.skipped ?? []).join(', ')
  if (mode === 'unpacked')
    return [
      `unpacked   ${named === '' ? 'unknown' : named}${unreadField(result)} failed: the request was forwarded as it came`,
    ]
  return named === '' ? [] : [`skipped    ${named} failed: the request went on without`]
}

function stopText(result: ReceiptResult | undefined): string {
  const by = stoppedBy(result)
  return by === undefined
    ? 'the gateway answered the request itself'
    : `the layer ${by.name} ${by.outcome ?? 'answered'} it`
}

/** Of layers that have something to say beside their time. */
function layerLines(result: ReceiptResult | undefined): readonly string[] {
  return (result?.layers ?? []).flatMap(({ name, ms, outcome = 'passed', facts = {} }) => {
    const noted = Object.entries(facts).map(([fact, value]) => `, ${fact} ${factText(value)}`)
    if (noted.length === 0 && (outcome === 'passed' || outcome === 'changed')) return []
    return [`layer      ${name} ${outcome} in ${ms.toFixed(1)} ms${noted.join('')}`]
  })
}

function factText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function unreadField(result: ReceiptResult | undefined): string {
  return result?.unreadField === undefined ? '' : ` (${result.unreadField})`
}

function wasteLines({ waste }: Manifest): readonly string[] {
  if (waste === undefined) return []
  const { unusedTokens, sentTokens, unusedItems, unusedIds } = waste
  const named = unusedIds.length === 0 ? '' : `: ${unusedIds.join(', ')}${unusedItems > unusedIds.length ? ', …' : ''}`
  return [
    `unused     ${unusedTokens} of ${sentTokens} tokens in the conversation that no answer or call has used since${named}`,
  ]
}

/** What was made of what, with the handle of a side that is not whole. */
function linkLines({ links = [] }: Manifest): readonly string[] {
  const told = ({ label, rung, handle }: LinkEnd): string =>
    handle === undefined ? label : `${label} (${rung}, ${handle})`
  return links.map(({ from, to, method }) => `link       ${told(from)}, ${method} of ${told(to)}`)
}

function outcomeLines({ outcomes = [] }: JudgedReceipt): readonly string[] {
  return outcomes.map((outcome) => `judged     ${outcomeText(outcome)}`)
}

function stepLines({ taskId, stepId }: HostStep = {}): readonly string[] {
  const named = [
    ...(taskId === undefined ? [] : [`task ${taskId}`]),
    ...(stepId === undefined ? [] : [`step ${stepId}`]),
  ]
  return named.length === 0 ? [] : [`host       ${named.join(', ')}`]
}

function resultLines(result: ReceiptResult | undefined): readonly string[] {
  if (result === undefined) return ['reply      not recorded']
  const {
    status,
    usage,
    rehydrations,
    upstreamMs,
    overheadMs,
    failure,
    cost,
    simulated,
    crossed,
    cacheMiss,
    fetched = [],
    missedLimits = [],
  } = result
  return [
    `reply      status ${status}, ${upstreamMs.toFixed(0)} ms upstream, ${overheadMs.toFixed(1)} ms of our own`,
    `usage      ${usageLine(usage)}, ${rehydrations} rehydrations`,
    ...(cost === undefined ? ['cost       n/a'] : costLines(cost)),
    ...(simulated === true ? [`provider   ${simulatedNote}`] : []),
    ...(cacheMiss === undefined ? [] : [missLine(cacheMiss)]),
    ...fetched.map(fetchedLine),
    ...(crossed === undefined ? [] : [crossedLine(crossed)]),
    ...missedLimits.map(
      ({ limit, most, actual }) => `limit      ${limit} of the step: ${actual} taken, ${most} allowed`,
    ),
    ...(failure === undefined ? [] : [`failure    ${failure}: the reply was cut short`]),
  ]
}

function missLine({ cause, changed, tokens, usd }: CacheMiss): string {
  const who =
    changed === undefined
      ? ''
      : ` by the ${changed.by}: ${changed.part}${changed.itemId === undefined ? '' : ` (${changed.itemId})`}`
  return `cache      missed ${tokens} tokens, ${cause}${who}${usd === undefined ? '' : `, ${dollarText(usd)} more`}`
}

/** What came back, and the decision by which it was left out. */
function fetchedLine({ handle, leftOut }: Fetched): string {
  if (leftOut === undefined) return `fetched    ${handle}`
  const { itemId, rung, reason, requestId } = leftOut
  const since = requestId === undefined ? '' : ` since ${requestId}`
  return `fetched    ${handle}: ${itemId}, ${rung} for ${reason}${since}`
}

function crossedLine({ dialect, lost }: Crossed): string {
  const what = lost.map(({ kind, what: name }) => `${kind} ${name}`).join(', ')
  return `crossed    sent as ${dialect}${what === '' ? '' : `, without ${what}`}`
}

function moneyCells(cost: ExchangeCost | undefined, isObserved: boolean): readonly string[] {
  const dollars = dollarsOf(cost)
  const would = isObserved ? [wouldSaveCell(dollars && savingsIfOn(dollars))] : []
  if (dollars === undefined) return ['n/a', 'n/a', ...would]
  return [dollarText(dollars.usd), dollarText(savingsOf(dollars).savedUsd), ...would]
}

/** Of all rounds, against the client's own request. */
function costLines(cost: ExchangeCost): readonly string[] {
  const dollars = dollarsOf(cost)
  return [
    `cost       ${dollars === undefined ? 'n/a' : moneyLine(dollars)}`,
    `input      ${cost.inputTokens} tokens in all rounds, about ${cost.passThroughTokens} with everything sent`,
  ]
}

function usageLine(usage: Usage | undefined): string {
  if (usage === undefined) return 'not reported'
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const known = (tokens: number | undefined): string => (tokens === undefined ? 'n/a' : String(tokens))
  return `${inputTokens} in (${known(cacheReadTokens)} read from cache, ${known(cacheWriteTokens)} written), ${outputTokens} out`
}

function cached(usage: Usage | undefined): string {
  if (usage?.cacheReadTokens === undefined || usage.inputTokens === 0) return 'n/a'
  return `${((100 * usage.cacheReadTokens) / usage.inputTokens).toFixed(0)}%`
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
}
