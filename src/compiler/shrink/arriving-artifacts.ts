import type { ArtifactPolicy, CompileInput, Hasher, Item, LadderMaker, Rendition } from '../../core/index.ts'
import { perObjectAndKey } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { handleFrom } from '../items/item-keys.ts'
import type { CandidateList } from '../items/read-candidates.ts'

export type ArrivingArtifacts = (input: CompileInput, list: CandidateList) => CandidateList

interface Parts {
  readonly ladders: LadderMaker
  readonly hash: Hasher
  itemTokens(item: Item, text?: string): number
}

/**
 * Candidates of which large evidence and results stand as an extract with a URI when they come in. Nothing is stored here: the
 * manifest names the URIs. The same for the same policy, so that what is known of them is kept.
 */
export function arrivingArtifacts(parts: Parts): ArrivingArtifacts {
  const known = perObjectAndKey<Candidate, Candidate>()
  let version = 0
  return (input, list) => {
    const { artifacts } = input.policy
    // Without a handle, nothing would bring back the rest inside the conversation.
    if (artifacts === undefined || input.rehydration !== true) return list
    const key = `${artifacts.inlineTokens} ${input.handleKey}`
    let isChanged = false
    const candidates = list.candidates.map((candidate) => {
      if (!mayStandElsewhere(candidate, input)) return candidate
      const made = known(candidate, key, () => inArtifact(parts, candidate, { artifacts, input }))
      isChanged ||= made !== candidate
      return made
    })
    version -= 2
    return isChanged ? { ...list, candidates, version: version - 0.125, unchanged: 0 } : list
  }
}

/** What failed is shown as it came, and so is what a model has asked for by a tool of ours. */
function mayStandElsewhere({ item, pinned, dress, whole, ...links }: Candidate, input: CompileInput): boolean {
  const { kind, frozen, status, toolName = '' } = item
  if ((kind !== 'tool-result' && kind !== 'evidence') || status === 'error' || frozen === true || pinned) return false
  if (dress !== undefined || whole !== undefined || links.isReferredTo === true) return false
  return input.hiddenTools?.includes(toolName) !== true
}

interface Wanted {
  readonly artifacts: ArtifactPolicy
  readonly input: CompileInput
}

function inArtifact(parts: Parts, candidate: Candidate, { artifacts, input }: Wanted): Candidate {
  const { item, contentHash, memo } = candidate
  const tokens = item.tokens ?? (memo.tokens ??= parts.itemTokens(item))
  if (tokens <= artifacts.inlineTokens) return candidate
  const handle = handleFrom(parts.hash, input.handleKey ?? '', contentHash)
  const count = (text: string): number => parts.itemTokens(item, text)
  const extract = shortest(parts.ladders(item, { count, handle }))
  if (extract === undefined) return candidate
  const artifact = `artifact://sha256/${parts.hash(item.text)}`
  const text = `${extract.text}\n${artifact} (${tokens} tokens)`
  const whole = { ...extract, text, tokens: count(text), handle }
  if (whole.tokens >= tokens) return candidate
  const fresh = { ...memo, full: undefined, plain: undefined, ladder: undefined, decision: undefined }
  return { ...candidate, memo: fresh, whole, artifact }
}

/** A summary where there is one, else the shortest extract, else one line. */
function shortest(rungs: readonly Rendition[]): Rendition | undefined {
  const last = (rung: Rendition['rung']): Rendition | undefined => rungs.findLast((one) => one.rung === rung)
  return last('summary') ?? last('trimmed') ?? last('line')
}
