import type { TextPlaces } from '../../codecs/index.ts'
import { stringPlaces, withTexts } from '../../codecs/index.ts'
import type { FilterChain } from './filter-chain.ts'
import type { ReplyText } from './reply-filter.ts'

/** A whole reply with its texts filtered; the body itself where nothing changes. */
export async function filterBody(places: TextPlaces, chain: FilterChain, body: string): Promise<string> {
  if (!chain.concerns(body)) return body
  const found = places.inReply(body, chain.kinds)
  const texts: string[] = []
  for (const place of found) texts.push(await wholeText(chain, place, place.text))
  return withTexts(body, found, texts)
}

/** A refusal, in no dialect that is sure: every string of its JSON is a text, or else all of it. */
export async function filterRefusal(chain: FilterChain, body: string): Promise<string> {
  if (!chain.kinds.has('text') || !chain.concerns(body)) return body
  const found = stringPlaces(body)
  if (found === undefined) return wholeText(chain, refusalText(0), body)
  const texts: string[] = []
  for (const [index, { text }] of found.entries()) texts.push(await wholeText(chain, refusalText(index), text))
  return withTexts(body, found, texts)
}

function refusalText(index: number): ReplyText {
  return { kind: 'text', key: `refusal.${index}`, form: 'plain' }
}

async function wholeText(chain: FilterChain, of: ReplyText, text: string): Promise<string> {
  return (await chain.piece(of, text)) + (await chain.end(of))
}
