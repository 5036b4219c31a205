import type { Item } from '../core/index.ts'
import { textMemo } from '../core/index.ts'
import { callFacts } from './call-facts.ts'
import type { CallFacts } from './call-facts.ts'
import { fileActs } from './file-acts.ts'
import type { FileAct } from './file-act.ts'
import { detectFailure, mayState, noFailure } from './failure.ts'
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
import { resultLines } from './result-lines.ts'
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
}

export interface FactReader {
  ofText(text: string): TextFacts
  /** The names in a text, each once. */
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

/** A reader that remembers what it read; what it answers does not depend on that. */
export function factReader(): FactReader {
  const texts = textMemo(read, rememberedPerGeneration)
  const names = textMemo(distinctNames, rememberedPerGeneration)
  const saidKeys = textMemo(keysSaid, rememberedPerGeneration)
  const calls = textMemo(callFacts, rememberedPerGeneration)
  const acts = textMemo(fileActs, rememberedPerGeneration)
  const runs = textMemo(() => new Map<number, readonly OpenRun[]>(), rememberedPerGeneration)
  const strings = textMemo(linesOfStrings, rememberedPerGeneration)
  const lines = textMemo((text) => text.split('\n'), rememberedPerGeneration)
  const ofResults = textMemo((text) => resultLines(text).lines, rememberedPerGeneration)
  const linesOf = (item: Item, shown: string): string => (item.kind === 'tool-call' ? strings.get(shown) : shown)
  return {
    ofText: (text) => texts.get(text),
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

function distinctNames(text: string): readonly string[] {
  const found = new Set<string>()
  for (const line of splitLines(text).lines) for (const name of namesIn(line)) found.add(name)
  return [...found]
}

function keysSaid(text: string): readonly number[] {
  const { lines, kind } = textLines(text)
  return saidKeysOf(lines, kind)
}

function read(text: string): TextFacts {
  const split = textLines(text)
  const { lines, kind } = split
  const mayFail = mayState(text)
  let report = mayFail || kind === 'json' ? undefined : noFailure
  const failure = (): FailureReport => (report ??= detectFailure(lines, kind, text))
  let worth: KindWorth | undefined
  const worths = (): KindWorth => (worth ??= kindWorth(lines, kind))
  const states = new Uint8Array(lines.length)
  if (mayFail) for (const at of failure().lines) states[at] = 1
  return { text: split, names: lineNames(lines), states, failure, worths }
}
