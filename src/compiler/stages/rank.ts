import type { MediaPolicy, RankPolicy, Section } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { sharedLength } from '../items/read-candidates.ts'
import { requestRelevance } from './request-relevance.ts'
import { rankRules, tieOrder } from './rank-rules.ts'
import type { Scorer } from './rank-rules.ts'

/** What is known about each candidate before a token is granted. */
export interface Ranked {
  /** The same for the same weights and way of writing. */
  readonly rankKey: string
  /** Tokens in full, as the item would stand in the pack. */
  readonly fullTokens: Float64Array
  /** Of all of them. */
  readonly totalTokens: number
  readonly scores: Float64Array
  /** Place of each candidate among equals; absent where it is that of its arrival. */
  readonly order?: Uint32Array | undefined
  /** Indexes of the candidates of each section, in order. */
  readonly members: ReadonlyMap<Section, readonly number[]>
}

export interface RankInput {
  readonly list: CandidateList
  readonly rank: RankPolicy
  /** What kinds of media are worth beside text. */
  readonly utility?: MediaPolicy['utility'] | undefined
  /** How the items will be written; their tokens depend on it. */
  readonly written: string
  /** What scorer `request` looks for. */
  readonly request?: string | undefined
  tokensOf(candidate: Candidate): number
}

export type RankItems = (input: RankInput) => Ranked

/** Ranks candidates; what a list has in common with the one before is taken over. */
export function itemRanker(scorer: Scorer | undefined): RankItems {
  let version = 0
  let last: Ranked = { rankKey: '', fullTokens: none, totalTokens: 0, scores: none, members: new Map() }
  return ({ list, rank, utility, written, request, tokensOf }) => {
    const rules = rankRules(rank)
    const asked = rank.scorer === 'request' && scorer === undefined ? request : undefined
    const weighed = utility === undefined ? '' : JSON.stringify(utility)
    const rankKey = `${written} ${rules.key}${weighed}${asked === undefined ? '' : ` ${asked}`}`
    const shared = last.rankKey === rankKey ? sharedLength(list, version) : 0
    version = list.version
    if (shared === list.candidates.length && shared === last.scores.length) return last
    // What an item has to do with a request depends on what stands beside it.
    const same = asked === undefined ? shared : 0
    const relevance = asked === undefined ? undefined : requestRelevance(list.candidates, asked)
    const order = tieOrder(rules, list.candidates)
    const ranked = { ...continued(last, same, list.candidates.length), rankKey, order }
    // Those of sections to which nothing is added stay the same.
    const fresh = new Map<Section, number[]>()
    for (let index = same; index < list.candidates.length; index += 1) {
      const candidate = list.candidates[index]
      if (candidate === undefined) break
      const { item } = candidate
      const tokens = tokensOf(candidate)
      ranked.fullTokens[index] = tokens
      ranked.totalTokens += tokens
      const score = rules.scoreOf(relevance?.itemAt(index) ?? item, tokens, scorer)
      ranked.scores[index] = item.media === undefined ? score : score * (utility?.[item.media.type] ?? 1)
      let members = fresh.get(item.section)
      if (members === undefined) {
        members = []
        fresh.set(item.section, members)
      }
      members.push(index)
    }
    for (const [section, members] of fresh)
      ranked.members.set(section, (ranked.members.get(section) ?? []).concat(members))
    relevance?.weigh(ranked)
    last = ranked
    return ranked
  }
}

const none = new Float64Array(0)

/** The first `same` candidates' ranks with room for `length`. */
function continued({ fullTokens, totalTokens, scores, members }: Ranked, same: number, length: number) {
  const next = {
    fullTokens: extended(fullTokens, same, length),
    totalTokens:
      same === fullTokens.length ? totalTokens : fullTokens.subarray(0, same).reduce((sum, tokens) => sum + tokens, 0),
    scores: extended(scores, same, length),
    members: new Map<Section, readonly number[]>(),
  }
  if (same === 0) return next
  for (const [section, indexes] of members) {
    const kept = (indexes.at(-1) ?? 0) < same ? indexes : indexes.filter((index) => index < same)
    if (kept.length > 0) next.members.set(section, kept)
  }
  return next
}

/** Figures that go on where those of the list before end; nobody has seen what lies behind these. */
function extended(values: Float64Array, same: number, length: number): Float64Array {
  const { buffer } = values
  const mayGoOn = same === values.length && length >= same && buffer.byteLength >= length * bytesPerFigure
  if (mayGoOn && same > 0 && ends.get(buffer) === same) {
    ends.set(buffer, length)
    return new Float64Array(buffer, 0, length)
  }
  const next = new Float64Array(Math.ceil(length * spare))
  next.set(values.subarray(0, same))
  ends.set(next.buffer, length)
  return next.subarray(0, length)
}

/** How far the room of figures is taken. */
const ends = new WeakMap<ArrayBufferLike, number>()
const bytesPerFigure = 8
const spare = 1.25
