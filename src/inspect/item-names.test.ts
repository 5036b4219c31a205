import { expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { itemNames } from './item-names.ts'

const message = (id: string, role: 'user' | 'assistant' | 'system', text: string): Item => ({
  id,
  section: role === 'system' ? 'policy' : 'history',
  kind: 'text',
  role,
  text,
})
const called = (id: string, toolName: string, args: unknown): readonly Item[] => [
  {
    id: `call:${id}`,
    section: 'history',
    kind: 'tool-call',
    role: 'assistant',
    toolName,
    toolCallId: id,
    text: typeof args === 'string' ? args : JSON.stringify(args),
  },
  { id: `result:${id}`, section: 'history', kind: 'tool-result', role: 'tool', toolCallId: id, text: 'done' },
]

const nameOfResult = (toolName: string, args: unknown): string | undefined =>
  itemNames(called('1', toolName, args)).get('result:1')?.name

it.each([
  ['bash', { description: 'Read it', command: 'cat  src/csv.js' }, 'bash: cat src/csv.js'],
  ['shell', { command: ['bash', '-lc', 'npm test'], workdir: '/w' }, 'shell: npm test'],
  ['read', { offset: 3, filePath: 'src/a.ts' }, 'read: src/a.ts'],
  ['weather', { city: 'Rome' }, 'weather: Rome'],
  ['list', {}, 'list'],
  ['count', { n: 3 }, 'count'],
  ['apply_patch', '*** Begin Patch\n*** Update', 'apply_patch: *** Begin Patch *** Update'],
])('a result is named by its call: %s', (tool, args, name) => {
  expect(nameOfResult(tool, args)).toBe(name)
})

it('a name is one line of 90 characters at most', () => {
  const name = nameOfResult('bash', { command: `echo ${'😀\n'.repeat(200)}` }) ?? ''
  expect(Array.from(name)).toHaveLength(90)
  expect(name).toMatch(/^bash: echo 😀 .*…$/u)
  expect(name.isWellFormed()).toBe(true)
})

it('items are grouped by what they are, results by their tools', () => {
  const items = [
    message('s', 'system', 'You help.'),
    { id: 't', section: 'tools', kind: 'tool-schema', toolName: 'bash', text: '{}' } satisfies Item,
    message('u', 'user', 'Fix it.'),
    message('a', 'assistant', 'I will.'),
    ...called('1', 'bash', { command: 'ls' }),
  ]
  expect(Array.from(itemNames(items).values(), ({ group, name }) => `${group}: ${name}`)).toEqual([
    'system prompt: You help.',
    'tool definitions: bash',
    'user: Fix it.',
    'assistant: I will.',
    'calls: call of bash: ls',
    'results of bash: bash: ls',
  ])
})
