import type { z } from 'zod'
import { dialects as builtInDialects } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import { compileAgain, judgedReceipt } from '../../sessions/index.ts'
import type { Store } from '../../stores/index.ts'
import { outlineReader } from '../api/answers/outline-reader.ts'
import { comparisonReader, policiesCompared } from '../api/answers/comparison.ts'
import { bytesOf, copyOf, verificationOf } from '../api/answers/pack-bytes.ts'
import type { MadeAgain } from '../api/answers/pack-bytes.ts'
import { answerDifference } from '../api/answers/pack-difference.ts'
import { viewReader } from '../api/answers/pack-view.ts'
import { packNamed } from '../api/answers/packs.ts'
import { answerSearch, whyTextsAreMissing } from '../api/answers/search.ts'
import { answerDecisions } from '../api/answers/pack-summary.ts'
import { answerLabels, labelReader } from '../api/answers/session-labels.ts'
import { answerSession } from '../api/answers/sessions.ts'
import { toolPrices, toolUsageReader } from '../api/answers/tool-usage.ts'
import { usageReader } from '../api/answers/usage.ts'
import type { Answered, Asked, Route } from '../api/route.ts'
import { search } from '../api/routes/overview-routes.ts'
import {
  comparePack,
  comparePolicies,
  copyPack,
  listDecisions,
  showBytes,
  showPack,
  verifyPack,
  viewPack,
} from '../api/routes/pack-routes.ts'
import { showOutline, showSession } from '../api/routes/session-routes.ts'
import { listSessionLabels, showToolUsage, showUsage } from '../api/routes/usage-routes.ts'
import type { ServingParts } from '../parts.ts'
import type { ReadingQuestion } from './reading.ts'

/** A route that is answered from the store and from what was recorded alone, and that may take its time. */
export interface Reading {
  readonly stated: Route
  /** What it needs of the thread that serves, as plain data. */
  readonly given?: (parts: ServingParts, asked: Asked) => unknown
  /** Whether so little has to be read that the thread that serves answers it itself, at once. */
  readonly isShort?: (store: Store, asked: Asked) => Promise<boolean>
}

/** All of them; each has its answer in `readingAnswers`. */
export const readings: readonly Reading[] = [
  { stated: showPack },
  { stated: viewPack },
  { stated: comparePack },
  { stated: comparePolicies, given: policiesCompared },
  { stated: showBytes },
  { stated: copyPack },
  { stated: verifyPack },
  { stated: listDecisions },
  { stated: showUsage },
  { stated: showToolUsage, given: toolPrices },
  { stated: listSessionLabels },
  { stated: search, given: whyTextsAreMissing },
  { stated: showSession, isShort: isShortSession },
  { stated: showOutline, isShort: isShortSession },
]

/** Sessions with more exchanges than these are long. */
const mostOfShort = 500

async function isShortSession(store: Store, { tenant, params }: Asked): Promise<boolean> {
  const [summary] = await store.read('results').sessions(tenant, { limit: 1, session: params['session'] ?? '' })
  return summary === undefined || summary.cost.requests <= mostOfShort
}

type AnswerOf<Of> = Of extends z.ZodType ? Answered<z.output<Of>> : string
type Answer = (asked: Asked, given: unknown) => Promise<unknown>

/** Answers such questions as bytes: JSON, or the text of what is answered in text. Receipts are made again with what is given. */
export function readingAnswers(
  store: Store,
  { compile = compileAgain, dialects = builtInDialects }: Partial<MadeAgain> = {},
): (question: ReadingQuestion) => Promise<Uint8Array<ArrayBuffer>> {
  const answers = answersOf(store, { compile, dialects })
  const text = new TextEncoder()
  return async ({ name, asked, given }) => {
    const answer = answers.get(name)
    if (!answer) throw new PrehendError('internal', `There is no reading ${name}.`, { remedy: 'Report it.' })
    const told = await answer(asked, given)
    return text.encode(typeof told === 'string' ? told : JSON.stringify(told))
  }
}

function answersOf(store: Store, again: MadeAgain): ReadonlyMap<string, Answer> {
  const { compile } = again
  const answers = new Map<string, Answer>()
  const of = <Query extends z.ZodObject, Body extends z.ZodType, Told extends z.ZodType>(
    { name }: Route<Query, Body, Told>,
    answer: (asked: Asked<Query, Body>, given: unknown) => Promise<AnswerOf<Told> | string>,
  ): void => void answers.set(name, answer)
  const view = viewReader(store, compile)
  of(showPack, async (asked) => judgedReceipt(store, asked.tenant, await packNamed(store, asked)))
  of(viewPack, (asked) => view(asked))
  of(comparePack, (asked) => answerDifference(store, asked, compile))
  const comparison = comparisonReader(store, compile)
  of(comparePolicies, (asked, given) => comparison(asked, given))
  of(showBytes, async (asked) => bytesOf(await packNamed(store, asked), again))
  of(copyPack, async (asked) => copyOf(await packNamed(store, asked), asked.query.as, asked.host))
  of(verifyPack, async (asked) => verificationOf(await packNamed(store, asked), again))
  of(listDecisions, (asked) => answerDecisions(store, asked))
  const usage = usageReader(store)
  of(showUsage, (asked) => usage(asked))
  const toolUsage = toolUsageReader(store)
  of(showToolUsage, (asked, given) => toolUsage(asked, given))
  const labels = labelReader(store)
  of(listSessionLabels, (asked) => answerLabels(labels, asked))
  of(search, (asked, given) =>
    answerSearch(store, asked, { labels, whyNoTexts: typeof given === 'string' ? given : null }),
  )
  of(showSession, (asked) => answerSession(store, asked))
  const outline = outlineReader(store)
  of(showOutline, (asked) => outline(asked))
  return answers
}
