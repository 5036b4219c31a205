import type { LinkRecord, PackMessage, PayloadPolicy, RankedPlacement, Role, Section } from '../../core/index.ts'
import { compareCodeUnits } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { AssembleInput, Assembled, Assembly } from '../stages/assemble.ts'
import { accountOf } from './account.ts'
import { linkLine } from './link-lines.ts'
import { anyHandle } from './omissions.ts'
import { interleave } from './interleave.ts'
import { inPolicyOrder, layOut } from './payload.ts'
import type { LayoutOptions, PackBlocks } from './payload.ts'
import type { Piece } from './piece.ts'
import { joinPieces } from './piece.ts'
import { episodeTokens } from './xml-markup.ts'
import { wireOrder } from './slot.ts'
import type { Slot } from './slot.ts'

/** What stands around the items of a pack. */
export interface Surroundings extends LayoutOptions {
  /** Sections besides the known ones that have a block of their own, empty or not. */
  readonly others: readonly Section[]
  /** What wrapping one message costs. */
  readonly messageTokens: number
  /** Whether tags may stand around episodes. */
  readonly episodes: boolean
  /** How each link between items may come to be told. */
  readonly links: readonly (readonly string[])[]
}

/**
 * Lays a pack out by stability, for the provider's cache: tools; the system text with policy, role, contract and durable
 * memory; the conversation; and one user message with everything that changes per step.
 */
export function payloadAssembler(): (frame: Surroundings) => Assembly {
  const rank = ranker()
  return (frame) => ({
    written: frame.markup.name,
    frameTokens: (missing, pointed = []) => frameTokensOf(frame, missing, pointed),
    assemble: (input) => assemble(frame, input, slotsOf(input, rank, frame.policy)),
  })
}

function assemble(
  frame: Surroundings,
  { missing, omissions = [], links = [], cut }: AssembleInput,
  slots: Slots,
): Assembled {
  const { others, messageTokens } = frame
  const piecesOf = Map.groupBy(slots.others, ({ entry }) => entry.section)
  const sectionBlock = (section: Section) => ({ section, pieces: piecesOf.get(section) ?? [] })
  const said = cut.summary === undefined ? [] : [frame.piece(cut.summary.text)]
  const account = accountOf({ cut: cut.items, tokens: cut.tokens, tokensOf: (line) => lineTokens(frame, line) })
  const { system, payload, constraintTokens } = layOut(
    {
      ...slots,
      missing,
      omissions,
      links: linesOf(links, frame),
      account,
      others: others.map(sectionBlock),
      summary: said,
    },
    frame,
  )
  const messages: PackMessage[] = system.length === 0 ? [] : [messageOf('system', system)]
  const pieces: (readonly Piece[])[] = system.length === 0 ? [] : [system]
  // What came before the newest turns stands before them, and stays there as long as the cut does.
  const isMessage = said.length > 0 && system.length > 0
  if (isMessage) {
    messages.push(messageOf('user', said))
    pieces.push(said)
  }
  let historyTokens = 0
  for (const form of slots.history) {
    if (form.message === undefined) continue
    messages.push(form.message)
    pieces.push([form])
    historyTokens += form.tokens
  }
  messages.push(messageOf('user', payload))
  pieces.push(payload)
  const shown = inWireOrder(slots, frame.policy)
  const entries = shown.map(({ entry }) => entry)
  const wrapped = (system.length === 0 ? 1 : 2) + (isMessage ? 1 : 0)
  const frameTokens =
    ownTokens(system) + ownTokens(payload) + (isMessage ? ownTokens(said) : 0) + wrapped * messageTokens
  let tokens = frameTokens
  for (const entry of entries) tokens += entry.tokens
  return {
    entries,
    shown,
    messages,
    pieces,
    tokens,
    frameTokens,
    constraintTokens,
    historyTokens,
    uris: slots.uris,
    ...(cut.summary && { summaries: cut.summary.made }),
  }
}

