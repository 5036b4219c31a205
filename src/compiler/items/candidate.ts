import type { Item, ManifestDecision, ProseWish, ReasonCode, Rendition } from '../../core/index.ts'
import { itemShape, mediaShape, provenanceShape, scoresShape, sections } from '../../core/index.ts'
import type { ContentHasher } from './item-keys.ts'
import type { Form, FormLadder } from '../forms/form.ts'
import { validateItem } from './validate-item.ts'

/** An item with what the stages need to know about it; made once per item and kept. */
export interface Candidate {
  readonly item: Item
  /** Of what the item is and says, as in ledger keys. */
  readonly contentHash: string
  /** The item as one line of canonical text that ends with the hash of its content. */
  readonly line: string
  /** Whether it stands whole whatever happens: by its pin, or because its section is never left out. */
  readonly pinned: boolean
  readonly memo: CandidateMemo
  /** How its texts are shown, where not as they are; what its handle brings back is the text as it came. */
  readonly dress?: (text: string) => string
  /** By which a payload names it where it is linked to another item. */
  readonly label?: string
  /** How far it may be shortened by words and sentences; it may not where absent. */
  readonly prose?: ProseWish
  /** What it is shown as where there is room for everything, where that is not its text. */
  readonly whole?: Rendition
  /** The URI of its text, where it is shown as an extract that names it. */
  readonly artifact?: string
  /** Whether that is a reference to another item. */
  readonly refers?: boolean
  /** Whether another item is a reference to it. */
  readonly isReferredTo?: boolean
}

/** What the stages have made of a candidate so far. It saves work and never changes an answer. */
export interface CandidateMemo {
  /** Tokens of the item as it came. */
  tokens: number | undefined
  full: Form | undefined
  /** As a conversation shows it. */
  plain: Form | undefined
  ladder: FormLadder | undefined
  decision: ManifestDecision | undefined
  /** What it leaves unsaid about its origin. */
  untold: readonly string[] | undefined
  handle: { readonly key: string; readonly handle: string } | undefined
  /** How the list of what is left out has it. */
  omission: { readonly reason: ReasonCode; readonly line: string } | undefined
}

export interface CandidateReader {
  /** The candidate of the item at `index`; throws where the item is not valid. */
  read(item: Item, index: number): Candidate
}

/** Tiers 0 and 1 are never left out; of tools, a selection is shown. */
const wholeSections: ReadonlySet<string> = new Set(
  sections.filter(({ section, tier }) => tier <= 1 && section !== 'tools').map(({ section }) => section),
)

/** Items are values; one that was changed in place after it was read is read again. */
export function candidateReader(contentHash: ContentHasher): CandidateReader {
  const known = new WeakMap<Item, Candidate>()
  return {
    read(item, index) {
      const candidate = typeof item === 'object' && item !== null ? known.get(item) : undefined
      if (candidate !== undefined && isUnchanged(candidate, item)) return candidate
      validateItem(item, index)
      const copy = copyOf(item)
      const digest = contentHash(copy)
      const memo = {
        tokens: undefined,
        full: undefined,
        plain: undefined,
        ladder: undefined,
        decision: undefined,
        untold: undefined,
        omission: undefined,
        handle: undefined,
      }
      const pinned = copy.pin === true || wholeSections.has(copy.section)
      const made = { item: copy, contentHash: digest, line: lineOf(copy, digest), pinned, memo }
      known.set(item, made)
      return made
    },
  }
}

/**
 * Whether the item still is what the candidate was read from, changes in place included. Written out, because it is asked of
 * every item of every request; a test has it see a change of each member that an item's shape names.
 */
export function isUnchanged(candidate: Candidate | undefined, item: Item): boolean {
  const before = candidate?.item
  return (
    before !== undefined &&
    before.text === item.text &&
    before.id === item.id &&
    before.section === item.section &&
    before.kind === item.kind &&
    before.role === item.role &&
    before.authority === item.authority &&
    before.trust === item.trust &&
    before.birthTurn === item.birthTurn &&
    before.category === item.category &&
    before.pin === item.pin &&
    before.group === item.group &&
    before.toolName === item.toolName &&
    before.toolCallId === item.toolCallId &&
    before.status === item.status &&
    before.tokens === item.tokens &&
    before.frozen === item.frozen &&
    before.citable === item.citable &&
    before.lasts === item.lasts &&
    before.wordWeights === item.wordWeights &&
    before.toolNamespace === item.toolNamespace &&
    before.words === item.words &&
    before.reasonedBy === item.reasonedBy &&
    before.scope === item.scope &&
    hasSameLinks(before.links, item.links) &&
    hasSameScores(before.scores, item.scores) &&
    hasSameOrigin(before.provenance, item.provenance) &&
    hasSameMedia(before.media, item.media)
  )
}

