import type { LinkRecord, PackEntry, PackMessage, PayloadPolicy, Role, Section } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { AssembleInput, Assembled, Assembly } from '../stages/assemble.ts'
import { accountOf } from './account.ts'
import { linkLine } from './link-lines.ts'
import { anyHandle } from './omissions.ts'
import { listMapper } from './list-mapper.ts'
import type { ListMapper } from './list-mapper.ts'
import { inPolicyOrder, layOut } from './payload.ts'
import type { LayoutOptions, PackBlocks } from './payload.ts'
import type { Piece } from './piece.ts'
import { joinPieces } from './piece.ts'
import { episodeTokens } from './xml-markup.ts'
import { wireOrder } from './slot.ts'
import type { Slot } from './slot.ts'
import { ranker, slotsOf } from './slots-of.ts'
import type { Slots } from './slots-of.ts'

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
  const entriesOf = listMapper(({ entry }: Form) => entry)
  return (frame) => ({
    written: frame.markup.name,
    frameTokens: (missing, pointed = []) => frameTokensOf(frame, missing, pointed),
    assemble: (input) => assemble(frame, input, { slots: slotsOf(input, rank, frame.policy), entriesOf }),
  })
}

interface Placed {
  readonly slots: Slots
  readonly entriesOf: ListMapper<Form, PackEntry>
}

function assemble(
  frame: Surroundings,
  { missing, omissions = [], links = [], cut }: AssembleInput,
  { slots, entriesOf }: Placed,
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
  const entries = entriesOf(shown)
  const wrapped = (system.length === 0 ? 1 : 2) + (isMessage ? 1 : 0)
  const frameTokens =
    ownTokens(system) + ownTokens(payload) + (isMessage ? ownTokens(said) : 0) + wrapped * messageTokens
  let tokens = frameTokens
  for (const form of shown) tokens += form.tokens
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

const noneShown: readonly Form[] = []

/** As they stand in the request; the user's words stay last. */
function inWireOrder(slots: Slots, policy: PayloadPolicy): readonly Form[] {
  if (policy.last === undefined) return noneShown.concat(...wireOrder.map((slot) => slots[slot]))
  const moved = new Set<Slot>(['evidence', 'situation', 'memory', 'others'])
  const before = wireOrder.filter((slot) => !moved.has(slot) && slot !== 'query').flatMap((slot) => slots[slot])
  const parts = [
    { name: 'evidence', forms: slots.evidence },
    { name: 'memory', forms: [...slots.situation, ...slots.memory] },
    ...slots.others.map((form) => ({ name: form.entry.section, forms: [form] })),
  ]
  return [...before, ...inPolicyOrder(parts, policy).flatMap(({ forms }) => forms), ...slots.query]
}