/** Digits of a count may cost a token or two more than those of a larger one. */
const slackPerCount = 2
/** Digits of a handle may cost some tokens more than zeros do. */
const slackPerHandle = 6

/** Tokens of the frame, at most: what must be kept free for it. Blocks that have items do without a line of their own. */
function frameTokensOf(frame: Surroundings, missing: PackBlocks['missing'], pointed: readonly Section[]): number {
  const omissions = pointed.map((section) => ({ section, items: 1_000, handle: anyHandle }))
  const others = frame.others.map((section) => ({ section, pieces: [] }))
  const empty = { task: [], tools: [], evidence: [], situation: [], memory: [], history: [], query: [] }
  const system = { policy: [], role: [], durable: [] }
  const links = frame.links.map((lines) => longest(lines, frame))
  const laidOut = layOut({ ...system, ...empty, others, missing, omissions, links, account: [], summary: [] }, frame)
  const slack =
    3 * slackPerCount +
    (omissions.length + 2 * links.length) * slackPerHandle +
    (frame.episodes ? episodeTokens(frame.piece) : 0)
  return ownTokens(laidOut.system) + ownTokens(laidOut.payload) + 2 * frame.messageTokens + slack
}

function linesOf(links: readonly LinkRecord[], { rehydration }: Surroundings): readonly string[] {
  return links.map((link) => linkLine(link, rehydration))
}

function longest(lines: readonly string[], frame: Surroundings): string {
  const tokens = lines.map((line) => lineTokens(frame, line))
  return lines[tokens.indexOf(Math.max(...tokens))] ?? ''
}

function lineTokens({ piece, markup }: Surroundings, line: string): number {
  return piece(markup.line(line)).tokens
}

function messageOf(role: Role, pieces: readonly Piece[]): PackMessage {
  const { text, cuts } = joinPieces(pieces)
  return { role, text, cuts }
}

/** Tokens of pieces that stand for no item. */
function ownTokens(pieces: readonly Piece[]): number {
  let tokens = 0
  for (const piece of pieces) if (!('entry' in piece)) tokens += piece.tokens
  return tokens
}

/** As they stand in the request; the user's words stay last. */
function inWireOrder(slots: Slots, policy: PayloadPolicy): readonly Form[] {
  if (policy.last === undefined) return wireOrder.flatMap((slot) => slots[slot])
  const moved = new Set<Slot>(['evidence', 'situation', 'memory', 'others'])
  const before = wireOrder.filter((slot) => !moved.has(slot) && slot !== 'query').flatMap((slot) => slots[slot])
  const parts = [
    { name: 'evidence', forms: slots.evidence },
    { name: 'memory', forms: [...slots.situation, ...slots.memory] },
    ...slots.others.map((form) => ({ name: form.entry.section, forms: [form] })),
  ]
  return [...before, ...inPolicyOrder(parts, policy).flatMap(({ forms }) => forms), ...slots.query]
}

type Slots = Record<Slot, readonly Form[]> & { readonly uris: readonly string[] }

function slotsOf(
  { forms, scores, pinned, order, durable }: AssembleInput,
  rank: Rank,
  { placement }: PayloadPolicy,
): Slots {
  const moved = new Set(durable)
  const slots: Record<Slot, Form[]> = {
    policy: [],
    role: [],
    durable: [],
    tools: [],
    task: [],
    evidence: [],
    memory: [],
    situation: [],
    history: [],
    query: [],
    reserve: [],
    others: [],
  }
  const lasting: Form[] = []
  const ranks: number[] = []
  const places: number[] = []
  for (let index = 0; index < forms.length; index += 1) {
    const shown = forms[index]
    if (shown === undefined) continue
    if (!moved.has(index)) slots[shown.slot].push(shown)
    if (shown.slot === 'tools' && pinned[index] === 1) lasting.push(shown)
    if (shown.slot !== 'evidence') continue
    ranks.push(scores[index] ?? 0)
    if (order !== undefined) places.push(order[index] ?? index)
  }
  for (const index of durable) {
    const form = forms[index]
    if (form) slots.durable.push(form)
  }
  const { placed, uris } = rank(slots.evidence, ranks, { places, placement: placement?.['evidence'] ?? 'both-ends' })
  const place = (shown: readonly Form[]) => placedBySection(shown, { forms, scores, order, placement })
  return {
    ...slots,
    uris,
    // Ranked sets only; a conversation keeps its order (B-08, V-059).
    evidence: placed,
    tools: inOrderOfTools(slots.tools, new Set(lasting)),
    situation: place(slots.situation),
    memory: place(slots.memory),
    others: place(slots.others).toSorted((a, b) => compareCodeUnits(a.entry.section, b.entry.section)),
  }
}

