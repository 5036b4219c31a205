import type { KnownSection, PackEntry, PackMessage, Role, Section, StepFrame } from '../../core/index.ts'
import { compareCodeUnits } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'
import { interleave } from '../layout/interleave.ts'
import { isKnownSection } from '../layout/known-section.ts'
import { payloadPieces } from '../layout/payload.ts'
import type { MakePiece } from '../layout/payload.ts'
import type { Piece } from '../layout/piece.ts'
import { joinPieces } from '../layout/piece.ts'
import { systemPieces } from '../layout/system.ts'
import type { Shown } from '../shown.ts'

/** What stands around the items of a pack. */
export interface PackFrame {
  readonly frame: StepFrame | undefined
  readonly rehydration: boolean
  /** Sections besides the known ones that have a block of their own, empty or not. */
  readonly others: readonly Section[]
  /** What wrapping one message costs. */
  readonly messageTokens: number
  readonly piece: MakePiece
}

export interface AssembleOptions extends PackFrame {
  readonly candidates: readonly Candidate[]
  /** The form of each candidate; undefined where it is left out. */
  readonly forms: readonly (Shown | undefined)[]
  readonly scores: ArrayLike<number>
}

export interface Assembled {
  /** In wire order. */
  readonly entries: readonly PackEntry[]
  readonly messages: readonly PackMessage[]
  /** The pieces of each message. */
  readonly pieces: readonly (readonly Piece[])[]
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
  const { candidates, frame, rehydration, others, piece, messageTokens } = options
  const slots = slotsOf(options)
  const inSlot = (slot: Slot): readonly Shown[] => slots[slot].map((one) => one.shown)
  const system = systemPieces(
    { policy: inSlot('policy'), role: inSlot('role'), durable: inSlot('durable'), rehydration },
    piece,
  )
  const payload = payloadPieces(
    frame,
    {
      task: inSlot('task'),
      tools: inSlot('tools'),
      evidence: inSlot('evidence'),
      memory: [...inSlot('situation'), ...inSlot('memory')],
      others: others.map((section) => ({
        section,
        pieces: inSlot('others').filter(({ entry }) => entry.section === section),
      })),
      query: inSlot('query'),
    },
    piece,
  )
  const pieces = [system, ...inSlot('history').map((shown) => [shown]), payload]
  const messages: PackMessage[] = [messageOf('system', system)]
  for (const { index, shown } of slots.history)
    messages.push({ role: wireRole(candidates[index]), text: shown.fragment })
  messages.push(messageOf('user', payload))
  const entries = wireOrder.flatMap((slot) => slots[slot].map(({ shown }) => shown.entry))
  const frameTokens = ownTokens(system) + ownTokens(payload) + 2 * messageTokens
  const itemTokens = entries.reduce((sum, entry) => sum + entry.tokens, 0)
  return { entries, messages, pieces, tokens: itemTokens + frameTokens, frameTokens }
}

/** Tokens of the frame, at most: what must be kept free for it (P-003). */
export function frameTokensOf({ frame, rehydration, others, messageTokens, piece }: PackFrame): number {
  const blank: readonly Piece[] = [{ fragment: '', tokens: 0, digest: undefined }]
  const system = systemPieces({ policy: blank, role: blank, durable: blank, rehydration }, piece)
  const empty = others.map((section) => ({ section, pieces: [] }))
  const blocks = { task: [], tools: [], evidence: [], memory: [], others: empty, query: [] }
  return ownTokens(system) + ownTokens(payloadPieces(frame, blocks, piece)) + 2 * messageTokens
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

interface Placed {
  readonly index: number
  readonly shown: Shown
}

type Slots = Record<Slot, readonly Placed[]>

function slotsOf({ candidates, forms, scores }: AssembleOptions): Slots {
  const placed: Record<Slot, Placed[]> = {
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
  for (const [index, shown] of forms.entries()) {
    const candidate = candidates[index]
    if (shown !== undefined && candidate !== undefined) placed[slotOf(candidate)].push({ index, shown })
  }
  const score = ({ index }: Placed): number => scores[index] ?? 0
  return {
    ...placed,
    // Ranked sets only; a conversation keeps its order (B-08, V-059).
    evidence: interleave(placed.evidence.toSorted((a, b) => score(b) - score(a))),
    tools: placed.tools.toSorted((a, b) => compareCodeUnits(a.shown.fragment, b.shown.fragment)),
    others: placed.others.toSorted((a, b) => compareCodeUnits(a.shown.entry.section, b.shown.entry.section)),
  }
}

/** Pinned memory is the same in every pack of a session and stands where the cache holds it. */
function slotOf({ item }: Candidate): Slot {
  if (item.section === 'memory' && item.pin === true) return 'durable'
  return isKnownSection(item.section) ? item.section : 'others'
}

/** Results of tools stand in the conversation as data that the user brings; a plain message cannot carry a call's id. */
function wireRole(candidate: Candidate | undefined): Role {
  const { role, kind } = candidate?.item ?? { kind: 'text' }
  if (role === 'tool' || kind === 'tool-result') return 'user'
  if (role !== undefined) return role
  return kind === 'tool-call' || kind === 'reasoning' ? 'assistant' : 'user'
}
