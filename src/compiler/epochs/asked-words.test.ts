import { expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { factReader } from '../../ladders/index.ts'
import { askedIn } from './asked-words.ts'

const user = (text: string): Item => ({ id: text, section: 'history', kind: 'text', role: 'user', text })
const call = (given: object): Item => ({ id: 'c', section: 'history', kind: 'tool-call', text: JSON.stringify(given) })

it('a conversation is at what the user said last, and at the tasks that are open', () => {
  const todos = [
    { content: 'Compare shipping prices', status: 'in_progress' },
    { content: 'Find tents', status: 'completed' },
  ]
  const asked = askedIn([user('Find tents'), call({ todos }), user('Which had free returns?')], factReader())
  expect([...asked.terms]).toEqual(expect.arrayContaining(['return', 'ship', 'pric']))
  expect(asked.terms.has('tent')).toBe(false)
  expect(asked.at).toBe(2)
})

it('names of files are names, and scripts without blanks are read in pairs', () => {
  expect(askedIn([user('go on with src/relieve.ts')], factReader()).names.has('src/relieve.ts')).toBe(true)
  expect(askedIn([user('退货期限')], factReader()).terms.has('退货')).toBe(true)
})
