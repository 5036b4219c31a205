import type { KnownSection, PackEntry, PackMessage, Role, Section, StepFrame } from '../../core/index.ts'
import { compareCodeUnits, sections } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'
import { interleave } from '../layout/interleave.ts'
import { payloadPieces } from '../layout/payload.ts'
import type { MakePiece } from '../layout/payload.ts'
import type { Piece } from '../layout/piece.ts'
import { textOf, tokensOf } from '../layout/piece.ts'
import { systemPieces } from '../layout/system.ts'
import type { Shown } from '../shown.ts'

/** One candidate with the form that was chosen for it; a piece of the pack. */
export interface Placed {
  readonly candidate: Candidate
  readonly shown: Shown
  readonly fragment: string
  readonly tokens: number
  readonly score: number
}

export interface AssembleOptions {
  /** What is shown, in order of arrival. */
  readonly placed: readonly Placed[]
  readonly frame: StepFrame | undefined
  readonly rehydration: boolean
  /** Sections besides the known ones that have a block of their own, empty or not. */
  readonly others: readonly Section[]
  /** What wrapping one message costs. */
  readonly messageTokens: number
  readonly piece: MakePiece
}

export interface Assembled {
  /** In wire order. */
  readonly entries: readonly PackEntry[]
  readonly messages: readonly PackMessage[]
  /** Everything that is sent. */
  readonly tokens: number
  /** The part of it that no item owns: headers, contract, the step's frame, message wrappers. */
  readonly frameTokens: number
}

/**
 * Lays a pack out by stability, for the provider's cache: tools; the system text with policy, role,
 * contract and durable memory; the conversation; and one user message with everything that changes per step.
 */
export function assemblePack(options: AssembleOptions): Assembled {
  const { placed, frame, rehydration, others, messageTokens, piece } = options
  const slots = slotsOf(placed)
  const system = systemPieces({ ...slots, rehydration }, piece)
  const payload = payloadPieces(
    frame,
    {
      ...slots,
      memory: [...slots.situation, ...slots.memory],
      others: others.map((section) => ({ section, pieces: slots.others.filter((one) => sectionOf(one) === section) })),
    },
    piece,
  )
  const messages = [
    { role: 'system' as const, text: textOf(system) },
    ...slots.history.map(({ candidate, fragment }) => ({ role: wireRole(candidate), text: fragment })),
    { role: 'user' as const, text: textOf(payload) },
  ]
  const entries = wireOrder.flatMap((slot) => slots[slot]).map(entryOf)
  const itemTokens = tokensOf(placed)
  const ownedByNone = ownTokens(system) + ownTokens(payload) + 2 * messageTokens
  return { entries, messages, tokens: itemTokens + ownedByNone, frameTokens: ownedByNone }
}

/** Tokens of the frame around the items of the named sections, at most: what must be kept free for it (P-003). */
export function frameTokens(options: Omit<AssembleOptions, 'placed'>): number {
  const { frame, rehydration, others, messageTokens, piece } = options
  const blank = { fragment: '', tokens: 0 }
  const empty = { ...noSlots(), others: others.map((section) => ({ section, pieces: [] })) }
  const system = systemPieces({ policy: [blank], role: [blank], durable: [blank], rehydration }, piece)
  return tokensOf(system) + tokensOf(payloadPieces(frame, empty, piece)) + 2 * messageTokens
}

function ownTokens(pieces: readonly Piece[]): number {
  let tokens = 0
  for (const piece of pieces) if (!('candidate' in piece)) tokens += piece.tokens
  return tokens
}

type Slot = KnownSection | 'durable' | 'others'

/** The order of the request: what changes least first. */
const wireOrder: readonly Slot[] = [
  'tools',
  'policy',
  'role',
  'durable',
  'history',
  'task',
  'evidence',
  'situation',
  'memory',
  'others',
  'query',
]

type Slots = Readonly<Record<Slot, Placed[]>>

function noSlots(): Slots {
  return {
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
}

function slotsOf(placed: readonly Placed[]): Slots {
  const slots = noSlots()
  for (const one of placed) slots[slotOf(one)].push(one)
  const { evidence, tools, others } = slots
  return {
    ...slots,
    // Ranked sets only; a conversation keeps its order (B-08, V-059).
    evidence: [...interleave(evidence.toSorted((a, b) => b.score - a.score))],
    tools: tools.toSorted((a, b) => compareCodeUnits(a.fragment, b.fragment)),
    others: others.toSorted((a, b) => compareCodeUnits(sectionOf(a), sectionOf(b))),
  }
}

/** Pinned memory is the same in every pack of a session and stands where the cache holds it. */
function slotOf(placed: Placed): Slot {
  const section = sectionOf(placed)
  if (section === 'memory' && placed.candidate.item.pin === true) return 'durable'
  return isKnown(section) ? section : 'others'
}

function isKnown(section: Section): section is KnownSection {
  return sections.some((info) => info.section === section)
}

function sectionOf({ candidate }: Placed): Section {
  return candidate.item.section
}

/** Results of tools stand in the conversation as data that the user brings; a plain message cannot carry a call's id. */
function wireRole({ item }: Candidate): Role {
  if (item.role === 'tool' || item.kind === 'tool-result') return 'user'
  if (item.role !== undefined) return item.role
  return item.kind === 'tool-call' || item.kind === 'reasoning' ? 'assistant' : 'user'
}

function entryOf({ candidate, shown }: Placed): PackEntry {
  const { item } = candidate
  const { rendition } = shown
  return {
    itemId: item.id,
    section: item.section,
    rung: rendition.rung,
    text: rendition.text,
    tokens: shown.tokens,
    changed: rendition.rung !== 'full',
    ...(rendition.handle === undefined ? {} : { handle: rendition.handle }),
  }
}
