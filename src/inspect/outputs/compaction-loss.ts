import { isJsonObject } from '../../core/index.ts'
import { slidingWindow } from '../plain-strategies.ts'
import { readLines, recordIn } from '../read-lines.ts'
import { renderer } from '../render.ts'
import type { RenderedMessage, Renderer } from '../render.ts'
import { retention } from '../retention.ts'
import type { RetentionReport } from '../retention.ts'
import type { Strategy } from '../strategy.ts'
import type { Needle, Trace, TraceMessage, TraceRequest } from '../trace.ts'

/** Where an agent had its conversation summarised. */
export interface Compaction {
  /** Index of the last message before it. */
  readonly after: number
  /** Index of the first message that stayed beside the summary. */
  readonly firstKept: number
  readonly summary: string
}

/** What one way to shorten a conversation leaves of it. */
export interface CompactedBy {
  readonly name: string
  /** Why it could not make it that small, where it could not: then nothing of it counts. */
  readonly unpacked?: string
  readonly tokens: number
  /** Of strings that were used later and had stood in tool output before: those that still stand; their whole lines. */
  readonly needles: number
  readonly lines: number
  /** Those that stand or of which a handle in the pack brings the output back. */
  readonly withinReach: number
  /** Characters of later tool output that repeat lines from before which no longer stood: what had to be read again. */
  readonly reread: number
}

export interface CompactionReport {
  readonly trace: string
  readonly after: number
  readonly tokensBefore: number
  /** Strings from before that were used after it. */
  readonly needed: number
  /** Characters of tool output after it, and those of lines that had stood in tool output before. */
  readonly laterCharacters: number
  readonly repeatedCharacters: number
  /** The real one first, then others within the same tokens, twice and four times as many. */
  readonly ways: readonly CompactedBy[]
}

/** The compactions that sessions record as `events: [{after_message, summary, firstKeptEntryIndex}]`, by session. */
export async function readCompactions(file: string): Promise<ReadonlyMap<string, readonly Compaction[]>> {
  const found = new Map<string, readonly Compaction[]>()
  for await (const { line, text } of readLines(file)) {
    const record = recordIn({ file, line, field: '' }, text)
    const events = Array.isArray(record?.['events']) ? record['events'] : []
    const compactions = events.flatMap(compactionOf)
    if (compactions.length > 0) found.set(String(record?.['id'] ?? `${file}:${line}`), compactions)
  }
  return found
}

function compactionOf(event: unknown): readonly Compaction[] {
  if (!isJsonObject(event)) return []
  const { after_message: after, firstKeptEntryIndex: firstKept, summary } = event
  if (typeof after !== 'number' || typeof summary !== 'string') return []
  return [{ after, summary, firstKept: typeof firstKept === 'number' ? firstKept : after + 1 }]
}

export interface CompactionOptions {
  count(text: string): number
  /** Ways of ours, for a window of so many tokens. */
  ours(windowTokens: number): readonly Strategy[]
}

/** What each recorded compaction lost, and what packs of that size would have. */
export function compactionLoss(
  trace: Trace,
  compactions: readonly Compaction[],
  { count, ours }: CompactionOptions,
): readonly CompactionReport[] {
  const write = renderer({ count })
  const messages = new Map(trace.requests.flatMap((request) => request.messages.map((one) => [one.id, one] as const)))
  const kept = retention(messages)
  return compactions.flatMap((compaction, at): readonly CompactionReport[] => {
    const request = trace.requests.find((one) => one.messages.length > compaction.after)
    if (request === undefined) return []
    const before = request.messages.slice(0, compaction.after + 1)
    const until = compactions[at + 1]?.after ?? Number.POSITIVE_INFINITY
    const later = laterThan(trace, { before, until })
    const real = [
      summaryMessage(compaction, write),
      ...before.slice(compaction.firstKept).map((one) => write.asRecorded(one)),
    ]
    const tokens = tokensOf(real)
    const asked: TraceRequest = { ...request, messages: before }
    const others = sizes.flatMap((size) =>
      [slidingWindow(size * tokens), ...ours(size * tokens)].map((strategy) => sentBy(strategy, asked, write)),
    )
    const ways: readonly Way[] = [{ name: 'as recorded', sent: real }, ...others]
    return [
      {
        trace: trace.id,
        after: compaction.after,
        tokensBefore: tokensOf(before.map((one) => write.asRecorded(one))),
        needed: later.needles.length,
        laterCharacters: later.characters,
        repeatedCharacters: sizeOf(later.repeated),
        ways: ways.map((way) => compactedBy(way, later, kept)),
      },
    ]
  })
}

