import type {
  CompileInput,
  CompressionFigures,
  Guideline,
  Hasher,
  Item,
  LadderMaker,
  ProseWish,
  Rendition,
} from '../../core/index.ts'
import { compressionFigures, guidelinesFor, perObjectAndKey } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import { handleFrom } from '../items/item-keys.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { focusWords } from '../items/words.ts'

export type CompressItems = (input: CompileInput, list: CandidateList, availableTokens: number) => CandidateList

interface Parts {
  readonly ladders: LadderMaker
  readonly hash: Hasher
  itemTokens(item: Item, text?: string): number
}

/**
 * Candidates that a policy's compression may shorten: where all of them together are above its figure they stand shortened, where they only
 * do not fit they may. The same for the same wish, so that what is known of them is kept.
 */
export function itemCompressor(parts: Parts): CompressItems {
  const shortened = shortener(parts)
  let version = 0
  return (input, list, availableTokens) => {
    const figures = compressionFigures(input.policy.compression)
    if (figures === undefined) return list
    const tokens = list.candidates.reduce(
      (sum, { item, memo }) => sum + (item.tokens ?? (memo.tokens ??= parts.itemTokens(item))),
      0,
    )
    const everything = tokens > figures.above
    const tooLong = longItems(list, figures)
    const isTight = everything || tokens > nearlyAll * availableTokens
    if (!isTight && tooLong.size === 0) return list
    const older = figures.dialogue ? olderMessages(list, figures.preserveRecent) : new Set<number>()
    const setting = settingOf(input, figures)
    const isConversation = input.layout === 'messages'
    let isChanged = false
    const candidates = list.candidates.map((candidate, index) => {
      const { item } = candidate
      const isDialogue = item.section === 'history'
      const isLong = tooLong.has(index)
      if (!isTight && !isLong) return candidate
      if (isDialogue ? !older.has(index) : !isFound(candidate)) return candidate
      isChanged = true
      const stands = (everything || isLong) && !(isDialogue && isConversation)
      return shortened(candidate, setting, { stands, summary: isLong })
    })
    // Numbers of lists that were read go up from 1; nothing that was made of another list is taken over.
    version -= 2
    const compressed = everything ? ('everything' as const) : ('what-does-not-fit' as const)
    return isChanged ? { ...list, candidates, version: version - 1, unchanged: 0, compressed } : list
  }
}

/** Items of categories that the policy has summarised once they are so long. */
function longItems({ candidates }: CandidateList, { summariseAbove }: CompressionFigures): ReadonlySet<number> {
  const found = new Set<number>()
  for (const [index, { item, memo }] of candidates.entries()) {
    const most = item.category === undefined ? undefined : summariseAbove[item.category]
    if (most !== undefined && (item.tokens ?? memo.tokens ?? 0) > most) found.add(index)
  }
  return found
}

/** What no item owns takes a part of what there is, and nobody has counted it yet. */
const nearlyAll = 0.7

/** What was looked up or remembered, and is not shown in other clothes. */
function isFound({ item, pinned, dress, refers, isReferredTo }: Candidate): boolean {
  const { section, kind, frozen } = item
  if (pinned || frozen === true || dress !== undefined || refers === true || isReferredTo === true) return false
  return (
    section !== 'tools' && (kind === 'evidence' || kind === 'memory' || (kind === 'text' && section === 'situation'))
  )
}

/**
 * Words of users and models before the newest messages. Their end moves by as many messages as stay, and by eight at least, so that what a
 * provider has cached is not written anew with every request.
 */
function olderMessages({ candidates }: CandidateList, preserveRecent: number): ReadonlySet<number> {
  const messages = Array.from(candidates.keys()).filter((index) => candidates[index]?.item.section === 'history')
  const block = Math.max(leastBlock, preserveRecent)
  const count = Math.floor(Math.max(0, messages.length - preserveRecent) / block) * block
  return new Set(
    messages.slice(0, count).filter((index) => {
      const { item, pinned = true, dress } = candidates[index] ?? {}
      return item?.kind === 'text' && !pinned && item.frozen !== true && dress === undefined
    }),
  )
}

const leastBlock = 8

interface Setting {
  readonly wish: ProseWish
  guidelinesOf(item: Item): readonly Guideline[]
  readonly focus: ReadonlySet<string>
  readonly handleKey: string
  readonly key: string
}

function settingOf(input: CompileInput, figures: CompressionFigures): Setting {
  const { rehydration = false, handleKey = '', frame, situation = {} } = input
  const taskType = situation.taskClass ?? input.taskClass ?? ''
  const { regime = '' } = situation
  const wish = { keepRatio: figures.keepRatio, minFidelity: figures.minFidelity, unhandled: !rehydration }
  const words = focusWords(frame)
  const guidelinesOf = ({ category, section }: Item): readonly Guideline[] =>
    figures.guidelines.length === 0
      ? none
      : guidelinesFor(figures.guidelines, { category: category ?? section, taskType, regime })
  return { wish, guidelinesOf, focus: new Set(words), handleKey, key: JSON.stringify([wish, handleKey, words]) }
}

const none: readonly Guideline[] = []

/** Whether a candidate stands shortened, and whether as a summary at any rate. */
interface Stands {
  readonly stands: boolean
  readonly summary: boolean
}

type Shortened = (candidate: Candidate, setting: Setting, how: Stands) => Candidate

function shortener({ ladders, hash, itemTokens }: Parts): Shortened {
  const known = perObjectAndKey<Candidate, Candidate>()
  return (candidate, setting, { stands, summary }) => {
    const guidelines = setting.guidelinesOf(candidate.item)
    const key = `${setting.key} ${stands} ${summary} ${JSON.stringify(guidelines)}`
    return known(candidate, key, ({ item, contentHash, memo }) => {
      const count = (text: string): number => itemTokens(item, text)
      const handle = handleFrom(hash, setting.handleKey, contentHash)
      const prose = guidelines.length === 0 ? setting.wish : { ...setting.wish, guidelines }
      const context = { count, handle, focus: setting.focus, prose }
      const whole = stands ? wholeOf(ladders(item, context), prose, summary) : undefined
      const fresh = { ...memo, full: undefined, plain: undefined, ladder: undefined, decision: undefined }
      return { ...candidate, memo: fresh, prose, ...(whole && { whole }) }
    })
  }
}

/** How near the ratio is near enough. */
const tolerance = 1.1

/** The dearest form that keeps no more than the ratio, or the cheapest that still says enough: a summary, where one is asked for that does. */
function wholeOf(
  rungs: readonly Rendition[],
  { keepRatio, minFidelity }: ProseWish,
  summary: boolean,
): Rendition | undefined {
  const [full] = rungs
  const shorter = rungs.filter(
    ({ rung, fidelity }) => (rung === 'trimmed' || rung === 'summary') && fidelity >= minFidelity,
  )
  const summaries = summary ? shorter.filter(({ rung }) => rung === 'summary') : []
  const offered = summaries.length > 0 ? summaries : shorter
  return offered.find(({ tokens }) => tokens <= tolerance * keepRatio * (full?.tokens ?? 0)) ?? offered.at(-1)
}
