const lent = Symbol('prehend.lent')

type Lendable = ArrayBufferLike & { [lent]?: true }

/**
 * Gives the memory of bytes back at once; whoever looks at them afterwards finds none. It lies beside the heap, where a few dozen large bodies make
 * V8 collect all of the heap before it has any need to: tens of milliseconds in which nobody is served. Bytes that are part of something larger are left
 * alone, and so are those that were lent.
 */
export function letGo({ buffer, byteLength }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || byteLength === 0 || buffer.byteLength !== byteLength) return
  if ((buffer as Lendable)[lent] !== true) buffer.transfer(0)
}

/** Marks bytes that the system may still be reading when nobody here is any more: they are never given back by hand. */
export function lend({ buffer }: Uint8Array): void {
  ;(buffer as Lendable)[lent] = true
}
