import type { Omission, PayloadMarkup, PayloadPolicy, Section, StepFrame } from '../../core/index.ts'
import { constraintLine, limitLines, resolveConstraints, taskStateLines } from '../../core/index.ts'
import { allOf } from '../items/same-elements.ts'
import { canonicalMarkup } from './canonical-markup.ts'
import { contractTexts } from './contract.ts'
import { conversationNote, missingNote } from './omissions.ts'
import { headersMarkup } from './headers-markup.ts'
import { invariantLines, invariantsXml, phaseOf } from './invariants.ts'
import type { InvariantsOptions } from './invariants.ts'
import type { Block, Markup } from './markup.ts'
import type { Piece } from '../forms/piece.ts'
import { episodesLast, xmlMarkup } from './xml-markup.ts'

/** Every markup of payloads; a session keeps to one. */
export const markups: Readonly<Record<PayloadMarkup, Markup>> = {
  headers: headersMarkup,
  xml: xmlMarkup,
  canonical: canonicalMarkup,
}

/** What the blocks of a pack hold. */
export interface PackBlocks {
  readonly policy: readonly Piece[]
  readonly role: readonly Piece[]
  /** Memory that stands in every pack of the session. */
  readonly durable: readonly Piece[]
  readonly task: readonly Piece[]
  readonly tools: readonly Piece[]
  readonly evidence: readonly Piece[]
  readonly situation: readonly Piece[]
  readonly memory: readonly Piece[]
  readonly history: readonly Piece[]
  /** Blocks of sections that are not among the known ones. */
  readonly others: readonly { readonly section: Section; readonly pieces: readonly Piece[] }[]
  readonly query: readonly Piece[]
  /** How many items of a section are not shown. */
  readonly missing: Readonly<Record<'evidence' | 'memory' | 'history', number>>
  /** What stands for earlier turns; of a request that is one text, since it is a message of its own elsewhere. */
  readonly summary: readonly Piece[]
  /** The same of any section, with the handle that tells what; empty where no handle can be followed. */
  readonly omissions: readonly Omission[]
  /** How items that were made of others are linked to these, a line each. */
  readonly links: readonly string[]
  /** What was said before the conversation was cut, in short. */
  readonly account: readonly string[]
}

/** Makes a piece of a text that no item owns. */
export type MakePiece = (text: string) => Piece

export interface LayoutOptions {
  readonly frame: StepFrame | undefined
  /** Whether handles can be followed. */
  readonly rehydration: boolean
  readonly markup: Markup
  /** How what changes from step to step is written, where it has boundaries; what is cached has none, so that it stays the same. */
  readonly bounded?: Markup | undefined
  readonly piece: MakePiece
  readonly policy: PayloadPolicy
  readonly invariants: InvariantsOptions
}

/** Pieces of the system text and of the last message; the conversation stands between them, or in the last message. */
export interface LaidOut {
  readonly system: readonly Piece[]
  readonly payload: readonly Piece[]
  /** What the constraints of the step take, every copy counted. */
  readonly constraintTokens: number
}

/** The lines of a step's constraints, and of those that stand at both ends instead. */
interface Constraints {
  readonly usual: readonly string[]
  readonly critical: readonly string[]
}

export function layOut(blocks: PackBlocks, options: LayoutOptions): LaidOut {
  const inner = { ...options, markup: options.bounded ?? options.markup }
  const constraints = constraintsOf(blocks, options)
  const isCanonical = options.markup.name === 'canonical'
  const usual = isCanonical ? constraints.usual.map((line) => `constraint: ${line}`) : constraints.usual
  const constraintTokens = tokensOf(usual, inner) + 2 * tokensOf(constraints.critical, inner)
  if (isCanonical) return { system: [], payload: canonicalPieces(blocks, constraints, inner), constraintTokens }
  return {
    system: systemPieces(blocks, constraints, options),
    payload: payloadPieces(blocks, constraints, inner),
    constraintTokens,
  }
}

