import type { Item } from '../core/index.ts'
import { textMemo } from '../core/index.ts'
import type { TextMemo } from '../core/index.ts'
import { callFacts } from './call-facts.ts'
import type { CallFacts } from './call-facts.ts'
import { isVeryLong } from './close-reading.ts'
import { fileActs } from './file-acts.ts'
import type { FileAct } from './file-act.ts'
import type { FailureReport } from './failure.ts'
import { foldableRuns } from './fold-runs.ts'
import type { OpenRun } from './fold-runs.ts'
import { kindWorth, saidKeysOf } from './kind-worth.ts'
import type { KindWorth } from './kind-worth.ts'
import { longStrings } from './json-strings.ts'
import type { JsonString } from './json-strings.ts'
import { lineNames } from './line-names.ts'
import type { LineNames } from './line-names.ts'
import { parseFold } from './marker.ts'
import { namesIn } from './names.ts'
import { readClosely, readWhole } from './read-closely.ts'
import type { ReadText } from './read-closely.ts'
import { linesOfResult } from './result-lines.ts'
import type { TextLines } from './text-lines.ts'
import { splitLines, textLines } from './text-lines.ts'

/** What stands in a text, found once per text. */
export interface TextFacts {
  readonly text: TextLines
  readonly names: LineNames
  /** 1 for lines that state a failure; they are always shown. */
  readonly states: Uint8Array
  /** What the text says about its own success. */
  failure(): FailureReport
  /** What each line is worth for the kind of the text, see `kindWorth`. */
  worths(): KindWorth
  /** Of an excerpt: the one that also has the lines with words that few lines have. */
  about?(asked: ReadonlySet<string>): TextFacts
}

export interface FactReader {
  /** Of a very long text, those of an excerpt. */
  ofText(text: string): TextFacts
  /** Those of a text of which every line is read, however long it is. */
  ofWhole(text: string): TextFacts
  /** The names in a text, each once; of a very long one those in its excerpt. */
  namesIn(text: string): readonly string[]
  /** What the lines of a tool's result say beside names, as `freshWorths` tells it apart; none of a text that is told by its names. */
  saidIn(text: string): readonly number[]
  /** Of the JSON of a call's arguments. */
  ofCall(json: string): CallFacts
  /** What the call does to files, in order. */
  actsOf(json: string): readonly FileAct[]
  /** The runs of lines in string values of more than so many tokens in the JSON of a call's arguments. `count` must always count alike. */
  longRuns(json: string, beyondTokens: number, count: (text: string) => number): readonly OpenRun[]
  /** The text of an item as lines: for a tool call, its long strings. */
  linesOf(item: Item, shown: string): string
  /** The same, line by line; for a result, as `resultLines` counts them. */
  eachLineOf(item: Item, shown: string): readonly string[]
}

/** Strings in tool calls that are shorter than this are never looked at as lines. */
export const shortestString = 120

/** In characters; what is remembered of a text takes some four and a half bytes for each. */
const rememberedPerGeneration = 4_000_000

/** A text is asked for many times in one compile, however long it is. */
function remembered<Value>(compute: (text: string) => Value): TextMemo<Value> {
  return textMemo(compute, rememberedPerGeneration, { keepsLarger: true })
}

/** A reader that remembers what it read; what it answers does not depend on that. */
export function factReader(): FactReader {
  const texts = remembered(read)
  const wholes = remembered((text) => factsOf(readWhole(text)))
  const linesRead = (text: string): readonly string[] =>
    isVeryLong(text) ? texts.get(text).text.lines : splitLines(text).lines
  const names = remembered((text) => distinctNames(linesRead(text)))
  const saidKeys = remembered((text) => {
    const { lines, kind } = isVeryLong(text) ? texts.get(text).text : textLines(text)
    return saidKeysOf(lines, kind)
  })
  const calls = remembered(callFacts)
  const acts = remembered(fileActs)
  const runs = remembered(() => new Map<number, readonly OpenRun[]>())
  const strings = remembered(linesOfStrings)
  const lines = remembered((text) => text.split('\n'))
  const ofResults = remembered(linesOfResult)
  const linesOf = (item: Item, shown: string): string => (item.kind === 'tool-call' ? strings.get(shown) : shown)
  return {
    ofText: (text) => texts.get(text),
    ofWhole: (text) => (isVeryLong(text) ? wholes : texts).get(text),
    namesIn: (text) => names.get(text),
    saidIn: (text) => saidKeys.get(text),
    ofCall: (json) => calls.get(json),
    actsOf: (json) => acts.get(json),
    longRuns(json, beyondTokens, count) {
      const known = runs.get(json)
      const found =
        known.get(beyondTokens) ??
        foldableRuns(json, (text) => text.length > beyondTokens * 2 && count(text) > beyondTokens)
      known.set(beyondTokens, found)
      return found
    },
    linesOf,
    eachLineOf: (item, shown) => (item.kind === 'tool-result' ? ofResults.get(shown) : lines.get(linesOf(item, shown))),
  }
}

function linesOfStrings(json: string): string {
  // What is left of a folded string is read as lines, however short it is.
  if (!json.includes(foldedWords)) return valuesOf(longStrings(json, shortestString)).join('\n')
  const strings = longStrings(json, foldedWords.length)
  return valuesOf(strings.filter(({ start, end, value }) => end - start >= shortestString || isFolded(value))).join(
    '\n',
  )
}

/** What every marker of a fold in a call says. */
const foldedWords = ' not shown: '

function isFolded(value: string): boolean {
  return value.includes(foldedWords) && value.split('\n').some((line) => parseFold(line) !== undefined)
}

function valuesOf(strings: readonly JsonString[]): readonly string[] {
  return strings.map(({ value }) => value)
}

function distinctNames(lines: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const line of lines) for (const name of namesIn(line)) found.add(name)
  return [...found]
}

function read(text: string): TextFacts {
  return factsOf(readClosely(text))
}

function factsOf({ text, mayFail, failure, about }: ReadText): TextFacts {
  const { lines, kind } = text
  let worth: KindWorth | undefined
  const worths = (): KindWorth => (worth ??= kindWorth(lines, kind))
  const states = new Uint8Array(lines.length)
  if (mayFail) for (const at of failure().lines) states[at] = 1
  const facts = { text, names: lineNames(lines), states, failure, worths }
  if (about === undefined) return facts
  const factsAbout = (asked: ReadonlySet<string>): TextFacts => {
    const wider = about(asked)
    return wider === undefined ? facts : factsOf(wider)
  }
  return { ...facts, about: remembersLast(factsAbout) }
}

/** The same words are asked for again and again. */
function remembersLast(of: (asked: ReadonlySet<string>) => TextFacts): (asked: ReadonlySet<string>) => TextFacts {
  let last: { readonly key: string; readonly facts: TextFacts } | undefined
  return (asked) => {
    const key = [...asked].join('\n')
    if (last?.key !== key) last = { key, facts: of(asked) }
    return last.facts
  }
}
