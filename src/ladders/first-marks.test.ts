import { describe, expect, it } from 'vitest'
import { samples, textOf } from './failure-corpus.fixture.ts'
import { alternativesOf, anyByFirstMark, byFirstMark, firstMarksOf } from './first-marks.ts'
import { kindSamples } from './kind-samples.fixture.ts'

const forms = [
  /^\s*(?:def|class)\s/,
  /^(?:a|[bc]{2,3})?d/,
  /^[^x\s]y|^\d{4}-/,
  /^(?!\d+:)[\w.-]+:/,
  /^(?<who>\p{L})\p{N}: /u,
  /^\s{0,8}[-+~] \S|^Plan: /,
  /^[\s│|]*[├└]/,
  /^warning/i,
  /^\u2713 |^\x41B/,
  /anywhere/,
  /^$/,
  /^.{1,3}#/,
]

const texts = [
  '  def x',
  'class y',
  'd',
  'ad',
  'bbd',
  'cd',
  'qy',
  'xy',
  '2024-1',
  '12: x',
  '.a:',
  'é1: ',
  '  - x',
  '\u00a0- x',
  'Plan: 1',
  '~ x',
  '│  ├ a',
  '  └',
  'WARNING',
  '\u212aey',
  '✓ ok',
  'AB',
  'x anywhere',
  '',
  ' \t ',
  ' #',
  'ab#',
  '\u2003+ x',
  '\r\n+ x',
]

describe('firstMarksOf', () => {
  it('rules no form out that a text has', () => {
    const ruledOut = forms.flatMap((form) => {
      const formFor = byFirstMark([form], (own) => own)
      return texts.filter((text) => form.test(text) && formFor(text).length === 0).map((text) => [form.source, text])
    })
    expect(ruledOut).toEqual([])
  })

  it('rules out what a text cannot have that begins so', () => {
    const isFor = (form: RegExp, text: string): boolean => byFirstMark([form], (own) => own)(text).length > 0
    expect(isFor(/^\s*(?:def|class)\s/, '  return x')).toBe(false)
    expect(isFor(/^(?:a|[bc]{2,3})?d/, 'each')).toBe(false)
    expect(isFor(/^\s{0,8}[-+~] \S|^Plan: /, 'a - b')).toBe(false)
    expect(isFor(/^[\s│|]*[├└]/, 'text')).toBe(false)
    expect(isFor(/^(?!\d+:)[\w.-]+:/, '(x):')).toBe(false)
    expect(isFor(/^warning/i, 'xWARNING')).toBe(false)
    expect(isFor(/^x/, '   ')).toBe(false)
  })

  it('leaves a form that is not anchored, or that may be of nothing, to every text', () => {
    const all = [/anywhere/, /^x|y/, /^x?/, /^(?:x|\s*)/, /^x/m, /^[\s\S]*/]
    expect(all.filter((form) => firstMarksOf(form).includes(0))).toEqual([])
    expect(firstMarksOf(/^x/)).toContain(0)
  })
})

describe('anyByFirstMark', () => {
  const lines = [...samples.map(textOf), ...kindSamples.map(({ text }) => text)].flatMap((text) => text.split('\n'))

  it('answers as trying each form does', () => {
    const hasAny = anyByFirstMark(forms.slice(0, 9))
    const ownAnswer = (line: string): boolean => forms.slice(0, 9).some((form) => form.test(line))
    expect([...lines, ...texts].filter((line) => hasAny(line) !== ownAnswer(line))).toEqual([])
    expect(lines.length).toBeGreaterThan(2000)
  })
})

describe('alternativesOf', () => {
  it('parts a form where it has a choice, and nowhere else', () => {
    const sources = alternativesOf(/^a(?:b|c)|^[|x]\||d$/i).map(({ source, flags }) => `${source} ${flags}`)
    expect(sources).toEqual(['^a(?:b|c) i', String.raw`^[|x]\| i`, 'd$ i'])
  })
})
