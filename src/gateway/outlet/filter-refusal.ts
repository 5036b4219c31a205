import { rewriteText, stringPlaces, withTexts } from '../../codecs/index.ts'
import type { FilterChain } from './filter-chain.ts'
import type { ReplyText } from './reply-filter.ts'

/** A refusal, in no dialect that is sure: every string of its JSON is a text, or else all of it. */
export async function filterRefusal(chain: FilterChain, body: string): Promise<string> {
  if (!chain.kinds.has('text') || !chain.concerns(body)) return body
  const found = stringPlaces(body)
  if (found === undefined) return rewriteText(chain, refusalText(0), body)
  const texts: string[] = []
  for (const [index, { text }] of found.entries()) texts.push(await rewriteText(chain, refusalText(index), text))
  return withTexts(body, found, texts)
}

function refusalText(index: number): ReplyText {
  return { kind: 'text', key: `refusal.${index}`, form: 'plain' }
}
