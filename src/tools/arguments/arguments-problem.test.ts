import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../core/index.ts'
import { argumentsProblem } from './arguments-problem.ts'

const search: JsonValue = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    sort: { enum: ['newest', 'oldest', 'stars'] },
    filters: { type: 'array', items: { $ref: '#/$defs/filter' }, maxItems: 3, uniqueItems: true },
    at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['query'],
  additionalProperties: false,
  $defs: { filter: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
}

function problem(value: unknown, schema: JsonValue = search) {
  return argumentsProblem(schema, JSON.stringify(value))
}

describe('arguments that fit', () => {
  test.each([
    [{ query: 'x' }],
    [{ query: 'x', limit: 50, sort: 'stars', filters: [{ name: 'a' }, { name: 'b', more: 1 }], at: null }],
  ])('%j', (value) => expect(problem(value)).toBeUndefined())

  test('an empty text stands for no arguments', () => {
    expect(argumentsProblem({ type: 'object' }, ' ')).toBeUndefined()
    expect(argumentsProblem(search, '')).toContain('`query` must be given: it is required (type string)')
  })
})

describe('what is wrong names the path, what is allowed and the remedy', () => {
  test.each([
    [{ query: 3 }, '`query` must be a text; given: the number 3.'],
    [{ query: '' }, '`query` must be a text of at least 1 characters; given: 0 characters.'],
    [{ query: 'x', limit: 1.5 }, '`limit` must be a whole number; given: the number 1.5.'],
    [{ query: 'x', limit: 51 }, '`limit` must be a number of at most 50; given: the number 51.'],
    [
      { query: 'x', sort: 'star' },
      '`sort` must be one of "newest", "oldest", "stars" (Did you mean stars?); given: the text "star".',
    ],
    [{ query: 'x', filters: [{ name: 'a' }, {}] }, '`filters[1].name` must be given: it is required (type string)'],
    [{ query: 'x', filters: [{ name: 'a' }, { name: 'a' }] }, '`filters` must be a list without repeated elements'],
    [{ query: 'x', at: 3 }, '`at` must be a text or null; given: the number 3.'],
    [{ query: 'x', limits: 3 }, '`limits` must be left out: Did you mean limit? The parameters are query, limit, sort'],
  ])('%j', (value, words) => {
    expect(problem(value)).toContain(words)
    expect(problem(value)).toMatch(/Correct this and call the tool again\.$/)
  })

  test('several faults are named at once', () => {
    expect(problem({ limit: 'many', sort: 1 })).toMatch(/`query` .*`limit` .*`sort` /)
  })

  test('no JSON, or no object', () => {
    expect(argumentsProblem(search, '{"query": "x')).toContain('no JSON')
    expect(argumentsProblem(search, '[1]')).toContain('one JSON object')
  })

  test('of alternatives the one that the value is like is judged', () => {
    const schema: JsonValue = {
      properties: { to: { oneOf: [{ type: 'string' }, { type: 'object', required: ['id'] }] } },
    }
    expect(problem({ to: {} }, schema)).toContain('`to.id` must be given')
  })

  test('conditions, exclusions and older drafts', () => {
    const schema: JsonValue = {
      if: { properties: { kind: { const: 'file' } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['path'] },
      properties: { share: { minimum: 0, exclusiveMinimum: true }, not: { not: { type: 'string' } } },
    }
    expect(problem({ kind: 'file' }, schema)).toContain('`path`')
    expect(problem({ kind: 'text', share: 0 }, schema)).toContain('a number above 0')
    expect(problem({ kind: 'text', not: 'x' }, schema)).toContain('`not` must be another value')
  })

  test('long values stand in no message', () => {
    const told = problem({ query: ['x'], sort: 'y'.repeat(5_000) }) ?? ''
    expect(told.length).toBeLessThan(500)
  })
})

function doubling(levels: number): JsonValue {
  const $defs: Record<string, JsonValue> = { d0: { type: 'string' } }
  for (let at = 1; at <= levels; at += 1) {
    const $ref = `#/$defs/d${at - 1}`
    $defs[`d${at}`] = { anyOf: [{ $ref }, { $ref }] }
  }
  return { $defs, properties: { x: { $ref: `#/$defs/d${levels}` } } }
}

function deep(levels: number): JsonValue {
  let schema: JsonValue = { type: 'string' }
  for (let at = 0; at < levels; at += 1) schema = { allOf: [schema] }
  return schema
}

describe('hostile schemas are bounded, and accept what they cannot judge', () => {
  test.each<[string, JsonValue, unknown]>([
    ['a reference to itself', { $ref: '#' }, { x: 1 }],
    [
      'references in a circle',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
      {},
    ],
    ['a reference that leads nowhere', { $ref: '#/nowhere' }, {}],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, {}],
    ['alternatives that double at each level', doubling(40), { x: 1 }],
    [
      'an expression that backtracks for hours',
      { properties: { x: { pattern: '^(a+)+$' } } },
      { x: `${'a'.repeat(40)}b` },
    ],
    ['many repetitions in a row', { properties: { x: { pattern: 'a*a*a*a*a*b' } } }, { x: 'a'.repeat(5_000) }],
    ['an expression that is none', { properties: { x: { pattern: '(' } } }, { x: 'a' }],
    ['malformed keywords', { type: 7, required: 'x', properties: [], enum: 'no', items: 4, minLength: 'a' }, { x: 1 }],
    ['a schema that is a text', 'no schema', { x: 1 }],
    ['a schema deeper than any', deep(10_000), {}],
  ])('%s', (_, schema, value) => {
    const before = performance.now()
    expect(problem(value, schema)).toBeUndefined()
    expect(performance.now() - before).toBeLessThan(500)
  })

  test('arguments that are enormous or deep are judged in bounded time', () => {
    const schema: JsonValue = { properties: { x: { type: 'array', uniqueItems: true, items: { type: 'integer' } } } }
    const before = performance.now()
    problem({ x: Array.from({ length: 100_000 }, (_, at) => at) }, schema)
    argumentsProblem({ additionalProperties: { $ref: '#' } }, '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000))
    expect(performance.now() - before).toBeLessThan(1_500)
  })

  test('names of the prototype are names like any other', () => {
    const schema: JsonValue = { properties: { constructor: { type: 'string' } }, required: ['toString'] }
    expect(argumentsProblem(schema, '{"constructor":1}')).toContain('`toString` must be given')
    expect(argumentsProblem({ type: 'object' }, '{"__proto__":1}')).toBeUndefined()
  })

  test('a schema is not changed, and a frozen one works', () => {
    expect(problem({ query: 'x' }, Object.freeze(structuredClone(search)))).toBeUndefined()
  })

  test('a recursive schema is judged as deep as the arguments go', () => {
    const tree: JsonValue = { properties: { name: { type: 'string' }, children: { items: { $ref: '#' } } } }
    expect(problem({ children: [{ name: 'a', children: [{ name: 7 }] }] }, tree)).toContain(
      '`children[0].children[0].name` must be a text',
    )
  })
})
