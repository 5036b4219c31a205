import { describe, expect, it } from 'vitest'
import type { Briefing, Item } from '../../core/index.ts'
import { briefingFaults } from './briefing-faults.ts'
import { briefingItem } from './briefing-item.ts'
import { draftBriefing, ruleLines, turnsOf } from './draft-briefing.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const says = (role: 'user' | 'assistant', text: string, at: number): Item => ({
  id: `m${at}`,
  section: 'history',
  kind: 'text',
  role,
  text,
})
const todo = {
  todos: [
    { content: 'Write the parser', status: 'completed' },
    { content: 'Test src/parse.ts', status: 'pending' },
  ],
}
const thread: readonly Item[] = [
  says('user', 'Write a parser for src/parse.ts. You must never use eval. Do you always answer so fast?', 0),
  says('assistant', 'We decided: a hand-written one. Ticket ABC-1234 has the grammar.', 1),
  {
    id: 'c',
    section: 'history',
    kind: 'tool-call',
    role: 'assistant',
    text: JSON.stringify(todo),
    toolName: 'todo',
    toolCallId: 'c1',
  },
  { id: 'r', section: 'history', kind: 'tool-result', role: 'tool', text: 'ok', toolName: 'todo', toolCallId: 'c1' },
  says('user', 'Actually keep the old names. Always run the tests.', 2),
]
const rules = ruleLines(turnsOf(thread))
const check = { items: thread, rules, budgetTokens: 2000, count }

describe('a briefing that is put together of what was said', () => {
  it('has the first request, what binds word for word, and what is open, and no fault (G-048)', () => {
    const briefing = draftBriefing(thread, check)
    expect(rules).toEqual(['You must never use eval.', 'Always run the tests.'])
    expect(briefing).toMatchObject({ constraints: rules, nextSteps: ['Test src/parse.ts'] })
    expect(briefing.objective).toContain('Write a parser for src/parse.ts.')
    expect(briefing.context.join('\n')).toContain('Actually keep the old names.')
    expect(briefingFaults(briefing, check)).toEqual([])
  })

  it('keeps within its budget, and what binds to the last', () => {
    const long = Array.from({ length: 60 }, (_, at) =>
      says('user', `Actually the value ${at} is ${'x '.repeat(50)}`, 10 + at),
    )
    const bounds = { ...check, items: [...thread, ...long], budgetTokens: 200 }
    const briefing = draftBriefing(bounds.items, bounds)
    expect(count(JSON.stringify(briefing))).toBeLessThanOrEqual(200)
    expect(briefing.constraints).toEqual(expect.arrayContaining([...rules]))
    expect(briefingFaults(briefing, bounds)).toEqual([])
  })

  it('says what has failed and not been cured, and how edited files look, as far as its budget goes', () => {
    const call = (at: number, toolName: string, args: object, text: string): readonly Item[] => [
      {
        id: `c${at}`,
        section: 'history',
        kind: 'tool-call',
        role: 'assistant',
        text: JSON.stringify(args),
        toolName,
        toolCallId: `c${at}`,
      },
      {
        id: `r${at}`,
        section: 'history',
        kind: 'tool-result',
        role: 'tool',
        text,
        toolName,
        toolCallId: `c${at}`,
        ...(text.includes('Error') && { status: 'error' as const }),
      },
    ]
    const edit = { path: 'src/tide.ts', oldText: 'const low = 1', newText: 'const low = 2' }
    const worked = [
      ...thread,
      ...call(1, 'bash', { command: 'npm run cured' }, 'TideError: the first gate is shut'),
      ...call(2, 'bash', { command: 'npm run cured' }, 'ok'),
      ...call(3, 'read', { path: 'src/tide.ts' }, 'const high = 9\nconst low = 1\nexport { high, low }'),
      ...call(4, 'edit', edit, 'Edited src/tide.ts.'),
      ...call(5, 'bash', { command: 'npm test' }, 'TideError: the second gate is shut'),
    ]
    const briefing = draftBriefing(worked, check)
    const context = briefing.context.join('\n')
    expect(context).toContain('const low = 2')
    expect(context).not.toContain('const low = 1')
    expect(briefing.state.join('\n')).toContain('the second gate is shut')
    expect(briefing.state.join('\n')).not.toContain('the first gate is shut')
    expect(briefingFaults(briefing, { ...check, items: worked })).toEqual([])
    const budgetTokens = count(JSON.stringify(draftBriefing(thread, check))) + 40
    expect(count(JSON.stringify(draftBriefing(worked, { budgetTokens, count })))).toBeLessThanOrEqual(budgetTokens)
  })

  it('of a session that began with a briefing has the same objective and the same rules, and none twice (G-048)', () => {
    const begun = { ...briefingItem(draftBriefing(thread, check), 'before'), id: 'user:1' }
    const items = [begun, says('user', 'Go on.', 1)]
    const next = draftBriefing(items, check)
    expect(next.objective).toContain('Write a parser for src/parse.ts.')
    expect(next.constraints).toEqual(rules)
    expect(next.context.join('\n')).toContain('Actually keep the old names.')
    expect(JSON.stringify(next)).not.toContain('briefing')
    expect(ruleLines(turnsOf(items))).toEqual(rules)
  })

  it('says of commands that have run that they are done', () => {
    expect(draftBriefing(thread, check).state.join('\n')).toContain('which is done')
  })

  it('names the files that calls have worked on, and neither calls of methods nor properties', () => {
    const ran = (id: string, args: object, result = 'ok'): readonly Item[] => {
      const own = { section: 'history', toolName: 'bash', toolCallId: id } as const
      return [
        { ...own, id: `call-${id}`, kind: 'tool-call', role: 'assistant', text: JSON.stringify(args) },
        { ...own, id: `result-${id}`, kind: 'tool-result', role: 'tool', text: result },
      ]
    }
    const items = [
      ...thread,
      ...ran('d', { command: 'cat blank.csv' }, 'a,b,c'),
      ...ran('e', { command: 'node -e "rows.map(String)"' }),
      ...ran('f', { path: 'src/lex.ts', old_string: 'let a = foo.bar', new_string: 'let a = foo.baz' }),
      ...ran('g', { command: 'cd web && cat app/main.ts' }, 'import "./x"'),
      ...ran('h', { command: 'rm old.txt' }),
    ]
    const briefing = draftBriefing(items, check)
    expect(briefing.context).toContain('Files at work, the newest first: web/app/main.ts, src/lex.ts, blank.csv')
    expect(briefingFaults(briefing, { ...check, items })).toEqual([])
  })
})

