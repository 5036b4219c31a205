import { describe, expect, it } from 'vitest'
import type { LineIndex } from '../core/index.ts'
import { contentKind } from './content-kind.ts'
import { enveloped, kindSamples } from './kind-samples.fixture.ts'
import { ladderFor } from './ladder-for.ts'
import { lineIndex } from './line-index.ts'
import { isLosslessForm, losslessForms } from './lossless-forms.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const rows = Array.from({ length: 12 }, (_, id) => ({ id, name: `name ${id}`, stock: id * 2 }))
const json = JSON.stringify(rows, null, 2)
const colours = '\u001b[31mexpected\u001b[0m 90, \u001b[32mreceived\u001b[0m 100'

function arrives(text: string, exact = false): string {
  const shownLines: LineIndex = lineIndex()
  const conversation = exact ? { shownLines, exact } : { shownLines }
  const item = { id: 'i', section: 'history', kind: 'tool-result', text } as const
  return ladderFor(item, { count, handle: '482915037114', conversation }).at(-1)?.text ?? ''
}

describe('losslessForms', () => {
  it('has JSON without white space or in columns, inside what stands around it', () => {
    const text = enveloped(`HTTP/1.1 200 OK\n${json}`)
    const [compact, columns] = losslessForms(text, 'json')
    expect(compact).toBe(enveloped(`HTTP/1.1 200 OK\n${JSON.stringify(rows)}`))
    expect(columns).toContain('<output>\nHTTP/1.1 200 OK\n[(id,name,stock)\n0,name 0,0\n')
    expect(isLosslessForm(columns ?? '', text)).toBe(true)
    expect(isLosslessForm(columns ?? '', text.replace('"name 3"', '"name 4"'))).toBe(false)
  })

  it('is never longer than the text, for any sample of real output', () => {
    for (const { text } of kindSamples) {
      for (const form of losslessForms(text, contentKind(text))) {
        expect(form.length).toBeLessThan(text.length)
        expect(isLosslessForm(form, text)).toBe(true)
      }
    }
  })
})

describe('a result that comes into a conversation', () => {
  it('takes the form that says the same in less', () => {
    expect(arrives(json)).toContain('[(id,name,stock)\n0,name 0,0\n')
    expect(arrives(`${colours}\n`.repeat(9))).not.toContain('\u001b')
    expect(arrives(`Saving\n${[...Array(40).keys()].map((step) => `${step * 2.5}% saved`).join('\r')}\ndone`)).toBe(
      'Saving\n97.5% saved\ndone',
    )
  })

  it('stays as it came where it is what a file holds, or where little would be saved', () => {
    expect(arrives(json, true)).toBe(json)
    const words = Array.from({ length: 30 }, (_, at) => `words without an end ${at}`).join('\n')
    expect(arrives(`{"text": ${JSON.stringify(words)}}`)).toBe(`{"text": ${JSON.stringify(words)}}`)
  })
})
