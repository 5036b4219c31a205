import type {
  CompileInput,
  DefensePolicy,
  InjectionContext,
  InjectionDetector,
  InjectionScore,
  Item,
  SecurityCause,
  TextMemo,
  UserAction,
} from '../../core/index.ts'
import { perObject, PrehendError, textMemo } from '../../core/index.ts'
import {
  cappedFieldOf,
  hasInvisible,
  isQuarantined,
  quarantined,
  stripInvisible,
  trustOf,
} from '../../defense/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { CandidateList } from '../items/read-candidates.ts'

/** A text that is suspected to hold orders. */
export interface Suspect extends InjectionScore {
  /** Of the candidate; -1 for the request of the frame. */
  readonly index: number
  readonly itemId: string
}

/** What became of the candidates of one compile at the hands of its policy's defense. */
export interface Judged {
  /** The candidates, those that are to be shown otherwise in new clothes. */
  readonly list: CandidateList
  readonly suspects: readonly Suspect[]
  readonly strippedIds: readonly string[]
}

export type JudgeItems = (input: CompileInput, list: CandidateList, traceId: () => string) => Judged

/** Of the request in a frame, which is no item. */
const requestId = 'frame.request'

/** Scores what is not trusted, once per text, and dresses what is to be shown otherwise. Throws `security` where the policy refuses. */
export function itemJudge(detector: InjectionDetector): JudgeItems {
  const scoreOf = scorer(detector)
  const dress = dresser()
  let version = 0
  return (input, list, traceId) => {
    const { defense } = input.policy
    if (defense === undefined) return { list, suspects: [], strippedIds: [] }
    refuseLong(input, list, { defense, traceId })
    const suspects = suspectsOf(input, list, scoreOf)
    refuseSuspects(suspects, { list, defense, traceId })
    const wrapped = new Set(defense.untrusted === 'quarantine' ? suspects.map(({ index }) => index) : [])
    const strippedIds: string[] = []
    let isChanged = false
    const candidates = list.candidates.map((candidate, index) => {
      const { item } = candidate
      if (item.frozen === true || trustOf(item) !== 'untrusted') return candidate
      const strips = defense.stripInvisible === true && hasInvisible(item.text)
      if (strips) strippedIds.push(item.id)
      if (!strips && !wrapped.has(index)) return candidate
      isChanged = true
      return dress(candidate, strips, wrapped.has(index))
    })
    // Numbers of lists that were read go up from 1; nothing that was made of another list is taken over.
    version -= 2
    return { list: isChanged ? { ...list, candidates, version, unchanged: 0 } : list, suspects, strippedIds }
  }
}

type ScoreOf = (candidate: Pick<Candidate, 'item'>) => InjectionScore

const innocent: InjectionScore = { score: 0, reasons: [] }

/** What stands in quarantine as it came needs no other. A conversation brings the same texts again and again; they are scored once. */
function scorer(detector: InjectionDetector): ScoreOf {
  const byContext = new Map<string, TextMemo<InjectionScore>>()
  const memoOf = (context: InjectionContext): TextMemo<InjectionScore> => {
    const key = Object.values(context).join(' ')
    const known = byContext.get(key)
    if (known !== undefined) return known
    const made = textMemo((text) => detector.score(text, context), rememberedCharacters)
    if (byContext.size >= rememberedContexts) byContext.clear()
    byContext.set(key, made)
    return made
  }
  return perObject(({ item }: Pick<Candidate, 'item'>) => {
    const { section, kind, text } = item
    const trust = trustOf(item)
    if (trust === 'own' || trust === 'trusted' || text === '' || isQuarantined(text)) return innocent
    return memoOf({ trust, section, kind }).get(text)
  })
}

const rememberedCharacters = 2_000_000

/** Sections have any name; a caller that makes up new ones must not fill the memory. */
const rememberedContexts = 8

