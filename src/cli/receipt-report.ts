import { compileReport } from './compile-report.ts'
import { fittedTable } from './text-table.ts'
import type { CompileResult, Outcome, Usage } from '../core/index.ts'
import type { Receipt, ReceiptResult, ReceiptSummary } from '../stores/index.ts'

export function receiptTable(list: readonly ReceiptSummary[], columns?: number): string {
  if (list.length === 0) return 'There are no receipts yet.\n'
  const rows = list.map((one) => [
    one.requestId,
    String(one.sequence),
    timeOf(one.createdMs),
    one.session,
    one.model ?? 'n/a',
    one.mode === 'observe' ? 'observe' : one.outcome,
    one.epoch === undefined ? 'n/a' : String(one.epoch),
    String(one.originalTokens),
    String(one.packTokens),
    cached(one.result?.usage),
    one.result === undefined ? 'n/a' : one.result.overheadMs.toFixed(1),
  ])
  const head = ['request', '#', 'time', 'session', 'model', 'outcome', 'epoch', 'tokens', 'packed', 'cached', 'own ms']
  const drop = ['own ms', 'epoch', 'model', 'session', 'outcome', 'time', '#', 'cached']
  return `${fittedTable(head, rows, { columns, drop })}\n`
}

export function receiptReport(receipt: Receipt, columns?: number): string {
  const { requestId, session, createdMs, dialect, mode, manifest, result } = receipt
  const lines = [
    `request    ${requestId} (${dialect}, mode ${mode})`,
    `session    ${session}`,
    `time       ${timeOf(createdMs)}`,
    ...resultLines(result),
  ]
  // The receipt of a compile reads like the compile did; its pack is known by its hash only.
  const outcome = { kind: manifest.outcome } as Outcome
  const report = compileReport({ outcome, manifest } as unknown as CompileResult, columns)
  return `${lines.join('\n')}\npack       ${receipt.packId}\n${report}`
}

function resultLines(result: ReceiptResult | undefined): readonly string[] {
  if (result === undefined) return ['reply      not recorded']
  const { status, usage, rehydrations, upstreamMs, overheadMs, failure } = result
  return [
    `reply      status ${status}, ${upstreamMs.toFixed(0)} ms upstream, ${overheadMs.toFixed(1)} ms of our own`,
    `usage      ${usageLine(usage)}, ${rehydrations} rehydrations`,
    ...(failure === undefined ? [] : [`failure    ${failure}: the reply was cut short`]),
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
