/** Bytes that come in pieces. To add a piece costs what it is long, however much came before; nothing is joined again. */
export interface GatheredBytes {
  readonly length: number
  add(piece: Uint8Array): void
  /** All that was added, as long as nothing else is; begins anew. */
  take(): Uint8Array
}

/** More than this is not kept for the next bytes. */
const keptBytes = 65_536

const nothing = new Uint8Array()

export function gatheredBytes(): GatheredBytes {
  let buffer = nothing
  let length = 0
  return {
    get length() {
      return length
    },
    add(piece) {
      const needed = length + piece.length
      if (needed > buffer.length) {
        const wider = new Uint8Array(2 * needed)
        wider.set(buffer.subarray(0, length))
        buffer = wider
      }
      buffer.set(piece, length)
      length = needed
    },
    take() {
      const all = buffer.subarray(0, length)
      if (buffer.length > keptBytes) buffer = nothing
      length = 0
      return all
    },
  }
}