const good: Briefing = {
  objective: 'A parser for src/parse.ts.',
  context: ['ABC-1234 has the grammar.'],
  state: [],
  constraints: [...rules],
  nextSteps: ['Test it.'],
}

it.each([
  ['nothing', good, []],
  ['no object', 'text', ['It is not a JSON object.']],
  ['a missing member', { ...good, state: undefined }, ['state is missing, or is not a list of texts.']],
  ['an empty objective', { ...good, objective: ' ' }, ['objective is missing or empty.']],
  ['empty steps', { ...good, nextSteps: [] }, ['nextSteps is empty.']],
  ['a member too many', { ...good, more: 1 }, ['more is not a member.']],
  [
    'a rule in other words',
    { ...good, constraints: ['No eval.', 'Always run the tests.'] },
    ['constraints lacks, word for word: You must never use eval.'],
  ],
  [
    'a file that is nowhere',
    { ...good, nextSteps: ['Open src/lexer.ts.'] },
    ['src/lexer.ts does not occur in the conversation.'],
  ],
  ['an id that is nowhere', { ...good, context: ['See ABC-9999.'] }, ['ABC-9999 does not occur in the conversation.']],
] as const)('finds %s (G-048)', (_, briefing, faults) => {
  expect(briefingFaults(briefing, check)).toEqual(faults)
})

it('finds one that takes more than it may (G-048)', () => {
  expect(briefingFaults(good, { ...check, budgetTokens: 10 })).toEqual([
    expect.stringMatching(/^It takes \d+ tokens, and may take 10\.$/),
  ])
})
