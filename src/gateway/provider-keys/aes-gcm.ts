import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts by a key of 32 bytes; gives nonce, ciphertext and tag in base64. It can be read only with the same associated data. */
export function sealed(key: Buffer, plain: Buffer, associated: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(associated))
  const encrypted = [cipher.update(plain), cipher.final()]
  return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64')
}

/** What was encrypted; undefined where a bit of it, the key or the associated data is another. */
export function opened(key: Buffer, text: string, associated: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}
