import { grouped } from '../../core/index.ts'
import type { LinkRecord, PackEntry, PackMessage, PayloadPolicy, Role, Section } from '../../core/index.ts'
import type { Form } from '../forms/form.ts'
import type { AssembleInput, Assembled, Assembly } from '../stages/assemble.ts'
import { accountOf } from '../stages/account.ts'
import { frameCounter, lineTokens } from './frame-tokens.ts'
import type { Surroundings } from './frame-tokens.ts'
import { linkLine } from './link-lines.ts'
import { flatListMapper, listMapper } from '../items/list-mapper.ts'
import type { ListMapper } from '../items/list-mapper.ts'
import { inPolicyOrder, layOut } from './payload.ts'
import type { Piece } from '../forms/piece.ts'
import { pieceJoiner } from './piece-joiner.ts'
import type { JoinedPieces } from './piece-joiner.ts'
import { wireOrder } from '../forms/slot.ts'
import type { Slot } from '../forms/slot.ts'
import { memorySplitter, ranker, slotsOf } from './slots-of.ts'
import type { Slots } from './slots-of.ts'

/**
 * Lays a pack out by stability, for the provider's cache: tools; the system text with policy, role, contract and durable
 * memory; the conversation; and one user message with everything that changes per step.
 */
export function payloadAssembler(): (frame: Surroundings) => Assembly {
  const parts = { rank: ranker(), splitMemory: memorySplitter() }
  const entriesOf = listMapper(({ entry }: Form) => entry)
  const countFrame = frameCounter()
  const kept = {
    entriesOf,
    messagesOf: flatListMapper(({ message }: Form) => (message === undefined ? [] : [message])),
    piecesOf: flatListMapper((form: Form) => (form.message === undefined ? [] : [[form]])),
    tokensOf: slotTokens(),
    joinSystem: pieceJoiner(),
    joinPayload: pieceJoiner(),
  }
  return (frame) => ({
    written: frame.markup.name,
    frameTokens: (missing, pointed = []) => countFrame(frame, missing, pointed),
    assemble: (input) => assemble(frame, input, { slots: slotsOf(input, parts, frame.policy), ...kept }),
  })
}

interface Placed {
  readonly slots: Slots
  readonly entriesOf: ListMapper<Form, PackEntry>
  readonly messagesOf: ListMapper<Form, PackMessage>
  readonly piecesOf: ListMapper<Form, readonly Piece[]>
  readonly tokensOf: SlotTokens
  joinSystem(pieces: readonly Piece[]): JoinedPieces
  joinPayload(pieces: readonly Piece[]): JoinedPieces
}

function assemble(
  frame: Surroundings,
  { missing, omissions = [], links = [], cut, sections }: AssembleInput,
  { slots, entriesOf, messagesOf, piecesOf, tokensOf, joinSystem, joinPayload }: Placed,
): Assembled {
  const { others, messageTokens } = frame
  const otherPieces = grouped(slots.others, ({ entry }) => entry.section)
  const sectionBlock = (section: Section) => ({ section, pieces: otherPieces.get(section) ?? [] })
  const said = cut.summary === undefined ? [] : [frame.piece(cut.summary.text)]
  const account = accountOf({ ...cut, cut: cut.items, tokensOf: (line) => lineTokens(frame, line) })
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
  const joined = joinSystem(system)
  const last = joinPayload(payload)
  const before: PackMessage[] = system.length === 0 ? [] : [messageOf('system', joined)]
  // What came before the newest turns stands before them, and stays there as long as the cut does.
  const isMessage = said.length > 0 && system.length > 0
  if (isMessage) before.push({ role: 'user', text: cut.summary?.text ?? '', cuts: [] })
  const spoken = messagesOf(slots.history)
  const messages = before.concat(spoken, messageOf('user', last))
  const pieces = [...(system.length === 0 ? [] : [system]), ...(isMessage ? [said] : [])].concat(
    piecesOf(slots.history),
    [payload],
  )
  const shown = inWireOrder(slots, frame.policy)
  const entries = entriesOf(shown)
  const wrapped = (system.length === 0 ? 1 : 2) + (isMessage ? 1 : 0)
  const frameTokens =
    joined.ownTokens + last.ownTokens + (isMessage ? (said[0]?.tokens ?? 0) : 0) + wrapped * messageTokens
  const tokens = frameTokens + wireOrder.reduce((sum, slot) => sum + tokensOf(slot, slots[slot], sections), 0)
  return {
    entries,
    shown,
    messages,
    pieces,
    tokens,
    frameTokens,
    constraintTokens,
    historyTokens: spoken.length === 0 ? 0 : tokensOf('history', slots.history, sections),
    uris: slots.uris,
    ...(cut.summary && { summaries: cut.summary.made }),
  }
}

type SlotTokens = (slot: Slot, shown: readonly Form[], sections: AssembleInput['sections']) => number

/** What the forms of a place take together; in most places stand the same as in the pack before, or all that its section shows. */
function slotTokens(): SlotTokens {
  const known = new Map<Slot, { readonly shown: readonly Form[]; readonly tokens: number }>()
  return (slot, shown, sections) => {
    let last = known.get(slot)
    if (last?.shown !== shown) {
      const section = sections?.get(slot)
      last = section?.shown === shown ? section : { shown, tokens: shown.reduce((sum, { tokens }) => sum + tokens, 0) }
      known.set(slot, last)
    }
    return last.tokens
  }
}

function linesOf(links: readonly LinkRecord[], { rehydration }: Surroundings): readonly string[] {
  return links.map((link) => linkLine(link, rehydration))
}

function messageOf(role: Role, { text, cuts }: JoinedPieces): PackMessage {
  return { role, text, cuts }
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
