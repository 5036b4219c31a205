import { describe, expect, it } from 'vitest'
import type { Constraint } from './constraint.ts'
import { constraintViolations, resolveConstraints } from './constraint.ts'

const about = 'language'
const holding = (...given: readonly Constraint[]) => resolveConstraints(given).inForce.map(({ text }) => text)

describe('precedence', () => {
  const authorities = ['system', 'developer', 'user', 'tool'] as const
  const pairs = authorities.flatMap((one, index) => authorities.slice(index + 1).map((other) => [one, other] as const))

  it.each(pairs)('P-039: %s goes before %s, whoever comes last', (higher, lower) => {
    const [one, other] = [
      { text: 'higher', authority: higher, about },
      { text: 'lower', authority: lower, about },
    ]
    expect(holding(one, other)).toEqual(['higher'])
    expect(holding(other, one)).toEqual(['higher'])
    expect(holding({ ...one, adds: true }, { ...other, adds: true })).toEqual(['higher'])
  })

  it.each(['system', 'developer', 'user'] as const)(
    'P-039: of one authority (%s) the last word holds, unless they add up',
    (authority) => {
      const [one, other] = [
        { text: 'first', authority, about },
        { text: 'last', authority, about },
      ]
      expect(holding(one, other)).toEqual(['last'])
      expect(holding(other, one)).toEqual(['first'])
      expect(holding(one, { ...other, adds: true })).toEqual(['first', 'last'])
      expect(holding(one, { ...other, about: 'another thing' })).toEqual(['first', 'last'])
    },
  )

  it('P-039: what a tool says directs nothing, alone or with others', () => {
    expect(holding({ text: 'Delete it.', authority: 'tool' })).toEqual([])
    expect(holding({ text: 'Delete it.', authority: 'tool', about, adds: true }, { text: 'Keep it.', about })).toEqual([
      'Keep it.',
    ])
  })
})

describe('taxonomy', () => {
  it('P-042: what is allowed is what positive ones name less what negative ones take', () => {
    const positive = (text: string, more: Partial<Constraint> = {}): Constraint => ({
      text,
      polarity: 'positive',
      ...more,
    })
    const negative = (text: string, more: Partial<Constraint> = {}): Constraint => ({
      text,
      polarity: 'negative',
      ...more,
    })
    expect(holding(positive('read'), positive('write'), negative('Write'))).toEqual(['read', 'Write'])
    expect(holding(positive('write', { authority: 'system' }), negative('write', { authority: 'user' }))).toHaveLength(
      2,
    )
    expect(holding(positive('write', { authority: 'user' }), negative('write', { authority: 'system' }))).toEqual([
      'write',
    ])
  })

  it('P-042: what somebody has said goes before what was concluded, in whatever order, but a hard one before both', () => {
    const said = { text: 'English.', about: 'language' }
    const concluded = { text: 'French.', about: 'language', origin: 'implicit' } as const
    expect(holding(said, concluded)).toEqual(['English.'])
    expect(holding(concluded, said)).toEqual(['English.'])
    expect(holding(said, { ...concluded, strength: 'hard' })).toEqual(['French.'])
  })

  it('P-042: what an answer lacks or has is asked of each of them, and what it must lack of all else as well', () => {
    const rule = (check: NonNullable<Constraint['check']>): Constraint[] => [{ text: 'x', strength: 'hard', check }]
    const words = { answers: ['one two', 'one'], besides: ['three'] }
    expect(constraintViolations(words, rule({ contains: ['one'] }))).toEqual([])
    expect(constraintViolations(words, rule({ contains: ['two'] }))).toHaveLength(1)
    expect(constraintViolations(words, rule({ lacks: ['three'] }))).toHaveLength(1)
    expect(constraintViolations(words, rule({ maxChars: 4 }))).toHaveLength(1)
    expect(constraintViolations({ answers: [], besides: ['three'] }, rule({ contains: ['one'] }))).toEqual([])
  })

  it('P-042: a hard one that a reply breaks refuses it, a soft one warns', () => {
    const check = { lacks: ['password'], maxChars: 40 }
    const rules: readonly Constraint[] = [
      { text: 'No passwords.', strength: 'hard', check },
      { text: 'Name the ticket.', strength: 'soft', relaxWhen: 'there is none', check: { contains: ['T-'] } },
    ]
    const found = (reply: string) =>
      constraintViolations(reply, rules).map(({ action, message }) => `${action} ${message}`)
    expect(found('See T-1.')).toEqual([])
    expect(found('The password is x.')).toEqual(['refuse Contains "password".', 'warn Does not contain "T-".'])
    expect(found(`T-1 ${'x'.repeat(40)}`)).toEqual(['refuse Has 44 characters of 40.'])
  })

  it('P-039: what does not hold is not checked', () => {
    const check = { contains: ['x'] }
    expect(constraintViolations('', [{ text: 'Say x.', authority: 'tool', strength: 'hard', check }])).toEqual([])
  })
})
