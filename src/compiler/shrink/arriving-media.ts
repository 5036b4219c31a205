import type { CompileInput, Hasher, Item, LadderMaker, MediaPolicy, MediaWish, Rendition } from '../../core/index.ts'
import { perObject, perObjectAndKey } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { handleFrom } from '../items/item-keys.ts'
import type { CandidateList } from '../items/read-candidates.ts'

export type ArrivingMedia = (input: CompileInput, list: CandidateList) => CandidateList

interface Parts {
  readonly ladders: LadderMaker
  readonly hash: Hasher
  itemTokens(item: Item, text?: string): number
}

/** What a policy makes of media, and what can be made: of one without the other nothing is to be made. */
export function mediaWish({
  policy: { media },
  making,
}: Pick<CompileInput, 'policy' | 'making'>): MediaWish | undefined {
  return media === undefined || making === undefined ? undefined : { ...media, making }
}

/**
 * Candidates of which pictures and recordings stand as a policy wants them when they come in: smaller, cut, or as the words that a caller has
 * given. The same for the same policy, so that what is known of them is kept.
 */
export function arrivingMedia(parts: Parts): ArrivingMedia {
  const arrived = arriver(parts)
  let version = 0
  return (input, list) => {
    const { media } = input.policy
    if (media === undefined) return list
    const isPointed = media.images?.pointedAt !== true && pointsAtPlaces(list)
    const setting: Setting = { input, media, wish: mediaWish(input), key: keyOf(input) }
    let isChanged = false
    const candidates = list.candidates.map((candidate) => {
      if (!mayStandOtherwise(candidate, input)) return candidate
      const made = arrived(candidate, setting, isPointed && candidate.item.role === 'tool')
      isChanged ||= made !== candidate
      return made
    })
    // Numbers of lists that were read go up from 1, and those of other stages are whole or halves.
    version -= 2
    return isChanged ? { ...list, candidates, version: version - 0.25, unchanged: 0 } : list
  }
}

/** What a model has asked for by a tool of ours it gets as it is. */
function mayStandOtherwise({ item, dress, whole }: Candidate, { hiddenTools = [] }: CompileInput): boolean {
  if (item.kind !== 'media' || item.pin === true || item.frozen === true) return false
  return dress === undefined && whole === undefined && !hiddenTools.includes(item.toolName ?? '')
}

interface Setting {
  readonly input: CompileInput
  readonly media: MediaPolicy
  readonly wish: MediaWish | undefined
  readonly key: string
}

function keyOf({ policy: { media }, making, rehydration, handleKey }: CompileInput): string {
  return JSON.stringify([media, making, rehydration, handleKey])
}

function arriver({ ladders, hash, itemTokens }: Parts) {
  const known = perObjectAndKey<Candidate, Candidate>()
  return (candidate: Candidate, setting: Setting, isPointedAt: boolean): Candidate => {
    const key = `${setting.key} ${isPointedAt}`
    return known(candidate, key, ({ item, contentHash, memo }) => {
      const { rehydration = false, handleKey = '' } = setting.input
      const handle = rehydration ? handleFrom(hash, handleKey, contentHash) : ''
      const media = isPointedAt || setting.wish === undefined ? undefined : { ...setting.wish, arriving: true }
      const context = { count: (text: string) => itemTokens(item, text), handle, ...(media && { media }) }
      const whole = arrivingForm(ladders(item, context), setting.media)
      const fresh = { ...memo, full: undefined, plain: undefined, ladder: undefined, decision: undefined }
      return whole === undefined ? candidate : { ...candidate, memo: fresh, whole }
    })
  }
}

/** The cheapest words that say enough; else the image or recording as the policy wants it. */
function arrivingForm(rungs: readonly Rendition[], { substituteFrom }: MediaPolicy): Rendition | undefined {
  const words = rungs.findLast(({ rung, fidelity }) => rung === 'summary' && fidelity >= (substituteFrom ?? Infinity))
  return words ?? rungs.find(({ rung }) => rung === 'trimmed')
}

const pointing = /"(?:coordinates?|x|y|start_x|bounding_box|display_width(?:_px)?)"/

/** Whether a tool of the conversation takes places on what is seen: a smaller picture would lead it elsewhere. */
function pointsAtPlaces({ candidates }: CandidateList): boolean {
  return candidates.some(({ item }) => {
    const mayPoint = item.section === 'tools' || item.kind === 'tool-call'
    if (!mayPoint) return false
    return namesPlaces(item)
  })
}

const namesPlaces = perObject(({ text }: Item) => pointing.test(text))
