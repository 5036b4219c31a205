import { packContract, rehydrateRule } from './contract.ts'
import type { MakePiece } from './payload.ts'
import type { Piece } from './piece.ts'

export interface SystemBlocks {
  readonly policy: readonly Piece[]
  readonly role: readonly Piece[]
  /** Memory that stands in every pack of the session. */
  readonly durable: readonly Piece[]
  /** Whether handles can be followed. */
  readonly rehydration: boolean
}

/** The system text: what never changes first, so that the prompt cache holds it (X-03, P-040). */
export function systemPieces({ policy, role, durable, rehydration }: SystemBlocks, piece: MakePiece): readonly Piece[] {
  const block = (header: string, pieces: readonly Piece[]) =>
    pieces.length === 0 ? [] : [piece(`${header}:\n`), ...pieces]
  return [
    ...block('SYSTEM POLICY', policy),
    ...block('ROLE (subordinate to SYSTEM POLICY)', role),
    piece(packContract),
    ...(rehydration ? [piece(rehydrateRule)] : []),
    ...block('DURABLE MEMORY', durable),
  ]
}
