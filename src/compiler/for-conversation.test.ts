import { describe, expect, it } from 'vitest'
import type { CompileInput, Item } from '../core/index.ts'
import { input } from './compile-input.fixture.ts'
import { newCompiler } from './word-tokens.fixture.ts'

/** Request `turns` of a conversation, whose items are the same objects in every request. */
function conversation(name: string): (turns: number) => CompileInput {
  const items: Item[] = []
  return (turns) => {
    for (let n = items.length; n < 2 * turns; n += 1)
      items.push({
        id: `${name}${n}`,
        section: 'history',
        kind: 'text',
        role: n % 2 === 0 ? 'user' : 'assistant',
        text: `${name} ${n % 5} `.repeat(20 + n),
      })
    return input({ items: items.slice(0, 2 * turns), budget: { windowTokens: 400 } })
  }
}

describe('forConversation', () => {
  it('conversations in turn are compiled as each would be by itself', () => {
    const shared = newCompiler()
    const threads = ['a', 'b', 'c'].map((name) => ({ compiler: shared.forConversation(), request: conversation(name) }))
    for (const turns of [1, 2, 3, 5, 4, 8, 9])
      for (const { compiler, request } of threads)
        expect(compiler.compile(request(turns))).toEqual(newCompiler().compile(request(turns)))
  })
})