function hasSameScores(before: Item['scores'], now: Item['scores']): boolean {
  if (before === undefined || now === undefined) return before === now
  return (
    before.relevance === now.relevance &&
    before.authority === now.authority &&
    before.freshness === now.freshness &&
    before.utility === now.utility &&
    before.confidence === now.confidence &&
    before.pragmatic === now.pragmatic &&
    before.epistemic === now.epistemic &&
    before.affective === now.affective &&
    before.urgency === now.urgency
  )
}

function hasSameOrigin(before: Item['provenance'], now: Item['provenance']): boolean {
  if (before === undefined || now === undefined) return before === now
  return (
    before.sourceId === now.sourceId &&
    before.uri === now.uri &&
    before.title === now.title &&
    before.retrievedAt === now.retrievedAt &&
    before.authorityScore === now.authorityScore &&
    before.relevanceScore === now.relevanceScore &&
    before.lineage === now.lineage &&
    before.span?.[0] === now.span?.[0] &&
    before.span?.[1] === now.span?.[1] &&
    before.span?.length === now.span?.length
  )
}

function hasSameMedia(before: Item['media'], now: Item['media']): boolean {
  if (before === undefined || now === undefined) return before === now
  return mediaShape.names.every((name) => before[name] === now[name] || isSameList(before[name], now[name]))
}

function hasSameLinks(before: Item['links'], now: Item['links']): boolean {
  return before === now || isSameList(before, now)
}

/** Lists come as other ones that say the same. */
function isSameList(before: unknown, now: unknown): boolean {
  return Array.isArray(before) && Array.isArray(now) && JSON.stringify(before) === JSON.stringify(now)
}

/** Members that are objects of their own, and the names of theirs. */
const nested: readonly (readonly ['provenance' | 'scores' | 'media', readonly string[]])[] = [
  ['provenance', provenanceShape.names],
  ['scores', scoresShape.names],
  ['media', mediaShape.names],
]
/** Members that came after the first receipts: a line names them where they are there, so that the lines of all other items stay as they were. */
const named: readonly string[] = ['links', 'lasts']
const plainMembers = itemShape.names.filter(
  (name) => !named.includes(name) && !nested.some(([other]) => other === name),
)

type Values = Readonly<Record<string, unknown>>

/** A copy that does not change when the item is changed in place. It has the members of the item in their order: both are compared often. */
function copyOf(item: Item): Item {
  const copy: { -readonly [Name in keyof Item]: Item[Name] } = { ...item }
  const { provenance, scores, media, links } = item
  if (provenance !== undefined) copy.provenance = copyOfProvenance(provenance)
  if (scores !== undefined) copy.scores = { ...scores }
  if (media !== undefined) copy.media = copyOfMedia(media)
  if (links !== undefined) copy.links = links.map((link) => ({ ...link }))
  return copy
}

function copyOfMedia(media: NonNullable<Item['media']>): NonNullable<Item['media']> {
  const { substitutes, region } = media
  return {
    ...media,
    ...(region && { region: [...region] }),
    ...(substitutes && { substitutes: substitutes.map((one) => ({ ...one })) }),
  }
}

function copyOfProvenance(provenance: NonNullable<Item['provenance']>): NonNullable<Item['provenance']> {
  const { span } = provenance
  return span === undefined ? { ...provenance } : { ...provenance, span: [span[0], span[1]] }
}

/** Every member of the item in the order of its type, and the hash of what it says. */
function lineOf(item: Item, contentHash: string): string {
  const members = plainMembers.map((name) => (name === 'text' ? undefined : item[name]))
  const inner = nested.map(([name, names]) => {
    const value: object | undefined = item[name]
    return value && names.map((member) => (value as Values)[member])
  })
  const links = item.links?.map(({ itemId, method, confidence }) => [itemId, method, confidence])
  const { lasts } = item
  return `${JSON.stringify([members, inner, ...(links ? [links] : []), ...(lasts ? [{ lasts }] : [])])} ${contentHash}`
}
