import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'

const count = (text: string): number => Math.ceil(text.length / 4)

function forms(text: string, isOldText = true): readonly string[] {
  const item: Item = { id: 't', section: 'history', kind: 'text', role: 'assistant', text }
  return ladderFor(item, { count, handle: '482915037114', conversation: { isOldText } })
    .filter(({ rung }) => rung === 'trimmed')
    .map((form) => form.text)
}

const said = [
  'I looked at the parser first. It reads lines one by one and keeps the last of them in a buffer. The buffer grows with each line that it has seen.',
  'Then I looked at the writer, which has a buffer of its own, and at the tests of both of them. Should the writer flush it at the end?',
  'The root cause is the buffer of the parser. The tests run long, and most of what they print has nothing to do with it.',
].join('\n')

describe('old text of the model', () => {
  it('keeps its first sentence, its questions and what it decides, word for word', () => {
    expect(forms(said)).toEqual([
      [
        '[extract: rehydrate("482915037114")]',
        'I looked at the parser first.',
        'Should the writer flush it at the end?',
        'The root cause is the buffer of the parser.',
      ].join('\n'),
    ])
  })

  it('has no such form where nothing would go', () => {
    const short =
      'The root cause is the buffer of the parser, which has grown with each line that it has seen since the session began to run, and nothing else has ever touched it?'
    expect(forms(short)).toEqual([])
  })
})