/** Multiples of what the real one took. */
const sizes = [1, 2, 4] as const

interface Way {
  readonly name: string
  readonly sent: readonly RenderedMessage[]
  readonly unpacked?: string | undefined
  handleOf?(messageId: string): string | undefined
}

function sentBy(strategy: Strategy, request: TraceRequest, write: Renderer): Way {
  const run = strategy.start(write)
  const sent = run.next(request)
  return { name: strategy.name, sent, unpacked: run.unpacked?.(), handleOf: (id) => run.handleOf?.(id) }
}

interface Later {
  /** Used later, and stood only in tool output before the compaction. */
  readonly needles: readonly Needle[]
  readonly characters: number
  /** Lines of later tool output that had stood in tool output before. */
  readonly repeated: readonly string[]
}

/** What happened until the next compaction, or the end. */
function laterThan(
  trace: Trace,
  { before, until }: { readonly before: readonly TraceMessage[]; readonly until: number },
): Later {
  const known = new Set(before.map(({ id }) => id))
  const lines = new Set(before.flatMap(observedLines))
  const last = trace.requests.findLast((request) => request.messages.length <= until + 1) ?? trace.requests.at(-1)
  const after = (last?.messages ?? []).slice(before.length)
  const needles = Array.from(trace.needles ?? new Map<number, readonly Needle[]>())
    .filter(([at]) => {
      const size = trace.requests[at]?.messages.length ?? 0
      return size >= before.length && size <= until + 1
    })
    .flatMap(([, used]) => used)
    .flatMap((needle): readonly Needle[] => {
      const sources = needle.sources.filter((source) => known.has(source))
      return sources.length === 0 ? [] : [{ ...needle, sources }]
    })
  const later = after.flatMap(observedLines)
  return { needles, characters: sizeOf(later), repeated: later.filter((line) => lines.has(line)) }
}

function observedLines({ items }: TraceMessage): readonly string[] {
  return items
    .filter(({ kind }) => kind === 'tool-result')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.trim() !== '')
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}

function tokensOf(messages: readonly RenderedMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0)
}

function summaryMessage({ summary }: Compaction, write: Renderer): RenderedMessage {
  const tokens = write.count(summary)
  return { role: 'user', text: summary, tokens, sourceId: '', observation: true, parts: [] }
}

function compactedBy(
  { name, sent, unpacked, handleOf }: Way,
  { needles, repeated }: Later,
  kept: RetentionReport,
): CompactedBy {
  const none = { tokens: 0, needles: 0, lines: 0, withinReach: 0, reread: sizeOf(repeated) }
  if (unpacked !== undefined) return { name, unpacked, ...none }
  const texts = sent.filter(({ observation }) => observation).map((one) => one.writtenOut ?? one.text)
  const shown = new Set(texts.flatMap((text) => text.split('\n')))
  const stands = (needle: Needle): boolean =>
    kept.hasNeedle(needle, sent) || texts.some((text) => text.includes(needle.text))
  return {
    name,
    tokens: tokensOf(sent),
    needles: needles.filter(stands).length,
    lines: needles.filter((needle) => kept.hasLine(needle, sent)).length,
    withinReach: needles.filter(
      (needle) => stands(needle) || needle.sources.some((source) => handleOf?.(source) !== undefined),
    ).length,
    reread: sizeOf(repeated.filter((line) => !shown.has(line))),
  }
}
