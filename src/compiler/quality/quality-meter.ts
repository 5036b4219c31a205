import type { FidelityWay, Item, QualityMeasure } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { agedShare } from './aged-share.ts'
import type { FidelityOf, Measured } from './measured.ts'
import { repeatMeter } from './repeat-meter.ts'
import { requestWords, sharesWords } from './request-words.ts'
import type { SharesWords } from './request-words.ts'
import { isOfModel, useMeter } from './use-meter.ts'
import type { Uses } from './use-meter.ts'

export type Measures = Readonly<Partial<Record<QualityMeasure, number>>>

/** Measures packs of one conversation; remembers what texts say and changes no answer by it. */
export type QualityMeter = (measured: Measured) => Measures

export function qualityMeter(fidelities: Readonly<Record<FidelityWay, FidelityOf>>): QualityMeter {
  const usesOf = useMeter()
  const repeated = repeatMeter()
  const isAbout = requestMemo()
  return (measured) => {
    const { input, list, forms, packTokens, utilisation, provenance, surface } = measured
    const uses = usesOf(list)
    const shares = isAbout(requestWords(input))
    const ofPack = (tokens: number): number => (packTokens > 0 ? Math.min(1, tokens / packTokens) : 0)
    return {
      utilisation,
      ...shareOf('signalDensity', signalShare(measured, uses, shares)),
      ...(provenance !== undefined && { provenance }),
      constraintDensity: ofPack(orderingTokens(measured)),
      duplication: ofPack(repeated(forms)),
      ...shareOf('staleness', agedShare(measured, uses)),
      surface,
      fidelity: fidelities[input.policy.quality?.fidelity ?? 'stated'](measured),
    }
  }
}

function shareOf(measure: QualityMeasure, share: number | undefined): Measures {
  return share === undefined ? {} : { [measure]: share }
}

/** Answers per item for one request at a time. */
function requestMemo(): (request: string) => SharesWords {
  let last = { request: '', shares: sharesWords(''), known: new Map<string, boolean>() }
  return (request) => {
    if (request !== last.request) last = { request, shares: sharesWords(request), known: new Map() }
    const { shares, known } = last
    return (text) => {
      const before = known.get(text)
      if (before !== undefined) return before
      if (known.size >= rememberedTexts) known.clear()
      const isShared = shares(text)
      known.set(text, isShared)
      return isShared
    }
  }
}

const rememberedTexts = 20_000

const ordering: ReadonlySet<string> = new Set(['policy', 'role'])

function orderingTokens({ list, forms, constraintTokens }: Measured): number {
  let tokens = constraintTokens
  for (let index = 0; index < list.candidates.length; index += 1) {
    const { item } = list.candidates[index] as Candidate
    if (ordering.has(item.section)) tokens += forms[index]?.tokens ?? 0
  }
  return tokens
}

/** What an item serves the task by: undefined where nobody can tell. */
function signalShare({ list, forms }: Measured, uses: Uses, shares: SharesWords): number | undefined {
  let serving = 0
  let all = 0
  for (let index = 0; index < list.candidates.length; index += 1) {
    const { item } = list.candidates[index] as Candidate
    const tokens = forms[index]?.tokens ?? 0
    if (tokens === 0 || item.kind === 'opaque' || item.kind === 'media') continue
    all += tokens
    if (serves(item, index, uses, shares)) serving += tokens
  }
  return all === 0 ? undefined : serving / all
}

/** Turns whose own words and calls are what goes on just now. */
const currentTurns = 3

/**
 * Instructions and the words of users are the task. A tool serves if it was called, or shares words with the request. All else if no
 * answer has followed it yet, if the model has since said a name that stood there first, or if it shares words with the request.
 */
function serves(item: Item, index: number, uses: Uses, shares: SharesWords): boolean {
  if (item.section === 'tools')
    return uses.calledTools.has(item.toolName ?? '') || shares(`${item.toolName ?? ''} ${item.text}`)
  if (isTask(item)) return true
  const came = uses.came[index] ?? 0
  const isCurrent = isOfModel(item) ? came > uses.turns - currentTurns : came === uses.turns && uses.turns > 0
  return isCurrent || (uses.used[index] ?? 0) > came || shares(item.text)
}

const tasks: ReadonlySet<string> = new Set(['policy', 'role', 'task', 'query'])

function isTask({ section, role, kind }: Item): boolean {
  return tasks.has(section) || kind === 'instruction' || (role === 'user' && kind === 'text')
}
