import { expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { openTasks, taskListOf } from './task-list.ts'

const call = (toolName: string, given: object): Item => {
  return { id: 'c', section: 'history', kind: 'tool-call', role: 'assistant', toolName, text: JSON.stringify(given) }
}
const tasks = [
  { content: 'Round the tax\n of each line', status: 'in_progress' },
  { content: 'Changelog', status: 'completed' },
]
const read = [
  { text: 'Round the tax of each line', state: 'active' },
  { text: 'Changelog', state: 'done' },
]

it.each([
  ['a tool named for it', call('TodoWrite', { todos: tasks }), read],
  ['another tool whose member is named for it', call('note', { plan: tasks }), read],
  ['a tool named for it whose member is not', call('update_plan', { entries: tasks }), read],
  [
    'a tool named for it without states',
    call('write_tasks', { list: [{ title: 'One' }, { title: 'Two', done: true }] }),
    [
      { text: 'One', state: 'open' },
      { text: 'Two', state: 'done' },
    ],
  ],
  [
    'dropped tasks',
    call('todo', { todos: [{ subject: 'Old', state: 'skipped' }] }),
    [{ text: 'Old', state: 'dropped' }],
  ],
  ['no list of any other tool', call('create_issue', { labels: [{ text: 'bug', status: 'open' }] }), undefined],
  ['no list where tasks have no state', call('search', { items: [{ text: 'bug' }] }), undefined],
  ['no list in what is no JSON', { ...call('todo', {}), text: '{"todos": [' }, undefined],
] as const)('reads %s', (_, item, expected) => {
  expect(taskListOf(item)).toEqual(expected)
})

it('of the newest list the tasks that are neither done nor dropped are open', () => {
  const old = call('todo', { todos: [{ content: 'Old', status: 'pending' }] })
  expect(openTasks([old, call('update_plan', { steps: tasks })])).toEqual(['Round the tax of each line'])
  expect(openTasks([old, call('todo', { todos: [{ content: 'Old', status: 'done' }] })])).toEqual([])
})
