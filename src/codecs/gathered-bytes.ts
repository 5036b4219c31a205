/** Bytes that come in pieces, joined once when all are taken: they cost what they are long, however small the pieces are. */
export interface GatheredBytes {
  readonly length: number
  add(piece: Uint8Array): void
  /** All that was added, in one; begins anew. */
  take(): Uint8Array
}

/** A smaller piece is copied: to keep it apart, or all that was read with it, would cost more. */
const keptBytes = 4096
const mostBlockBytes = 65_536
const nothing = new Uint8Array()

export function gatheredBytes(): GatheredBytes {
  let parts: Uint8Array[] = []
  /** What came first, as long as it is all: often nothing follows. */
  let first: Uint8Array | undefined
  /** Where small pieces go. */
  let block = nothing
  let filled = 0

  const closeBlock = (): void => {
    if (filled > 0) parts.push(block.subarray(0, filled))
    block = nothing
    filled = 0
  }
  const append = (piece: Uint8Array): void => {
    const isKept = piece.length >= keptBytes
    if (isKept || filled + piece.length > block.length) closeBlock()
    if (isKept) return void parts.push(piece)
    if (block.length === 0) block = new Uint8Array(Math.min(2 * gathered.length, mostBlockBytes))
    block.set(piece, filled)
    filled += piece.length
  }
  const gathered = {
    length: 0,
    add(piece: Uint8Array): void {
      const isFirst = gathered.length === 0
      gathered.length += piece.length
      if (isFirst) return void (first = piece)
      if (first) append(first)
      first = undefined
      append(piece)
    },
    take(): Uint8Array {
      closeBlock()
      const [only = first ?? nothing] = parts
      const all = parts.length < 2 ? only : joined(parts, gathered.length)
      parts = []
      first = undefined
      gathered.length = 0
      return all
    },
  }
  return gathered
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
