import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'

const lines = Array.from({ length: 60 }, (_, at) =>
  at % 7 === 0
    ? `def read_rows_${at}(path, limit):`
    : `    # remark ${at}: nothing that anybody has to read again, ever`,
)
const item: Item = { id: 'r', section: 'history', kind: 'tool-result', role: 'tool', text: lines.join('\n') }

function trimmed(charactersPerToken: number, pricesCharacters: boolean): string | undefined {
  const count = (text: string): number => Math.ceil(text.length / charactersPerToken)
  const conversation = {
    visible: new Set<string>(),
    age: 10,
    lineWorth: 0.003,
    ...(pricesCharacters && { pricesCharacters }),
  }
  return ladderFor(item, { count, handle: '482915037114', conversation }).findLast(({ rung }) => rung === 'trimmed')
    ?.text
}

describe('prices of lines', () => {
  it('by characters are the same whoever counts', () => {
    expect(trimmed(3, true)).toContain('def read_rows_7(path, limit):')
    expect(trimmed(3, true)).toBe(trimmed(4, true))
    expect(trimmed(1.5, true)).toBe(trimmed(4, true))
  })

  it('by tokens rise with what the tokenizer counts', () => {
    expect(trimmed(4, false)).toBe(trimmed(4, true))
    expect(trimmed(1, false)).not.toBe(trimmed(4, false))
  })
})