function suspectsOf(
  { policy: { defense }, frame, suspicions }: CompileInput,
  { candidates }: CandidateList,
  scoreOf: ScoreOf,
): readonly Suspect[] {
  const { threshold = 1, semiTrusted = 'off', untrusted = 'off' } = defense ?? {}
  const suspects: Suspect[] = []
  const judge = (candidate: Pick<Candidate, 'item'>, index: number): void => {
    const { item } = candidate
    const trust = trustOf(item)
    if (trust === 'own' || trust === 'trusted') return
    if ((trust === 'untrusted' ? untrusted : semiTrusted) === 'off') return
    const score = withReported(scoreOf(candidate), suspicions?.[item.id])
    if (score.score > 0 && score.score >= threshold) suspects.push({ ...score, index, itemId: item.id })
  }
  for (const [index, candidate] of candidates.entries()) judge(candidate, index)
  if (frame !== undefined) judge({ item: requestItem(frame.request) }, -1)
  return suspects
}

function requestItem(text: string): Item {
  return { id: requestId, section: 'query', kind: 'text', role: 'user', text }
}

function withReported(found: InjectionScore, reported: number | undefined): InjectionScore {
  if (reported === undefined || reported <= found.score) return found
  return { score: reported, reasons: [...found.reasons, 'reported'] }
}

interface Refusing {
  readonly list: CandidateList
  readonly defense: DefensePolicy
  traceId(): string
}

function refuseSuspects(suspects: readonly Suspect[], { list, defense, traceId }: Refusing): void {
  for (const { index, itemId, score, reasons } of suspects) {
    const item = list.candidates[index]?.item
    const isData = item !== undefined && trustOf(item) === 'untrusted'
    const action: DefensePolicy['untrusted'] | UserAction = isData ? defense.untrusted : defense.semiTrusted
    if (action !== 'reject') continue
    const remedy = 'Leave it out, or choose a policy that quotes suspected data instead of refusing it.'
    const message = `${itemId} is suspected to hold orders: it scores ${score} of ${defense.threshold}. ${remedy}`
    throw security('injection', message, { itemId, score, reasons, traceId: traceId(), remedy })
  }
}

function refuseLong(
  { frame }: CompileInput,
  { candidates }: CandidateList,
  { defense: { maxChars }, traceId }: Omit<Refusing, 'list'>,
): void {
  if (maxChars === undefined) return
  const request = frame === undefined ? [] : [{ item: requestItem(frame.request) }]
  for (const { item } of [...candidates, ...request]) {
    const field = cappedFieldOf(item)
    const most = field === undefined ? undefined : maxChars[field]
    if (most === undefined || item.text.length <= most) continue
    const remedy = 'Send less of it at once, or raise policy.defense.maxChars.'
    const message = `${item.id} has ${item.text.length} characters; of ${field} the policy takes ${most}. ${remedy}`
    throw security('too-long', message, { itemId: item.id, traceId: traceId(), remedy })
  }
}

type Told = Omit<PrehendError<'security'>['data'], 'cause'>

export function security(cause: SecurityCause, message: string, told: Told): PrehendError<'security'> {
  return new PrehendError('security', message, { cause, ...told })
}

/** Shows a candidate otherwise, the same for the same clothes, so that what is known of it is kept. */
function dresser(): (candidate: Candidate, strips: boolean, wraps: boolean) => Candidate {
  const known = new WeakMap<Candidate, Map<string, Candidate>>()
  return (candidate, strips, wraps) => {
    const byClothes = known.get(candidate) ?? new Map<string, Candidate>()
    known.set(candidate, byClothes)
    const clothes = `${strips} ${wraps}`
    const dressed = byClothes.get(clothes) ?? {
      ...candidate,
      memo: { ...candidate.memo, full: undefined, plain: undefined, ladder: undefined, decision: undefined },
      dress: (text: string) => {
        const shown = strips ? stripInvisible(text) : text
        return wraps ? quarantined(shown) : shown
      },
    }
    byClothes.set(clothes, dressed)
    return dressed
  }
}
