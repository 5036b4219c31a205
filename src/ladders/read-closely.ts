import { askedLines } from './asked-lines.ts'
import { closeReading, isVeryLong } from './close-reading.ts'
import { contentKind } from './content-kind.ts'
import type { ContentKind } from './content-kinds.ts'
import { cutNotices } from './cut-notices.ts'
import { excerptOf } from './excerpt.ts'
import { detectFailure, mayState, noFailure } from './failure.ts'
import type { FailureReport } from './failure.ts'
import type { FailureBlock } from './failure-reading.ts'
import type { Excerpt, TextLines } from './text-lines.ts'
import { textLines, unreadLines } from './text-lines.ts'

/** A text as its lines are read, and what they say of its success. */
export interface ReadText {
  readonly text: TextLines
  /** Whether a line may state a failure that must stand. */
  readonly mayFail: boolean
  /** Lines by their index in `text`. */
  failure(): FailureReport
  /** Of an excerpt: the one that also has the lines with words that few lines have, where there are any. */
  about?(asked: ReadonlySet<string>): ReadText | undefined
}

/** All lines of a text, or an excerpt of a very long one. What states a failure is found in all of it, and stands in the excerpt. */
export function readClosely(text: string, kind?: ContentKind): ReadText {
  return isVeryLong(text) ? readExcerpt(text, kind ?? contentKind(text)) : readWhole(text, kind)
}

/** All lines of a text. */
export function readWhole(text: string, kind?: ContentKind): ReadText {
  const split = textLines(text)
  const own = kind ?? split.kind
  const mayFail = mayState(text)
  let report = mayFail || own === 'json' ? undefined : noFailure
  return { text: split, mayFail, failure: () => (report ??= detectFailure(split.lines, own, text)) }
}

function readExcerpt(text: string, kind: ContentKind): ReadText {
  const split = unreadLines(text, kind)
  const mayFail = mayState(text)
  const report = mayFail || kind === 'json' ? detectFailure(split.lines, kind, text) : noFailure
  const mustStand = [...new Set([...statedIn(report), ...cutNotices(split.lines)])]
  const readWith = (wanted: readonly number[]): ReadText => {
    const excerpt = excerptOf(split, { mustStand, wanted })
    const told = within(excerpt.excerpt, report)
    return { text: excerpt, mayFail, failure: () => told }
  }
  const about = (asked: ReadonlySet<string>): ReadText | undefined => {
    const wanted = askedLines(text, split, asked)
    return wanted.length === 0 ? undefined : readWith(wanted)
  }
  return { ...readWith([]), about }
}

/** The lines that state failures: all that always stand, how the first and the last one are told, and the messages of many more. */
function statedIn({ lines, blocks, summary, exitLine }: FailureReport): readonly number[] {
  const whole = [blocks.find(({ detailed }) => detailed), blocks[0], blocks.at(-1)].flatMap(
    (block) => block?.lines ?? [],
  )
  const more = blocks.slice(0, closeReading.failures).flatMap(({ message, title }) => [message, title ?? message])
  const ends = [summary, exitLine].filter((line) => line !== undefined)
  return [...lines, ...whole, ...more, ...ends]
}

/** The same report by the lines of an excerpt; failures of which it does not have the message are only counted. */
function within({ places, gaps }: Excerpt, report: FailureReport): FailureReport {
  const lineAt = new Map(Array.from(gaps, (_, line) => [places[line], line]))
  const inside = (place: number): readonly number[] => {
    const line = lineAt.get(place)
    return line === undefined || gaps[line] === 1 ? [] : [line]
  }
  const { failed, stated, exitStatus, lines, blocks } = report
  const [summary] = inside(report.summary ?? -1)
  const [exitLine] = inside(report.exitLine ?? -1)
  const blockOf = (block: FailureBlock): readonly FailureBlock[] => {
    const [message] = inside(block.message)
    const [title] = inside(block.title ?? -1)
    if (message === undefined) return []
    const told = { lines: block.lines.flatMap(inside), message, detailed: block.detailed }
    return [title === undefined ? told : { ...told, title }]
  }
  return {
    failed,
    stated,
    ...(exitStatus !== undefined && { exitStatus }),
    ...(exitLine !== undefined && { exitLine }),
    lines: lines.flatMap(inside),
    blocks: blocks.flatMap(blockOf),
    ...(summary !== undefined && { summary }),
  }
}