function tokensOf(lines: readonly string[], { piece, markup }: LayoutOptions): number {
  return lines.reduce((sum, line) => sum + piece(markup.line(line)).tokens, 0)
}

/** What never changes first, so that the prompt cache holds it; every header stands, whether it has items or not. */
function systemPieces(blocks: PackBlocks, { critical }: Constraints, options: LayoutOptions): readonly Piece[] {
  const writer = pieceWriter(options)
  writer.block('policy', blocks.policy)
  writer.block('developer', blocks.role)
  if (critical.length > 0) writer.block('critical', writer.lines(critical))
  writer.contract('system')
  writer.block('durable', blocks.durable)
  return writer.pieces()
}

/**
 * The payload: the same headers in the same order in every pack of a session, acceptance and the
 * user's words last. The request stands verbatim.
 */
function payloadPieces(blocks: PackBlocks, { usual, critical }: Constraints, options: LayoutOptions): readonly Piece[] {
  const { frame, markup } = options
  const writer = pieceWriter(options)
  writer.text(markup.begin)
  writer.contract('payload')
  writer.block('role', writer.lines(given(frame?.role)))
  writer.block('goal', writer.lines(given(frame?.goal)))
  writer.block('step', writer.lines([...given(frame?.step), ...stateOf(frame)]), blocks.task)
  if (isInvariant(options))
    for (const text of invariantsXml({ frame, lines: usual }, options.invariants)) writer.text(text)
  else writer.block('constraints', writer.lines(usual))
  const note = writer.lines([conversationNote(blocks), ...blocks.account])
  const remembered = markup.name === 'xml' ? episodesLast(blocks.memory, options.piece) : blocks.memory
  writeContext(writer, { blocks, memory: [blocks.situation, remembered], conversation: [note], options })
  writer.block('acceptance', writer.lines(acceptanceOf(options)))
  writer.block('request', writer.verbatim(given(frame?.request)), blocks.query)
  if (critical.length > 0) writer.block('critical', writer.lines(critical))
  writer.text(markup.end)
  return writer.pieces()
}

/** All of it as one text, in logical order. */
function canonicalPieces(
  blocks: PackBlocks,
  { usual, critical }: Constraints,
  options: LayoutOptions,
): readonly Piece[] {
  const { frame = { request: '' }, policy } = options
  const writer = pieceWriter(options)
  const named = (label: string, texts: readonly string[]) => writer.lines(texts.map((text) => `${label}: ${text}`))
  if (policy.labels === true) {
    writer.block('policy', blocks.policy)
    writer.block('developer', blocks.role)
  } else writer.block('policy', blocks.policy, blocks.role)
  if (critical.length > 0) writer.block('critical', writer.lines(critical))
  writer.contract('system')
  writer.contract('payload')
  writer.block(
    'step',
    named('role', given(frame.role)),
    named('goal', given(frame.goal)),
    named('step', given(frame.step)),
    writer.lines(stateOf(frame)),
    blocks.task,
    named('constraint', usual),
    named('acceptance', acceptanceOf(options)),
  )
  const conversation = [blocks.summary, blocks.history, writer.missing(blocks, 'history'), writer.lines(blocks.account)]
  const memory = [blocks.durable, blocks.situation, blocks.memory]
  writeContext(writer, { blocks, memory, conversation, options })
  writer.block('request', writer.verbatim(given(options.frame?.request)), blocks.query)
  if (critical.length > 0) writer.block('critical', writer.lines(critical))
  return writer.pieces()
}

interface ContextBlocks {
  readonly blocks: PackBlocks
  readonly memory: readonly (readonly Piece[])[]
  readonly conversation: readonly (readonly Piece[])[]
  readonly options: LayoutOptions
}

