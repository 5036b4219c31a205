/** A tenant's key for a provider, encrypted. What it may be read with is in no store. */
export interface SealedKey {
  /** Random, and another one whenever the key is set. */
  readonly version: string
  /** The data key, as the secret of the installation or its command has wrapped it. */
  readonly dataKey: string
  /** AES-256-GCM by the data key: nonce, ciphertext and tag, in base64. */
  readonly sealed: string
  /** The first characters of the key, by which people know it, and the last four; both are empty where the key is too short. */
  readonly prefix: string
  readonly lastFour: string
  /** Milliseconds since the epoch. */
  readonly setMs: number
}
