import { base64OfBytes, bytesOfBase64, sha256 } from '../../host/index.ts'
import type { Store } from '../../stores/index.ts'

/** Where vectors of tools outlive the process: among the values that extensions keep, under a name that none of them may have. */
export interface VectorStore {
  readonly store: Pick<Store, 'commit' | 'read'>
  readonly clock: () => number
}

const valueBytes = 4
/** A value that was not written for as long as an idle session is kept goes: one that is used is written again. */
const freshMs = 86_400_000

/** What tells the vector of a text from all others of a tenant. */
export function vectorKey(model: string, text: string): string {
  return `Tool vectors ${sha256(JSON.stringify([model, text])).slice(0, 32)}`
}

/** The vector that is kept under a key; undefined where there is none, or none that can be read. */
export async function keptVector(
  { store, clock }: VectorStore,
  tenant: string,
  key: string,
): Promise<Float32Array | undefined> {
  const found = await store.read('extension-values').get(tenant, key)
  const vector = typeof found?.value === 'string' ? readVector(found.value) : undefined
  if (vector && found && clock() - found.writtenMs > freshMs)
    await keepVectors({ store, clock }, tenant, new Map([[key, vector]]))
  return vector
}

export function keepVectors(
  { store, clock }: VectorStore,
  tenant: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  return store.commit({
    scope: { tenant, session: '', lane: '' },
    nowMs: clock(),
    urgency: 'idle',
    writes: [...vectors].map(([key, vector]) => ({ table: 'extension-values', key, value: writtenVector(vector) })),
  })
}

/** The lowest byte first, whatever the machine. */
function writtenVector(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.length * valueBytes)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of vector.entries()) view.setFloat32(at * valueBytes, value, true)
  return base64OfBytes(bytes)
}

function readVector(text: string): Float32Array | undefined {
  const bytes = bytesOfBase64(text)
  if (bytes.length === 0 || bytes.length % valueBytes !== 0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.length / valueBytes }, (_, at) => view.getFloat32(at * valueBytes, true))
}
