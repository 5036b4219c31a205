import { expect, it } from 'vitest'
import type { Ledger, LineReference } from '../../core/index.ts'
import { lineIndex, referRepeats } from '../../ladders/index.ts'
import { referredLines } from './referred-lines.ts'
import type { ShownItem } from './referred-lines.ts'

const count = (text: string): number => text.length
const lines = (name: string): string =>
  Array.from({ length: 20 }, (_, line) => `${name} has a line of its own, ${line}`).join('\n')

function ledgerOf(references: readonly (readonly LineReference[])[]): Ledger {
  const entries = references.map((own, index) => ({
    key: `k${index}`,
    rung: 'full' as const,
    tokens: 1,
    originalTokens: 1,
    references: own,
  }))
  return { layout: 'messages', entries } as unknown as Ledger
}

it('gives every reference the lines that it replaced, in results and in strings of calls', () => {
  const first: ShownItem = {
    kind: 'tool-call',
    text: JSON.stringify({ a: lines('a'), b: `${lines('b')}\n${lines('c')}` }),
  }
  const source = { key: 'k0', step: 1, call: true }
  const index = lineIndex().add(source, `${lines('a')}\n${lines('b')}\n${lines('c')}`)
  const result = referRepeats({ text: `new\n${lines('c')}\nnew\n${lines('a')}`, index, count })
  const strings = [`x\n${lines('b')}`, lines('a')].map((text) => referRepeats({ text, index, count }))
  const shown: readonly ShownItem[] = [
    first,
    { kind: 'tool-result', text: result.text },
    { kind: 'tool-call', text: JSON.stringify({ one: strings[0]!.text, plain: 'short', two: strings[1]!.text }) },
  ]
  const found = referredLines(ledgerOf([[], result.references, strings.flatMap(({ references }) => references)]), shown)
  const rest = (name: string): string => lines(name).split('\n').slice(1).join('\n')
  expect(found.map(({ text }) => text)).toEqual([rest('c'), rest('a'), rest('b'), rest('a')])
  for (const { marker } of found) expect(marker).toBe('[+19 lines as in the call of step 1]')
  expect(found.map(({ linesBefore }) => linesBefore[0])).toEqual(
    ['c', 'a', 'b', 'a'].map((name) => lines(name).split('\n')[0]),
  )
})

it('leaves out what can no longer be found', () => {
  const marker = '[+3 lines as in step 1]'
  const gone = [{ key: 'gone', firstLine: 1, lines: 3, at: 1 }]
  const short = [{ key: 'k0', firstLine: 1, lines: 3, at: 1 }]
  const items: readonly ShownItem[] = [
    { kind: 'tool-result', text: 'one line' },
    { kind: 'tool-result', text: marker },
  ]
  expect(referredLines(ledgerOf([[], gone]), items)).toEqual([])
  expect(referredLines(ledgerOf([[], short]), items)).toEqual([])
  expect(referredLines(ledgerOf([[]]), items)).toEqual([])
  expect(referredLines(ledgerOf([[], gone, short]), [undefined, undefined, items[1]])).toEqual([])
})
