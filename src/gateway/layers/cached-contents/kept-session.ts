import type { Usage } from '../../../core/index.ts'

/** How many reads have to be seen before anything is concluded from them. */
export const enoughReads = 3

/** How a prompt begins: with so many contents, and their hash. */
export interface Beginning {
  readonly count: number
  readonly contents: string
}

/** The beginning of a session's prompts that its provider keeps. */
export interface KeptContent extends Beginning {
  readonly name: string
  readonly tokens: number
  /** What an hour of it costs, in dollars. */
  readonly hourUsd: number
  /** Paid for until then. */
  readonly paidMs: number
  /** Requests that it was used for. */
  readonly uses: number
  /** Has it kept no longer. */
  remove(signal?: AbortSignal): Promise<boolean>
}

/** What is known of the prompts of a session that begin alike: with one model, one system prompt, the same tools and first words. */
export interface KeptSession {
  readonly requests: number
  readonly firstMs: number
  readonly lastMs: number
  /** All that was sent last. */
  readonly last?: Beginning
  /** Its tokens, as the provider has counted them. */
  readonly lastTokens?: number
  /** Of the newest requests since the last change: what the one before had sent, what was read of it, and by what it was longer. */
  readonly reads: readonly { readonly sent: number; readonly read: number; readonly growth: number }[]
  readonly content?: KeptContent
  /** The provider keeps nothing of it, or does not read it: that is tried once. */
  readonly isOff?: boolean
  /** Dollars that were paid for time that was not used. */
  readonly credit: number
}

export function newSession(nowMs: number): KeptSession {
  return { requests: 0, firstMs: nowMs, lastMs: nowMs, reads: [], credit: 0 }
}

/** The session with what a reply has told of its request. */
export function measured(session: KeptSession, usage: Usage): KeptSession {
  const { lastTokens: sent, reads } = session
  const { inputTokens: lastTokens, cacheReadTokens = 0 } = usage
  if (sent === undefined) return { ...session, lastTokens }
  const read = { sent, read: Math.min(sent, cacheReadTokens), growth: Math.max(0, lastTokens - sent) }
  return { ...session, lastTokens, reads: [...reads, read].slice(-enoughReads) }
}

/** Whether what is kept was read, as the provider has told it. */
export function isRead({ tokens }: KeptContent, { cacheReadTokens = 0 }: Usage): boolean {
  return cacheReadTokens >= 0.9 * tokens
}
