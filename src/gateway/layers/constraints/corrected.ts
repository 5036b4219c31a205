import { constraintLine } from '../../../core/index.ts'
import type { ConstraintViolation, Item, PackEntry } from '../../../core/index.ts'
import { layeredRequest } from '../../exchange/exchange.ts'
import type { Exchange } from '../../exchange/exchange.ts'

/** The request again, under an id of its own, with a word of ours at its end on what was wrong with the answer before. */
export function corrected(
  exchange: Exchange,
  { broken, id }: { readonly broken: readonly ConstraintViolation[]; readonly id: string },
): Exchange {
  const { codec } = exchange
  const asked = layeredRequest(exchange)
  const text = correction(broken)
  const item: Item = { id: 'prehend.correction', section: 'history', kind: 'text', role: 'user', text }
  const entries = [...asked.conversation.items, item].map(shownWhole)
  const pack = { layout: 'messages', entries, messages: [], breakpoints: [], tokens: 0, hash: '' } as const
  const body = codec.encode(asked, { pack, items: [item] })
  const again = codec.decode({ path: asked.wire.path, headers: asked.wire.headers, body }, asked)
  return {
    ...exchange,
    ...again,
    id,
    received: { exchange: again, bytes: Buffer.from(body) },
  }
}

function shownWhole({ id: itemId, section, text }: Item): PackEntry {
  return { itemId, section, rung: 'full', text, tokens: 0 }
}

/** Says what holds and how it was missed, but not what was said: that would be read again, and paid for. */
function correction(broken: readonly ConstraintViolation[]): string {
  const lines = broken.map(({ constraint, message }) => `- ${constraintLine(constraint)} ${message}`)
  const lead = 'Your last answer was withheld, because it breaks what has to hold here. How it did so:'
  return [lead, ...lines, 'Answer again, so that all of it holds, and say nothing about this.'].join('\n')
}
