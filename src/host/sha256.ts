import { base64url, hex } from './byte-texts.ts'
import { builtinModule } from './builtin-module.ts'
import { BLOCK_BYTES, sha256Bytes } from './sha256-bytes.ts'

export type DigestText = 'hex' | 'base64url'

/** SHA-256 of bytes, or of a text in UTF-8, as lower-case hexadecimal by default. Node computes it where there is a Node. */
export const sha256: (data: string | Uint8Array, as?: DigestText) => string = fastest()

function fastest(): typeof sha256 {
  const hash = builtinModule('node:crypto')?.hash
  return hash === undefined ? portableSha256 : (data, as = 'hex') => hash('sha256', data, as)
}

/** The same with nothing of the host's. */
export function portableSha256(data: string | Uint8Array, as: DigestText = 'hex'): string {
  const digest = sha256Bytes(bytesOf(data))
  return as === 'hex' ? hex(digest) : base64url(digest)
}

/** HMAC-SHA-256 (RFC 2104) of a text, as base64url. */
export function hmacSha256(secret: string, text: string): string {
  const secretBytes = bytesOf(secret)
  const key = secretBytes.length > BLOCK_BYTES ? sha256Bytes(secretBytes) : secretBytes
  const keyed = (pad: number, message: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(BLOCK_BYTES + message.length).fill(pad, 0, BLOCK_BYTES)
    for (const [index, byte] of key.entries()) bytes[index] = byte ^ pad
    bytes.set(message, BLOCK_BYTES)
    return sha256Bytes(bytes)
  }
  return base64url(keyed(0x5c, keyed(0x36, bytesOf(text))))
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? new TextEncoder().encode(data) : data
}
