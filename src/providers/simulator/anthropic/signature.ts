import { hash } from 'node:crypto'
import type { JsonObject } from '../../../core/index.ts'
import { textOf } from '../read-json.ts'

const secret = 'simulated provider'

/** What a thinking block is signed with; changing its text or the signature shows. `tokens` is what it costs to keep. */
export function signThinking(shownText: string, tokens: number): string {
  return seal(shownText === '' ? 'omitted' : `thinking ${shownText}`, String(tokens))
}

/** What stands in a redacted block instead of its text. */
export function sealRedacted(tokens: number): string {
  return seal('redacted', String(tokens))
}

/** What a thinking block costs, whatever it shows; undefined for one that is not from here. */
export function sealedTokens(block: JsonObject): number | undefined {
  const sealed = textOf(block['signature']) ?? textOf(block['data'])
  const tokens = Number(
    Buffer.from(sealed ?? '', 'base64')
      .toString()
      .split(' ')[0],
  )
  return isUnmodified(block) && Number.isSafeInteger(tokens) ? tokens : undefined
}

/** Whether a thinking block came from here and is as it was. Text in an omitted one is ignored. */
export function isUnmodified(block: JsonObject): boolean {
  if (block['type'] === 'redacted_thinking') return opens('redacted', textOf(block['data']))
  const signature = textOf(block['signature'])
  return opens('omitted', signature) || opens(`thinking ${textOf(block['thinking']) ?? ''}`, signature)
}

function seal(content: string, nonce: string): string {
  return Buffer.from(`${nonce} ${digest(content, nonce)}`).toString('base64')
}

function opens(content: string, sealed: string | undefined): boolean {
  const [nonce = '', mac] = Buffer.from(sealed ?? '', 'base64')
    .toString()
    .split(' ')
  return mac === digest(content, nonce) && sealed === seal(content, nonce)
}

function digest(content: string, nonce: string): string {
  return hash('sha256', `${secret} ${nonce} ${content}`, 'hex')
}
