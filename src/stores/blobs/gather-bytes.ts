import { storeError } from '../kernel/store.ts'

/** All bytes of a stream in one array, which nobody else changes. Throws `store-failed` as soon as there are more than `mostBytes`. */
export async function gatherBytes(
  given: AsyncIterable<Uint8Array>,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let sizeBytes = 0
  for await (const part of given) {
    sizeBytes += part.length
    if (sizeBytes > mostBytes) throw tooLarge(mostBytes)
    parts.push(part.slice())
  }
  const bytes = new Uint8Array(sizeBytes)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export function tooLarge(mostBytes: number): Error {
  return storeError('write', `a blob may have ${mostBytes} bytes at most`, 'Store it in parts.')
}
