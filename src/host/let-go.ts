/**
 * Gives the memory of bytes back at once; whoever looks at them afterwards finds none. It lies beside the heap, where a few dozen large bodies make
 * V8 collect all of the heap before it has any need to: tens of milliseconds in which nobody is served. Bytes that are part of something larger are left
 * alone.
 */
export function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength) buffer.transfer(0)
}
