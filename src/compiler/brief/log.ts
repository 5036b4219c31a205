import type { BriefInput } from './brief.ts'
import { decisionsIn } from './decisions.ts'
import type { Failure } from './failures.ts'
import { harmless } from './harmless.ts'

/** A line of the log. */
interface Entry {
  readonly kind: 'word' | 'failure'
  readonly step: number
  readonly text: string
  /** Whether a failure was cured; what is said of that is no part of `text`. */
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
    characters += entry.text.length + 1
    if (characters <= mostCharacters) continue
    condensedTo = Math.max(condensedTo, condense(kept))
    characters = kept.reduce((sum, { text }) => sum + text.length + 1, 0)
  }
  const note = condensedTo === 0 ? [] : [`Up to step ${condensedTo} only some of what was said and failed stands here.`]
  return [...note, ...kept.map(written)]
}

/** Leaves out words from the oldest on, then cured failures; returns the step up to which something is left out. */
function condense(kept: Entry[]): number {
  let excess = kept.reduce((sum, { text }) => sum + text.length + 1, 0) - mostCharacters / 2
  let last = 0
  const leave = (mayGo: (entry: Entry) => boolean): void => {
    for (let at = 0; at < kept.length && excess > 0; ) {
      const entry = kept[at]
      if (entry !== undefined && mayGo(entry)) {
        excess -= entry.text.length + 1
        last = Math.max(last, entry.step)
        kept.splice(at, 1)
      } else at += 1
    }
  }
  leave(({ kind }) => kind === 'word')
  leave(({ kind, curedAt }) => kind === 'failure' && curedAt !== undefined)
  return last
}

function written({ text, curedAt }: Entry): string {
  return curedAt === undefined ? text : `${text} (cured at step ${curedAt})`
}

const userCharacters = 80

function* entriesOf(
  { items, steps, gone, hiddenTools = [] }: BriefInput,
  failures: ReadonlyMap<number, Failure>,
): Generator<Entry> {
  const isGone = new Set(gone)
  const said = new Set<string>()
  const [first = 0] = gone
  const last = gone.at(-1) ?? -1
  const firstAt = new Map<string, number>()
  for (let index = first; index <= last; index += 1) {
    const item = items[index]
    const step = steps[index] ?? 0
    if (item === undefined || hiddenTools.includes(item.toolName ?? '')) continue
    if (item.kind === 'text' && item.role === 'user') yield { kind: 'word', step, text: quoted(item.text) }
    if (!isGone.has(index)) continue
    if (item.kind === 'text' && item.role === 'assistant') {
      for (const sentence of decisionsIn(item.text)) {
        if (said.has(sentence)) continue
        said.add(sentence)
        yield { kind: 'word', step, text: harmless(`- ${sentence}`) }
      }
    }
    const failure = item.kind === 'tool-result' ? failures.get(step) : undefined
    if (failure === undefined) continue
    const before = firstAt.get(failure.line)
    if (before === undefined) firstAt.set(failure.line, step)
    const text = before === undefined ? failure.line : `as at step ${before}`
    yield { kind: 'failure', step, text: `! [step ${step}] ${text}`, ...curedOf(failure) }
  }
}

function curedOf({ curedAt }: Failure): { readonly curedAt?: number } {
  return curedAt === undefined ? {} : { curedAt }
}

function quoted(text: string): string {
  const said = text.replaceAll(/\s+/g, ' ').trim()
  const cut = said.length <= userCharacters ? said : `${said.slice(0, userCharacters).toWellFormed()}…`
  return `USER: ${cut}`
}
