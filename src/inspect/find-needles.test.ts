import { describe, expect, it } from 'vitest'
import { findNeedles } from './find-needles.ts'
import { sessionMessages } from './session-record.ts'

const place = { file: 'x', line: 1, field: '' }
const user = (content: string) => ({ role: 'user', content })
const tool = (content: string) => ({ role: 'tool', tool_call_id: 'c', content })
const call = (args: unknown) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'c', name: 'bash', arguments: JSON.stringify(args) }],
})

const needlesOf = (...messages: readonly unknown[]) =>
  findNeedles(sessionMessages({ messages } as never, place)).map(({ step, needle, src }) => ({ step, needle, src }))

describe('findNeedles', () => {
  it('finds names and paths that stood in tool output only', () => {
    expect(
      needlesOf(
        user('go'),
        call({ c: 'ls' }),
        tool('src/main.ts readTheFile'),
        call({ c: 'grep readTheFile src/main.ts' }),
      ),
    ).toEqual([
      { step: 3, needle: 'readTheFile', src: [2] },
      { step: 3, needle: 'src/main.ts', src: [2] },
    ])
  })

  it('leaves out what the user said and what the agent itself wrote before', () => {
    expect(
      needlesOf(
        user('look at src/main.ts'),
        call({ c: 'cat my_own_file' }),
        tool('src/main.ts my_own_file'),
        call({ c: 'src/main.ts my_own_file' }),
      ),
    ).toEqual([])
  })

  it('leaves out plain words, short names and numbers', () => {
    expect(needlesOf(user('go'), tool('directory a.ts 12345.6789'), call({ c: 'directory a.ts 12345.6789' }))).toEqual(
      [],
    )
  })

  it('reads arguments as the tool gets them, not as they are escaped', () => {
    expect(needlesOf(user('go'), tool('first_name\nsecond_name'), call({ c: 'x\nsecond_name' }))).toEqual([
      { step: 2, needle: 'second_name', src: [1] },
    ])
  })

  it('finds figures, dates, names with blanks and sentences, in any script', () => {
    const page = 'Ridge Tent 2P\n$249.00\nReturns are free within 60 days.\ndue 14 March 2026\n退货期限为收货后十五天。'
    const used = {
      title: 'Ridge Tent 2P',
      text: 'You say: "Returns are free within 60 days." $249.00, 14 March 2026\n退货期限为收货后十五天。',
    }
    expect(needlesOf(user('go'), tool(page), call(used)).map(({ needle }) => needle)).toEqual(
      expect.arrayContaining([
        'Ridge Tent 2P',
        '$249.00',
        'Returns are free within 60 days.',
        '14 March 2026',
        '退货期限为收货后十五天。',
      ]),
    )
  })

  it('keeps the last twenty sources', () => {
    const tools = Array.from({ length: 25 }, () => tool('some_long_name'))
    const [needle] = needlesOf(user('go'), ...tools, call({ c: 'some_long_name' }))
    expect(needle?.src).toEqual(Array.from({ length: 20 }, (_, index) => index + 6))
  })
})