/**
 * What stays whatever happens, then what may go, each by its id and never by its worth: a provider caches tools first of all, and one that is
 * dropped leaves the beginning of the list as it was.
 */
function inOrderOfTools(tools: readonly Form[], lasting: ReadonlySet<Form>): readonly Form[] {
  return tools.toSorted(
    (a, b) => Number(lasting.has(b)) - Number(lasting.has(a)) || compareCodeUnits(a.entry.itemId, b.entry.itemId),
  )
}

interface PlacedBy extends Pick<AssembleInput, 'forms' | 'scores' | 'order'> {
  readonly placement: PayloadPolicy['placement']
}

/** Items of sections that a policy places stand so; the others as they came. */
function placedBySection(shown: readonly Form[], { forms, scores, order, placement }: PlacedBy): readonly Form[] {
  if (placement === undefined || shown.length < 2) return shown
  const indexOf = new Map(forms.map((form, index) => [form, index]))
  return Array.from(Map.groupBy(shown, ({ entry }) => entry.section)).flatMap(([section, own]) => {
    const indexes = own.map((form) => indexOf.get(form) ?? 0)
    const places = indexes.map((index) => order?.[index] ?? index)
    const best = byScore(
      own,
      indexes.map((index) => scores[index] ?? 0),
      places,
    )
    return placements[placement[section] ?? 'arrival'](best, own)
  })
}

type Place = (best: readonly Form[], arrived: readonly Form[]) => readonly Form[]

const placements: Readonly<Record<RankedPlacement, Place>> = {
  'both-ends': (best) => interleave(best),
  'best-last': (best) => best.toReversed(),
  'best-first': (best) => best,
  'arrival': (_, arrived) => arrived,
}

interface RankedPieces {
  readonly shown: readonly Form[]
  readonly scores: readonly number[]
  readonly by: RankedBy
  readonly placed: readonly Form[]
  readonly uris: readonly string[]
}

interface RankedBy {
  /** Of each among equals; empty where it is that of arrival. */
  readonly places: readonly number[]
  readonly placement: RankedPlacement
}

type Rank = (shown: readonly Form[], scores: readonly number[], by: RankedBy) => RankedPieces

/** Puts ranked pieces where readers look; the order is kept while pieces and scores stay. */
function ranker(): Rank {
  let last: RankedPieces = { shown: [], scores: [], by: { places: [], placement: 'both-ends' }, placed: [], uris: [] }
  return (shown, scores, by) => {
    const isKnown = last.by.placement === by.placement && isSame(last.by.places, by.places)
    if (!isKnown || !isSame(last.shown, shown) || !isSame(last.scores, scores)) {
      const placed = placements[by.placement](byScore(shown, scores, by.places), shown)
      last = { shown, scores, by, placed, uris: urisOf(shown) }
    }
    return last
  }
}

function urisOf(shown: readonly Form[]): readonly string[] {
  return [...new Set(shown.flatMap(({ uri }) => uri ?? []))]
}

function isSame<Value>(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false
  return true
}

/** By falling score; equals by their places. */
function byScore(shown: readonly Form[], scores: readonly number[], places: readonly number[]): readonly Form[] {
  const order = Uint32Array.from(shown.keys())
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (places[a] ?? a) - (places[b] ?? b))
  return Array.from(order, (index) => shown[index]).filter((one) => one !== undefined)
}
