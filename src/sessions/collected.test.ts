import { expect, it } from 'vitest'
import type { WireExchange, Item } from '../core/index.ts'
import { evidence } from '../core/index.ts'
import { recognised, withCollected } from './collected.ts'

const said: Item = { id: 'message:0', section: 'history', kind: 'text', role: 'user', text: 'Look.' }
const placed: Item = { id: 'message:1', section: 'history', kind: 'text', role: 'user', text: 'Twelve chairs.' }
const exchangeOf = (items: readonly Item[]): WireExchange => ({ conversation: { items } }) as unknown as WireExchange
const itemsOf = ({ conversation }: WireExchange): readonly Item[] => conversation.items

it('P-093: links go on under the names that items have in a conversation, and end where the other side is not there', () => {
  const caption = evidence('Twelve chairs.', 'reader', {
    id: 'caption',
    links: [{ itemId: 'scan', method: 'caption' }],
  })
  const known = new Map([[placed.id, caption]])
  const alone = recognised(exchangeOf([said, placed]), known)
  expect(itemsOf(alone)[1]).toMatchObject({ id: 'message:1', section: 'evidence' })
  expect(itemsOf(alone)[1]).not.toHaveProperty('links')
  const excerpt = evidence('Chairs.', 'reader', { links: [{ itemId: 'caption', method: 'excerpt', confidence: 0.5 }] })
  const more = withCollected(alone, [excerpt], known)
  expect(itemsOf(more)[2]?.links).toEqual([{ itemId: 'message:1', method: 'excerpt', confidence: 0.5 }])
  expect(itemsOf(withCollected(exchangeOf([said]), [excerpt], new Map()))[1]).not.toHaveProperty('links')
})
