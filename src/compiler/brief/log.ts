import type { BriefInput, WrittenLog } from './brief-input.ts'
import { decisionsIn } from './decisions.ts'
import type { Failure } from './failures.ts'
import { isLeftOut } from './log-blocks.ts'
import { harmless } from './harmless.ts'

/** A line of the log. */
interface Entry {
  readonly kind: 'word' | 'failure'
  readonly step: number
  /** What is said, or the line of the failure. */
  readonly text: string
  readonly curedAt?: number
}

/** In characters, about 3,000 tokens; beyond it the oldest entries are condensed to half of that. */
const mostCharacters = 11_000

/**
 * What was decided, what failed and what the user said, in order. The log of a longer run begins with that of a shorter one, but for the
 * marks of what was cured since and for what is condensed.
 */
export function logOf(input: BriefInput, failures: ReadonlyMap<number, Failure>): readonly string[] {
  const kept: Entry[] = []
  let characters = 0
  let condensedTo = 0
  for (const entry of entriesOf(input, failures)) {
    kept.push(entry)
    characters += sizeOf(entry)
    if (characters <= mostCharacters) continue
    condensedTo = Math.max(condensedTo, condense(kept))
    characters = total(kept)
  }
  const note = condensedTo === 0 ? [] : [`Up to step ${condensedTo} only some of what was said and failed stands here.`]
  return [...note, ...written(kept)]
}

function sizeOf({ text }: Entry): number {
  return text.length + 1
}

function total(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
}

/** Leaves out words from the oldest on, then cured failures; returns the step up to which something is left out. */
function condense(kept: Entry[]): number {
  let excess = total(kept) - mostCharacters / 2
  let last = 0
  const leave = (mayGo: (entry: Entry) => boolean): void => {
    const staying = kept.filter((entry) => {
      if (excess <= 0 || !mayGo(entry)) return true
      excess -= sizeOf(entry)
      last = Math.max(last, entry.step)
      return false
    })
    kept.splice(0, kept.length, ...staying)
  }
  leave(({ kind }) => kind === 'word')
  leave(({ kind, curedAt }) => kind === 'failure' && curedAt !== undefined)
  return last
}

/** The entries as lines; a failure that stands above already is named by its step. */
function written(entries: readonly Entry[]): readonly string[] {
  const firstAt = new Map<string, number>()
  return entries.map(({ kind, step, text, curedAt }) => {
    if (kind === 'word') return text
    const before = firstAt.get(text)
    if (before === undefined) firstAt.set(text, step)
    const cured = curedAt === undefined ? '' : ` (cured at step ${curedAt})`
    return `! [step ${step}] ${before === undefined ? text : `as at step ${before}`}${cured}`
  })
}

const userCharacters = 80

function* entriesOf(input: BriefInput, failures: ReadonlyMap<number, Failure>): Generator<Entry> {
  const { items, steps, gone, hiddenTools = [] } = input
  const isGone = new Set(gone)
  const byModel = writtenFor(input, isGone)
  const said = new Set<string>()
  const [first = 0] = gone
  const last = gone.at(-1) ?? -1
  for (let index = first; index <= last; index += 1) {
    const item = items[index]
    const step = steps[index] ?? 0
    if (item === undefined || hiddenTools.includes(item.toolName ?? '')) continue
    if (item.kind === 'text' && item.role === 'user') yield { kind: 'word', step, text: quoted(item.text) }
    if (!isGone.has(index)) continue
    const text = byModel.get(index)
    if (text !== undefined && !said.has(text.prose)) {
      said.add(text.prose)
      yield { kind: 'word', step, text: proseOf(text) }
    }
    if (item.kind === 'text' && item.role === 'assistant' && text === undefined) {
      for (const sentence of decisionsIn(item.text)) {
        if (said.has(sentence)) continue
        said.add(sentence)
        yield { kind: 'word', step, text: harmless(`- ${sentence}`) }
      }
    }
    const failure = item.kind === 'tool-result' ? failures.get(step) : undefined
    if (failure === undefined) continue
    const { line, curedAt } = failure
    yield { kind: 'failure', step, text: line, ...(curedAt !== undefined && { curedAt }) }
  }
}

/** The texts of models by the items that they stand for; only where the brief stands for these items. */
function writtenFor({ written: texts = [] }: BriefInput, isGone: ReadonlySet<number>): ReadonlyMap<number, WrittenLog> {
  const whole = texts.filter(({ indexes }) => isLeftOut(indexes, isGone))
  return new Map(whole.flatMap((text) => text.indexes.map((index) => [index, text] as const)))
}

function proseOf({ first, last, prose }: WrittenLog): string {
  const lines = prose.split('\n').filter((line) => line.trim() !== '')
  return [`[steps ${first}-${last}, summarised by a model]`, ...lines.map(harmless)].join('\n')
}

function quoted(text: string): string {
  const said = text.replaceAll(/\s+/g, ' ').trim()
  const cut = said.length <= userCharacters ? said : `${said.slice(0, userCharacters).toWellFormed()}…`
  return `USER: ${cut}`
}
