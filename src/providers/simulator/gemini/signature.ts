import { hash } from 'node:crypto'

const secret = 'simulated provider'

/** What the provider takes where another model made the call, or a client has lost its signature. */
const anySignature: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
])

/** An opaque signature that can be told for one of ours. */
export function signatureOf(nonce: string): string {
  return Buffer.from(`${nonce} ${hash('sha256', `${secret} ${nonce}`, 'hex')}`).toString('base64')
}

export function isSignature(text: string): boolean {
  if (anySignature.has(text)) return true
  const [nonce = ''] = Buffer.from(text, 'base64').toString().split(' ')
  return text === signatureOf(nonce)
}
