import type { GivenSummary, Hasher, Rendition, SummaryMedia, SummaryRecord } from '../../core/index.ts'
import { extractiveSummarizer } from '../../ladders/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { handleFrom } from '../items/item-keys.ts'
import { summaryKey } from '../summaries/summarist.ts'
import type { MadeSummary } from '../summaries/summarist.ts'

export interface SummariesInput {
  readonly candidates: readonly Candidate[]
  readonly fullTokens: ArrayLike<number>
  /** Of a conversation, how each candidate is shown. */
  readonly renditions?: readonly Rendition[] | undefined
  /** Of a payload, what stands in it. */
  readonly made?: readonly MadeSummary[] | undefined
  readonly given: readonly GivenSummary[] | undefined
  readonly handleKey: string
  readonly hash: Hasher
}

/** The summaries that a pack shows, and what they stand for; undefined where there are none. */
export function summaryRecords(input: SummariesInput): { readonly summaries?: readonly SummaryRecord[] } {
  const records = [...shownIn(input), ...(input.made ?? []).map((made) => recordOf(input, made))]
  return records.length === 0 ? {} : { summaries: records }
}

interface Shown extends Pick<MadeSummary, 'handle' | 'text' | 'tokens' | 'covered'> {}

/** What stands in a conversation, in its order: each where the first of its items was. */
function shownIn(input: SummariesInput): readonly SummaryRecord[] {
  const { renditions } = input
  if (renditions?.some(({ rung }) => rung === 'summary') !== true) return []
  const byHandle = new Map<string, number[]>()
  for (const [index, { rung, handle }] of renditions.entries()) {
    if (handle === undefined || (rung !== 'summary' && rung !== 'omitted')) continue
    const covered = byHandle.get(handle)
    if (covered === undefined) byHandle.set(handle, [index])
    else covered.push(index)
  }
  return Array.from(byHandle, ([handle, covered]) => {
    const { text, tokens } = renditions[covered[0] ?? 0] ?? { text: '', tokens: 0 }
    return recordOf(input, { handle, covered, text, tokens })
  })
}

function recordOf(input: SummariesInput, shown: Shown): SummaryRecord {
  const { candidates, fullTokens, given = [], hash } = input
  const media = mediaIn(input, shown)
  const sourceTokens = shown.covered.reduce((sum, index) => sum + (fullTokens[index] ?? 0), 0)
  const written = given.find(({ prose }) => prose !== '' && shown.text.includes(prose))
  return {
    key: summaryKey(
      hash,
      shown.covered.map((index) => candidates[index]?.contentHash ?? ''),
    ),
    handle: shown.handle,
    itemIds: shown.covered.flatMap((index) => candidates[index]?.item.id ?? []),
    ...(media.length > 0 && { media }),
    tokens: shown.tokens,
    sourceTokens,
    keepRatio: sourceTokens === 0 ? 0 : Math.round((shown.tokens / sourceTokens) * 1000) / 1000,
    writer: written?.writer ?? extractiveSummarizer.id,
  }
}

/** Text cannot show media: each has the handle that it has where it is shortened by itself. */
function mediaIn({ candidates, handleKey, hash }: SummariesInput, { covered }: Shown): readonly SummaryMedia[] {
  return covered.flatMap((index) => {
    const candidate = candidates[index]
    if (candidate?.item.kind !== 'media') return []
    return [{ itemId: candidate.item.id, handle: handleFrom(hash, handleKey, candidate.contentHash) }]
  })
}
