/** Bytes by their content. */
export interface BlobRef {
  readonly tenant: string
  /** SHA-256 of the bytes, in lower-case hexadecimal digits. */
  readonly hash: string
  readonly sizeBytes: number
}

/** Of the bytes, those from `start` on and before `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Options of `Blobs.put`. */
export interface BlobPut {
  /** Told what the bytes are when all of them are known and before anybody can read them. Where it rejects, nothing is stored. */
  readonly beforeStored?: (ref: BlobRef) => Promise<void>
}

/**
 * Bytes by their content hash, for each tenant apart: what one tenant has stored does not exist for another. Bytes are put before the
 * unit that names them is committed, and dropped when no row names them any more. Failures reject with `store-failed`. Every
 * implementation passes `blobsContract` of `prehend/testing`.
 */
export interface Blobs {
  /** Resolves when the bytes survive the death of the process. The same bytes are stored once; putting them again changes nothing. */
  put(tenant: string, bytes: Uint8Array | AsyncIterable<Uint8Array>, options?: BlobPut): Promise<BlobRef>
  /** All bytes, or those of a range as far as there are any. Undefined where there is no such blob. Rejects where they are damaged. */
  get(ref: Pick<BlobRef, 'tenant' | 'hash'>, range?: ByteRange): Promise<Uint8Array | undefined>
  /** Drops one blob. It does nothing where there is no such blob. */
  drop(ref: Pick<BlobRef, 'tenant' | 'hash'>): Promise<void>
  /** Drops all blobs of a tenant. */
  dropTenant(tenant: string): Promise<void>
}
