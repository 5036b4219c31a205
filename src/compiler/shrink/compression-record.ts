import type { Manifest } from '../../core/index.ts'
import { compareCodeUnits } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { CandidateList } from '../items/read-candidates.ts'

/** Tokens of every candidate as it came, also of those that stand shortened; of those that were just read none does. */
export function originalTokensOf(
  { candidates }: CandidateList,
  fullTokens: Float64Array,
  read: CandidateList,
): Float64Array {
  if (candidates === read.candidates || !candidates.some(({ whole }) => whole !== undefined)) return fullTokens
  return fullTokens.map((tokens, index) => {
    const { whole, memo } = candidates[index] ?? {}
    // What stands around a text costs the same whatever the text.
    return whole === undefined ? tokens : tokens - whole.tokens + (memo?.tokens ?? whole.tokens)
  })
}

interface RecordInput {
  readonly list: CandidateList
  readonly forms: readonly (Form | undefined)[]
  readonly fullTokens: ArrayLike<number>
}

/** What compression did to what is shown. */
export function compressionRecord({ list, forms, fullTokens }: RecordInput): Pick<Manifest, 'compression'> {
  if (list.compressed === undefined) return {}
  const everything = list.compressed === 'everything'
  let items = 0
  let tokensBefore = 0
  let tokensAfter = 0
  let said = 0
  const applied = new Set<string>()
  for (const [index, { prose }] of list.candidates.entries()) {
    const form = forms[index]
    const rung = form?.rendition.rung
    if (prose === undefined || form === undefined || (rung !== 'trimmed' && rung !== 'summary')) continue
    const before = fullTokens[index] ?? 0
    items += 1
    for (const { id } of prose.guidelines ?? []) applied.add(id)
    tokensBefore += before
    tokensAfter += form.tokens
    said += form.rendition.fidelity * before
  }
  if (items === 0 && !everything) return {}
  const removedRatio = tokensBefore === 0 ? 0 : 1 - tokensAfter / tokensBefore
  const fidelity = tokensBefore === 0 ? 1 : said / tokensBefore
  const guidelines = applied.size === 0 ? {} : { guidelines: [...applied].toSorted(compareCodeUnits) }
  return {
    compression: { everything, items, tokensBefore, tokensAfter, removedRatio, fidelity, ...guidelines },
  }
}
