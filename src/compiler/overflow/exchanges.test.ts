import { describe, expect, it } from 'vitest'
import { itemOf } from '../compile-input.fixture.ts'
import type { Item } from '../../core/index.ts'
import { divided } from './exchanges.ts'

const says = (id: string, role: NonNullable<Item['role']>): Item => itemOf('history', id, id, { role })
const calls = (id: string): readonly Item[] => [
  itemOf('history', `${id}.call`, '{}', { kind: 'tool-call', role: 'assistant', group: id, toolCallId: id }),
  itemOf('history', `${id}.result`, id, { kind: 'tool-result', role: 'tool', group: id, toolCallId: id }),
]
const none = (): boolean => false

function namesOf(items: readonly Item[], isWhole: (index: number) => boolean = none) {
  const { standing, units } = divided({ items, isOut: none, isWhole })
  const named = (indexes: readonly number[]) => indexes.map((index) => items[index]?.id)
  return { standing: named(standing), units: units.map(named) }
}

describe('the borders at which a conversation is divided', () => {
  it('stand before what the user says, and before the model where it goes on after results', () => {
    const items = [
      itemOf('policy', 'rules', 'Be brief.', { role: 'system', kind: 'instruction' }),
      says('task', 'user'),
      ...calls('a'),
      ...calls('b'),
      says('done', 'assistant'),
      says('more', 'user'),
      ...calls('c'),
      ...calls('d'),
    ]
    expect(namesOf(items)).toEqual({
      standing: ['rules', 'task', 'more', 'd.call', 'd.result'],
      units: [['a.call', 'a.result'], ['b.call', 'b.result'], ['done'], ['c.call', 'c.result']],
    })
  })

  it('never between a call and its result, whatever stands between them', () => {
    const [call, result] = calls('a')
    const [other, answer] = calls('b')
    const items = [says('task', 'user'), call!, other!, answer!, says('aside', 'user'), result!, ...calls('c')]
    expect(namesOf(items).units).toEqual([['a.call', 'b.call', 'b.result', 'a.result']])
  })

  it('leave what was collected besides to any page, and what must be whole on each', () => {
    const items = [
      says('task', 'user'),
      itemOf('memory', 'known', 'a'),
      ...calls('a'),
      ...calls('b'),
      itemOf('memory', 'later', 'b'),
    ]
    expect(namesOf(items)).toEqual({
      standing: ['task', 'b.call', 'b.result'],
      units: [['known'], ['a.call', 'a.result'], ['later']],
    })
    expect(namesOf(items, (index) => index === 4).standing).toEqual(['task', 'b.call', 'b.result'])
    expect(namesOf(items, (index) => index === 1).standing).toEqual(['task', 'known', 'b.call', 'b.result'])
  })
})
