import type { PayloadMarkup, Section, StepFrame } from '../../core/index.ts'
import { limitLines, taskStateLines } from '../../core/index.ts'
import { canonicalMarkup } from './canonical-markup.ts'
import { boundaryRule, packContract, rehydrateRule } from './contract.ts'
import { headersMarkup } from './headers-markup.ts'
import type { Block, Markup } from './markup.ts'
import type { Piece } from './piece.ts'
import { xmlMarkup } from './xml-markup.ts'

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
}

/** Pieces of the system text and of the last message; the conversation stands between them, or in the last message. */
export interface LaidOut {
  readonly system: readonly Piece[]
  readonly payload: readonly Piece[]
}

export function layOut(blocks: PackBlocks, options: LayoutOptions): LaidOut {
  const inner = { ...options, markup: options.bounded ?? options.markup }
  if (options.markup.name === 'canonical') return { system: [], payload: canonicalPieces(blocks, inner) }
  return { system: systemPieces(blocks, options), payload: payloadPieces(blocks, inner) }
}

/** What never changes first, so that the prompt cache holds it; every header stands, whether it has items or not. */
function systemPieces(blocks: PackBlocks, options: LayoutOptions): readonly Piece[] {
  const writer = pieceWriter(options)
  writer.block('policy', blocks.policy)
  writer.block('developer', blocks.role)
  writer.text(packContract)
  if (options.bounded !== undefined) writer.text(boundaryRule)
  if (options.rehydration) writer.text(rehydrateRule)
  writer.block('durable', blocks.durable)
  return writer.pieces
}

/**
 * The payload: the same headers in the same order in every pack of a session, acceptance and the
 * user's words last. The request stands verbatim.
 */
function payloadPieces(blocks: PackBlocks, options: LayoutOptions): readonly Piece[] {
  const { frame, markup } = options
  const writer = pieceWriter(options)
  writer.text(markup.begin)
  writer.block('role', writer.lines(given(frame?.role)))
  writer.block('goal', writer.lines(given(frame?.goal)))
  writer.block('step', writer.lines([...given(frame?.step), ...stateOf(frame)]), blocks.task)
  writer.block('constraints', writer.lines(constraintsOf(frame)))
  writer.block('tools', blocks.tools)
  writer.block('evidence', blocks.evidence, writer.missing(blocks.missing.evidence))
  writer.block('memory', blocks.situation, blocks.memory, writer.missing(blocks.missing.memory))
  for (const other of blocks.others) writer.section(other.section, other.pieces)
  writer.block('conversation', writer.lines([conversationNote(blocks.missing.history), ...blocks.account]))
  writer.block('acceptance', writer.lines(frame?.acceptance ?? []))
  writer.block('request', writer.verbatim(given(frame?.request)), blocks.query)
  writer.text(markup.end)
  return writer.pieces
}

/** All of it as one text, in logical order. */
function canonicalPieces(blocks: PackBlocks, options: LayoutOptions): readonly Piece[] {
  const { frame = { request: '' } } = options
  const writer = pieceWriter(options)
  const named = (label: string, texts: readonly string[]) => writer.lines(texts.map((text) => `${label}: ${text}`))
  writer.block('policy', blocks.policy, blocks.role)
  writer.text(packContract)
  if (options.bounded !== undefined) writer.text(boundaryRule)
  if (options.rehydration) writer.text(rehydrateRule)
  writer.block(
    'step',
    named('role', given(frame.role)),
    named('goal', given(frame.goal)),
    named('step', given(frame.step)),
    writer.lines(stateOf(frame)),
    blocks.task,
    named('constraint', constraintsOf(frame)),
    named('acceptance', frame.acceptance ?? []),
  )
  writer.block('tools', blocks.tools)
  writer.block('evidence', blocks.evidence, writer.missing(blocks.missing.evidence))
  writer.block('memory', blocks.durable, blocks.situation, blocks.memory, writer.missing(blocks.missing.memory))
  for (const other of blocks.others) writer.section(other.section, other.pieces)
  writer.block('conversation', blocks.history, writer.missing(blocks.missing.history), writer.lines(blocks.account))
  writer.block('request', writer.verbatim(given(options.frame?.request)), blocks.query)
  return writer.pieces
}

function given(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text]
}

function stateOf(frame: StepFrame | undefined): readonly string[] {
  return frame?.state === undefined ? [] : taskStateLines(frame.state)
}

function constraintsOf(frame: StepFrame | undefined): readonly string[] {
  return [...limitLines(frame?.limits ?? {}), ...(frame?.constraints ?? [])]
}

/** Nothing is left out without the reader being told. */
function conversationNote(missing: number): string {
  return missing === 0 ? 'complete' : `${missing} earlier messages not shown`
}

function pieceWriter({ markup, piece }: LayoutOptions) {
  const pieces: Piece[] = []
  const text = (content: string): void => {
    if (content !== '') pieces.push(piece(content))
  }
  const fill = (parts: readonly (readonly Piece[])[]): void => {
    const before = pieces.length
    for (const part of parts) for (const one of part) pieces.push(one)
    if (pieces.length === before) text(markup.line('none'))
  }
  return {
    pieces,
    text,
    lines: (texts: readonly string[]) => texts.map((line) => piece(markup.line(line))),
    verbatim: (texts: readonly string[]) => texts.map((line) => piece(markup.verbatim(line))),
    missing: (count: number) => (count === 0 ? [] : [piece(markup.line(`${count} more not shown`))]),
    block(block: Block, ...parts: readonly (readonly Piece[])[]): void {
      text(markup.open(block))
      fill(parts)
      text(markup.close(block))
    },
    section(section: Section, content: readonly Piece[]): void {
      text(markup.openSection(section))
      fill([content])
      text(markup.closeSection(section))
    },
  }
}
