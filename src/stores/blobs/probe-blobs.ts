import { randomText } from '../../host/index.ts'
import { storeError } from '../kernel/store.ts'
import type { Blobs } from './blobs.ts'

/** Its blobs are nobody's. */
const nobody = 'prehend probe'

/** Writes a blob that nobody has, reads it and drops it. Rejects with `store-failed` where one of the three fails. */
export async function probeBlobs(blobs: Blobs): Promise<void> {
  const text = `prehend probe ${randomText(16)}`
  const ref = await blobs.put(nobody, new TextEncoder().encode(text))
  const read = await blobs.get(ref)
  await blobs.drop(ref)
  if (read === undefined || new TextDecoder().decode(read) !== text)
    throw storeError('read', 'a blob that was just written is not there', 'Check what else removes blobs there.')
}
