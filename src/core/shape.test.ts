import { describe, expect, it } from 'vitest'
import { isPrehendError } from './errors.ts'
import type { Shape } from './shape.ts'
import * as shape from './shape.ts'

interface Part {
  readonly id: string
  readonly size?: number
}

const part = shape.object<Part>({ id: shape.name, size: shape.optional(shape.count) })

function fieldOf(known: Shape<unknown>, value: unknown, strict = false): string {
  try {
    shape.check(known, value, 'x', { strict })
  } catch (error) {
    if (isPrehendError(error) && 'field' in error.data) return error.data.field
    throw error
  }
  return 'nothing'
}

describe('shapes', () => {
  it.each<[string, Shape<unknown>, unknown, string]>([
    ['a name', shape.name, '', 'x'],
    ['a count', shape.count, 1.5, 'x'],
    ['a count from', shape.countFrom(1), 0, 'x'],
    ['a share', shape.share, 1.1, 'x'],
    ['an amount', shape.amount, Infinity, 'x'],
    ['a positive', shape.positive, 0, 'x'],
    ['a number', shape.finite, Number.NaN, 'x'],
    ['one of some words', shape.oneOf(['a', 'b']), 'toString', 'x'],
    ['a list', shape.list(shape.text), ['a', 3], 'x[1]'],
    ['a list of objects', shape.list(part), [{ id: 'a' }, { id: 'b', size: -1 }], 'x[1].size'],
    ['no list', shape.list(part), { length: 0 }, 'x'],
    ['a pair', shape.pair(shape.count), [1], 'x'],
    ['a record', shape.record(shape.flag), { a: true, b: 1 }, 'x.b'],
    ['an object', part, [], 'x'],
    ['a missing member', part, {}, 'x.id'],
    ['part of an object', shape.partial(part), { id: 3 }, 'x.id'],
  ])('name the path of what is wrong: %s', (_, known, value, field) => {
    expect(fieldOf(known, value)).toBe(field)
  })

  it('refuse unknown members only where they are told to', () => {
    expect(fieldOf(part, { id: 'a', colour: 'red' })).toBe('nothing')
    expect(fieldOf(part, { id: 'a', colour: 'red' }, true)).toBe('x.colour')
    expect(fieldOf(shape.list(part), [{ id: 'a', colour: 'red' }], true)).toBe('x[0].colour')
  })

  it('say the same as JSON Schema', () => {
    expect(part.schema).toEqual({
      type: 'object',
      properties: { id: { type: 'string', minLength: 1 }, size: { type: 'integer', minimum: 0, maximum: 1e9 } },
      required: ['id'],
      additionalProperties: false,
    })
  })
})
