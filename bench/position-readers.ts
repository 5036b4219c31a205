import type { PackMessage } from '../src/core/index.ts'

/** Reads a request and answers the question in it. */
export type Reader = (messages: readonly PackMessage[]) => Promise<string>

/** A model behind an address that speaks OpenAI's dialect. */
export interface AskedModel {
  /** Ends before `/chat/completions`. */
  readonly url: string
  readonly model: string
  readonly key?: string | undefined
  readonly fetch?: typeof fetch
}

/** Asks a model; throws where it does not answer. */
export function modelReader({ url, model, key, fetch: send = fetch }: AskedModel): Reader {
  return async (messages) => {
    const body = { model, temperature: 0, max_tokens: 100, messages: messages.map(toMessage) }
    const response = await send(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
    const said = (await response.json()) as {
      readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[]
    }
    const content = said.choices?.[0]?.message?.content
    return typeof content === 'string' ? content : ''
  }
}

function toMessage({ role, text }: PackMessage): { readonly role: string; readonly content: string } {
  return { role: role === 'system' || role === 'assistant' ? role : 'user', content: text }
}

/**
 * The line of the request that has most words in common with the question, wherever it stands: what can be recalled by somebody who reads
 * every place alike. What a model falls short of it at some depth is the effect of the position.
 */
export function extractiveReader(question: string): Reader {
  const asked = wordsOf(question)
  return async (messages) => {
    let best = ''
    let most = 0
    for (const line of messages.flatMap(({ text }) => text.split('\n'))) {
      if (line.includes(question)) continue
      const found = wordsOf(line)
      let common = 0
      for (const word of asked) if (found.has(word)) common += 1
      // Of equals by what they say, and not by where they stand.
      if (common < most || common === 0 || (common === most && line >= best)) continue
      best = line
      most = common
    }
    return best
  }
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
}
