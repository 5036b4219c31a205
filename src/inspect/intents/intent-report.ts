import { meanOf } from '../labelled/mean-of.ts'
import type { IntentMethod, NearestIntents } from './nearest-intents.ts'
import { intentMethods, nearestIntents } from './nearest-intents.ts'
import type { LabelledIntent } from './read-intents.ts'
import { outOfScope } from './read-intents.ts'

/** Shares from 0 to 1; null where there is nothing of the kind. */
export interface IntentMethodReport {
  readonly name: string
  /** Of requests with an intent: the intent stands first, among the first three, among the first ten. */
  readonly first: number | null
  readonly amongThree: number | null
  readonly amongTen: number | null
  /** The confidence below which nothing is offered: one of twenty examples falls below it. */
  readonly threshold: number
  /** The intent stands first and its confidence reaches the threshold. */
  readonly accepted: number | null
  /** Of requests without an intent: the confidence stays below the threshold. */
  readonly outOfScopeRecall: number | null
  /** How often a request with an intent is more confident than one without, ties counted half. */
  readonly auc: number | null
}

export interface IntentReport {
  readonly name: string
  /** The file of the examples. */
  readonly examplesName: string
  readonly examples: number
  readonly intents: number
  readonly inScope: number
  readonly outOfScope: number
  readonly methods: readonly IntentMethodReport[]
  /** Published for CLINC150: a fine-tuned BERT, and its recall of requests out of scope. */
  readonly published: readonly { readonly name: string; readonly first: number; readonly outOfScopeRecall: number }[]
}

export interface IntentFile {
  readonly name: string
  readonly requests: readonly LabelledIntent[]
}

/** Of every so many examples, one sets the threshold. */
const everyExample = 10
const rejectedExamples = 0.05

/**
 * Which intents the examples of one file find for the requests of another. Reports how far it is; the caller may stop it between two requests.
 */
export function* intentReports(
  examples: IntentFile,
  asked: IntentFile,
): Generator<{ readonly done: number; readonly all: number }, IntentReport> {
  const known = examples.requests.filter(({ intent }) => intent !== outOfScope)
  const sample = known.flatMap((one, at) => (at % everyExample === 0 ? [{ text: one.text, at }] : []))
  const all = intentMethods.length * (sample.length + asked.requests.length)
  let done = 0
  const methods: IntentMethodReport[] = []
  for (const name of intentMethods) {
    const find = nearestIntents(known, name)
    const confidences: number[] = []
    for (const { text, at } of sample) {
      confidences.push(find(text, at).confidence)
      yield { done: (done += 1), all }
    }
    const found: Found[] = []
    for (const { text, intent } of asked.requests) {
      found.push({ ...find(text), intent })
      yield { done: (done += 1), all }
    }
    methods.push(methodReport(name, found, thresholdOf(confidences)))
  }
  const inScope = asked.requests.filter(({ intent }) => intent !== outOfScope).length
  return {
    name: asked.name,
    examplesName: examples.name,
    examples: known.length,
    intents: new Set(known.map(({ intent }) => intent)).size,
    inScope,
    outOfScope: asked.requests.length - inScope,
    methods,
    published: [{ name: 'CLINC150: BERT, fine-tuned', first: 0.969, outOfScopeRecall: 0.403 }],
  }
}

function thresholdOf(confidences: readonly number[]): number {
  const sorted = confidences.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * rejectedExamples)] ?? 0
}

interface Found extends NearestIntents {
  /** The right one. */
  readonly intent: string
}

function methodReport(name: IntentMethod, found: readonly Found[], threshold: number): IntentMethodReport {
  const inScope = found.filter(({ intent }) => intent !== outOfScope)
  const outside = found.filter(({ intent }) => intent === outOfScope)
  const amongFirst = (most: number) =>
    meanOf(inScope.map((one) => share(one.intents.slice(0, most).includes(one.intent))))
  return {
    name,
    first: amongFirst(1),
    amongThree: amongFirst(3),
    amongTen: amongFirst(10),
    threshold,
    accepted: meanOf(inScope.map((one) => share(one.intents[0] === one.intent && one.confidence >= threshold))),
    outOfScopeRecall: meanOf(outside.map(({ confidence }) => share(confidence < threshold))),
    auc: aucOf(inScope, outside),
  }
}

function share(isSo: boolean): number {
  return isSo ? 1 : 0
}

function aucOf(inScope: readonly Found[], outside: readonly Found[]): number | null {
  return meanOf(
    outside.flatMap((low) =>
      inScope.map((high) => (high.confidence === low.confidence ? 0.5 : share(high.confidence > low.confidence))),
    ),
  )
}
