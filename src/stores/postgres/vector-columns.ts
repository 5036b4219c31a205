import { base64OfBytes, bytesOfBase64 } from '../../host/index.ts'
import { bytesOfVector, valueBytes, vectorOfBytes } from '../passages/vector-bytes.ts'
import type { KeptVectors } from './passage-tables.ts'

/** How vectors go into a column and come out of it. */
export interface VectorColumn {
  /** The SQL of a vector that was written as a text. */
  readonly ofText: (sql: string) => string
  readonly written: (vector: Float32Array) => string
  /** The SQL of what is read of the column `vector`; `read` makes a vector of it. */
  readonly shown: string
  readonly read: (shown: unknown) => Float32Array | undefined
  /** The SQL of the length of the column `vector`. */
  readonly dimensions: string
}

const asBytes: VectorColumn = {
  ofText: (sql) => `decode(${sql}, 'base64')`,
  written: (vector) => base64OfBytes(bytesOfVector(vector)),
  shown: `encode(vector, 'base64')`,
  read: (shown) => (typeof shown === 'string' ? vectorOfBytes(bytesOfBase64(shown)) : undefined),
  dimensions: `octet_length(vector) / ${valueBytes}`,
}

/** What the database searches itself is never read. */
function asVector(extensionSchema: string): VectorColumn {
  return {
    ofText: (sql) => `${sql}::"${extensionSchema}".vector`,
    written: (vector) => `[${vector.join(',')}]`,
    shown: 'NULL',
    read: () => undefined,
    dimensions: `"${extensionSchema}".vector_dims(vector)`,
  }
}

export function vectorColumn(kept: KeptVectors): VectorColumn {
  return kept.kind === 'bytea' ? asBytes : asVector(kept.extensionSchema)
}
