import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import { askedAgain } from './asked-again.ts'
import { stepNumbers } from '../items/step-numbers.ts'

const call = (id: string, command: string): Item => ({
  id: `c${id}`,
  section: 'history',
  kind: 'tool-call',
  role: 'assistant',
  toolName: 'bash',
  toolCallId: id,
  text: JSON.stringify({ command }),
})
const result = (id: string, text: string): Item => ({
  id: `r${id}`,
  section: 'history',
  kind: 'tool-result',
  role: 'tool',
  toolName: 'bash',
  toolCallId: id,
  text,
})

describe('a call that was made again', () => {
  it('is told by its tool and its arguments, once the later one has its result', () => {
    const items = [
      call('1', 'npm test'),
      result('1', 'a'),
      call('2', 'npm run build'),
      result('2', 'b'),
      call('3', 'npm test'),
      result('3', 'c'),
      call('4', 'npm run build'),
    ]
    const isAgain = askedAgain({ items, steps: stepNumbers(items) })
    expect(items.map((_, index) => isAgain(index))).toEqual([true, true, false, false, false, false, false])
  })

  it('needs no more than one of the failures that it told of', () => {
    const errors = Array.from(
      { length: 30 },
      (_, at) => `src/part${at}.ts(${at},4): error TS2307: Cannot find module './x${at}.js'.`,
    )
    const text = ['> tsgo --noEmit', '', ...errors, 'Command exited with code 2'].join('\n')
    const item = result('1', text)
    const count = (said: string): number => Math.ceil(said.length / 4)
    const forms = (more: object) =>
      ladderFor(item, {
        count,
        handle: '482915037114',
        step: 3,
        conversation: { visible: new Set(text.split(/[^\w./-]+/)), age: 40, lineWorth: 0.0025, ...more },
      })
    expect(
      forms({})
        .at(-1)
        ?.text.match(/error TS2307/g)?.length,
    ).toBeGreaterThan(15)
    const [, ...shorter] = forms({ askedAgain: () => true })
    for (const { text: shown, tokens } of shorter) {
      expect(shown).toContain(errors[0])
      expect(shown).toContain('exited with code 2')
      expect(tokens).toBeLessThan(100)
    }
    expect(shorter.length).toBeGreaterThan(0)
  })
})