/** What a step may draw on, in the order of the policy. */
function writeContext(writer: PieceWriter, { blocks, memory, conversation, options }: ContextBlocks): void {
  const missing = (section: Section): readonly Piece[] => writer.missing(blocks, section)
  const parts = [
    { name: 'tools', write: () => writer.block('tools', blocks.tools, missing('tools')) },
    { name: 'evidence', write: () => writer.block('evidence', blocks.evidence, missing('evidence')) },
    { name: 'memory', write: () => writer.block('memory', ...memory, missing('memory'), missing('situation')) },
    ...blocks.others.map(({ section, pieces }) => ({
      name: section,
      write: () => writer.section(section, pieces, missing(section)),
    })),
    { name: 'history', write: () => writer.block('conversation', ...conversation) },
  ]
  for (const { write } of inPolicyOrder(parts, options.policy)) write()
  if (blocks.links.length > 0) writer.block('links', writer.lines(blocks.links))
}

/** What the policy names stands last, in its order; everything else before it, as it is given. */
export function inPolicyOrder<Part extends { readonly name: string }>(
  parts: readonly Part[],
  { last = [] }: PayloadPolicy,
): readonly Part[] {
  return last.length === 0 ? parts : parts.toSorted((a, b) => last.indexOf(a.name) - last.indexOf(b.name))
}

/** Whether elements name what is invariant: sections between boundaries have none. */
function isInvariant({ policy, markup, bounded }: LayoutOptions): boolean {
  return policy.invariants === true && markup.name === 'xml' && bounded === undefined
}

function acceptanceOf({ frame, policy }: LayoutOptions): readonly string[] {
  const points = frame?.acceptance ?? []
  return policy.checklist === true ? points.map((point) => `[ ] ${point}`) : points
}

function given(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text]
}

function stateOf(frame: StepFrame | undefined): readonly string[] {
  return frame?.state === undefined ? [] : taskStateLines(frame.state)
}

/** A conversation of more messages is long. */
const longConversation = 20

export function isLong(messages: number): boolean {
  return messages > longConversation
}

/** What stands at both ends does not stand in the middle as well. */
function constraintsOf({ history, missing }: PackBlocks, options: LayoutOptions): Constraints {
  const { frame, policy, invariants } = options
  const limits = limitLines(frame?.limits ?? {})
  const { inForce } = resolveConstraints(frame?.constraints ?? [])
  const isOften = policy.repeatCritical === 'long' && isLong(history.length + missing.history)
  const isRepeated = policy.repeatCritical === 'always' || isOften
  const critical = isRepeated ? inForce.filter(({ strength }) => strength === 'hard') : []
  const usual = inForce.filter((one) => !critical.includes(one))
  const phase = policy.invariants === true ? phaseOf(frame, invariants.situation) : undefined
  const others = isInvariant(options) ? [] : invariantLines(frame, phase)
  return { usual: [...limits, ...usual.map(constraintLine), ...others], critical: critical.map(constraintLine) }
}

type PieceWriter = ReturnType<typeof pieceWriter>

function pieceWriter({ markup, piece, policy, bounded, rehydration }: LayoutOptions) {
  const written: (readonly Piece[])[] = []
  const text = (content: string): void => {
    if (content !== '') written.push([piece(content)])
  }
  const fill = (parts: readonly (readonly Piece[])[]): void => {
    const before = written.length
    for (const part of parts) if (part.length > 0) written.push(part)
    if (written.length === before) text(markup.line('none'))
  }
  return {
    pieces: (): readonly Piece[] => allOf(written),
    text,
    lines: (texts: readonly string[]) => texts.map((line) => piece(markup.line(line))),
    verbatim: (texts: readonly string[]) => texts.map((line) => piece(markup.verbatim(line))),
    missing(blocks: PackBlocks, section: Section): readonly Piece[] {
      const note = missingNote(blocks, section)
      return note === undefined ? [] : [piece(markup.line(note))]
    },
    block(block: Block, ...parts: readonly (readonly Piece[])[]): void {
      text(markup.open(block))
      fill(parts)
      text(markup.close(block))
    },
    contract(place: 'system' | 'payload'): void {
      for (const rule of contractTexts(place, { policy, bounded: bounded !== undefined, rehydration })) text(rule)
    },
    section(section: Section, ...content: readonly (readonly Piece[])[]): void {
      text(markup.openSection(section))
      fill(content)
      text(markup.closeSection(section))
    },
  }
}
