import type { Section, StepFrame } from '../../core/index.ts'
import { fenced } from './fence.ts'
import type { Piece } from './piece.ts'

/** What the variable blocks of a payload hold. */
export interface PayloadBlocks {
  readonly task: readonly Piece[]
  readonly tools: readonly Piece[]
  readonly evidence: readonly Piece[]
  readonly situation: readonly Piece[]
  readonly memory: readonly Piece[]
  /** Blocks of sections that are not among the known ones. */
  readonly others: readonly { readonly section: Section; readonly pieces: readonly Piece[] }[]
  readonly query: readonly Piece[]
}

/** Makes a piece of a text that no item owns. */
export type MakePiece = (text: string) => Piece

/**
 * The payload in the header dialect (A-012, A-046, B-64): the same headers in the same order in every pack, acceptance
 * and the user's words last. The request stands verbatim between fences.
 */
export function payloadPieces(frame: StepFrame | undefined, blocks: PayloadBlocks, piece: MakePiece): readonly Piece[] {
  const pieces: Piece[] = [piece('CONTEXT PACK\n')]
  const block = (header: string, ...parts: readonly (readonly Piece[])[]): void => {
    pieces.push(piece(`${header}:\n`))
    const before = pieces.length
    for (const part of parts) for (const one of part) pieces.push(one)
    if (pieces.length === before) pieces.push(piece('- none\n'))
  }
  const lines = (texts: readonly string[]) => texts.map((text) => piece(bulletOf(text)))
  block('ROLE', lines(given(frame?.role)))
  block('GOAL', lines(given(frame?.goal)))
  block('STEP', lines(given(frame?.step)), blocks.task)
  block('CONSTRAINTS', lines(frame?.constraints ?? []))
  block('TOOLS', blocks.tools)
  block('EVIDENCE', blocks.evidence)
  block('MEMORY', blocks.situation, blocks.memory)
  for (const other of blocks.others) block(headerOf(other.section), other.pieces)
  block('ACCEPTANCE', lines(frame?.acceptance ?? []))
  block(
    'USER REQUEST (VERBATIM)',
    given(frame?.request).map((text) => piece(fenced(text))),
    blocks.query,
  )
  return pieces
}

function given(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text]
}

function bulletOf(text: string): string {
  return text.includes('\n') || text.includes('\r') ? `-\n${fenced(text)}` : `- ${text}\n`
}

/** A section's name as a header: letters, digits and spaces only, so that it cannot pass for another line. */
function headerOf(section: Section): string {
  return `CONTEXT ${section
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`
}
