import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { argumentsProblem } from '../../../tools/index.ts'
import { smallestValue } from './smallest-value.ts'

/** What the checker of tool arguments says of a schema's smallest value. */
function problemOf(schema: JsonObject, $defs: JsonObject = {}): string | undefined {
  const whole = { type: 'object', properties: { value: schema }, required: ['value'], $defs }
  return argumentsProblem(whole, JSON.stringify(smallestValue(whole)))
}

describe('the smallest value', () => {
  const cases: readonly (readonly [JsonValue, JsonValue])[] = [
    [{ type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] }, { a: '' }],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 0],
    [{ anyOf: [false, { type: 'array', minItems: 1, items: false }, { type: 'null' }] }, null],
    [{ oneOf: [{ type: 'boolean' }, { type: 'string' }] }, false],
    [{ allOf: [{ required: ['a'] }, { properties: { a: { minimum: 3 } } }] }, { a: 3 }],
    [{ allOf: [{ type: ['number', 'null'] }, { type: 'integer', minimum: 0.5 }] }, 1],
    [{ allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['c', 'b'] }] }, 'b'],
    [{ const: 'only' }, 'only'],
    [{ const: null }, null],
    [{ type: 'string', enum: [3, 'three'] }, 'three'],
    [{ type: ['string', 'null'] }, ''],
    [{ type: ['null', 'string'] }, null],
    [{ type: 'STRING', nullable: true }, ''],
    [{ type: 'ARRAY', minItems: '2', items: { type: 'INTEGER' } }, [0, 0]],
    [{ type: 'string', minLength: 3 }, 'xxx'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 1],
    [{ type: 'number', maximum: -2 }, -2],
    [{ type: 'integer', exclusiveMaximum: -2 }, -3],
    [{ type: 'integer', minimum: 5, multipleOf: 4 }, 8],
    [{ type: 'integer', minimum: 1, multipleOf: 1.5 }, 3],
    [{ type: 'number', minimum: 0.25, multipleOf: 0.1 }, 0.3],
    [{ type: 'number', minimum: -0.5, multipleOf: 1 }, 0],
    [{ type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], minItems: 2, maxItems: 2 }, [0, '']],
    [{ type: 'array', uniqueItems: true, minItems: 3, items: { type: 'string' } }, ['', '1', '2']],
    [{ type: 'object', minProperties: 1, additionalProperties: { type: 'integer' } }, { member1: 0 }],
    [
      { required: ['a'], dependentRequired: { a: ['b'] }, properties: { a: { const: 1 }, b: { const: 2 } } },
      { a: 1, b: 2 },
    ],
    [{ type: 'string', format: 'date-time' }, '1970-01-01T00:00:00Z'],
    [{ type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000000'],
    [{ type: 'string', format: 'email' }, 'user@example.com'],
    [{ type: 'string', format: 'uri' }, 'https://example.com/'],
    [{ type: 'string', format: 'unheard-of', minLength: 1 }, 'x'],
    [{ type: 'string', pattern: '^[A-Z]{2}-\\d+$' }, 'AA-0'],
    [{ type: 'string', pattern: '^(?:red|blue)$', format: 'color' }, 'red'],
    [{ type: 'string', pattern: '^[a-c]+$', minLength: 4 }, 'aaaa'],
    [{ type: 'string', pattern: '^(?!a)b', minLength: 2 }, 'xx'],
  ]

  it.each(cases)('of %j is %j', (schema, value) => expect(smallestValue(schema)).toEqual(value))

  it("reads what Anthropic's SDKs move into descriptions", () => {
    const inJavaScript = { type: 'string', description: 'A kind.\n\n{minLength: 3, pattern: "^[a-z, ]+$"}' }
    const inPython = { type: 'string', description: '{const: letter, default: None}' }
    const items = { type: 'integer', description: '{minimum: 2, multipleOf: 2}' }
    expect(smallestValue(inJavaScript)).toBe('aaa')
    expect(smallestValue(inPython)).toBe('letter')
    expect(smallestValue({ type: 'integer', description: '{const: 3}' })).toBe(3)
    expect(smallestValue({ type: 'array', items, description: '{minItems: 2, maxItems: 3}' })).toEqual([2, 2])
    expect(smallestValue({ type: 'string', description: 'A set {minLength: 3} of words' })).toBe('')
  })

  it('finds references in the document', () => {
    const $defs = { 'color': { enum: ['red'] }, 'a/b': { type: 'integer', minimum: 2 } }
    const properties = { color: { $ref: '#/$defs/color', description: 'Of it.' }, count: { $ref: '#/$defs/a~1b' } }
    expect(smallestValue({ properties, required: ['color', 'count'], $defs })).toEqual({ color: 'red', count: 2 })
    expect(smallestValue({ $ref: '#/$defs/color' }, { $defs })).toBe('red')
  })

  it('ends in recursive schemas', () => {
    const node = {
      properties: {
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
        next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      },
      required: ['children', 'next'],
    }
    expect(smallestValue({ $ref: '#/$defs/node', $defs: { node } })).toEqual({ children: [], next: null })
    expect(smallestValue({ properties: { self: { $ref: '#' } }, required: ['self'] })).toEqual({})
    expect(smallestValue({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })).toEqual(
      {},
    )
  })

  it('ends within a bound for schemas that grow without one', () => {
    const $defs: Record<string, JsonValue> = { d0: false }
    for (let at = 1; at <= 60; at += 1) {
      const $ref = `#/$defs/d${at - 1}`
      $defs[`d${at}`] = { anyOf: [{ $ref }, { $ref }] }
    }
    const many = (levels: number): JsonValue =>
      levels === 0 ? { type: 'null' } : { type: 'array', minItems: 100_000, items: many(levels - 1) }
    const hostile: readonly JsonValue[] = [
      { $ref: '#/$defs/d60', $defs },
      many(5),
      { type: 'string', minLength: 1e12 },
      { type: 'string', pattern: '((a{99999}){99999}){99999}', minLength: 1 },
      { type: 'object', minProperties: 1e12 },
      { type: 'array', uniqueItems: true, minItems: 100_000, items: { type: 'boolean' } },
    ]
    const before = performance.now()
    for (const schema of hostile) smallestValue(schema)
    expect(performance.now() - before).toBeLessThan(2000)
  })
})

const bound = fc.integer({ min: -20, max: 20 })

const numberSchema = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.option(bound, { nil: undefined }),
    room: fc.option(fc.integer({ min: 6, max: 20 }), { nil: undefined }),
    multipleOf: fc.option(fc.constantFrom(1, 2, 3, 0.5), { nil: undefined }),
    isOpen: fc.boolean(),
  })
  .map(({ type, minimum, room, multipleOf, isOpen }) => ({
    type,
    ...(minimum !== undefined && { [isOpen ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(room !== undefined && { [isOpen ? 'exclusiveMaximum' : 'maximum']: (minimum ?? -room) + room }),
    ...(multipleOf !== undefined && { multipleOf }),
  }))

const textSchema = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 9 }) }),
  fc.record({
    type: fc.constant('string'),
    pattern: fc.constantFrom(
      '^\\d{3}-[a-f]+$',
      '^(?:a|bc)*d?$',
      'x.y',
      '^[^a-z]{2,}$',
      '^\\w+@\\w+\\.(com|org)$',
      '\\$[1-9]',
    ),
  }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('date-time', 'date', 'uuid', 'email', 'uri') }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 3, null, true), { minLength: 1 }) }),
  fc.record({ const: fc.constantFrom('only', 7, null, false) }),
)

const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const part = tie('schema')
  const objectSchema = fc
    .record({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), part),
      required: fc.subarray(['a', 'b', 'c', 'd']),
      minProperties: fc.nat(4),
    })
    .map((own) => ({ type: 'object', ...own }))
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      numberSchema,
      textSchema,
      fc.constantFrom<JsonObject>(
        { type: 'boolean' },
        { type: ['null', 'string'] },
        { $ref: '#/$defs/node' },
        { $ref: '#/$defs/color' },
      ),
      objectSchema,
      fc.record({ type: fc.constant('array'), items: part, minItems: fc.nat(3) }),
      fc
        .record({ type: fc.constant('array'), prefixItems: fc.array(part, { maxLength: 3 }) })
        .map((own) => ({ ...own, minItems: own.prefixItems.length })),
      fc.record({ anyOf: fc.array(part, { minLength: 1, maxLength: 3 }) }),
      fc
        .tuple(objectSchema, part)
        .map(([base, more]) => ({ allOf: [base, { properties: { d: more }, required: ['d'] }] })),
      fc.record({
        anyOf: fc.tuple(
          fc.constant<JsonObject>({
            type: 'array',
            minItems: 1,
            items: { allOf: [{ type: 'null' }, { type: 'string' }] },
          }),
          part,
        ),
      }),
    ) as fc.Arbitrary<JsonObject>,
  }
})

const shared: JsonObject = {
  color: { enum: ['red', 'green'], type: 'string' },
  node: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
    },
    required: ['name', 'next'],
    additionalProperties: false,
  },
}

describe('of schemas without end', () => {
  it('is accepted by the checker of arguments', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(problemOf(schema, shared)).toBeUndefined()
      }),
    )
  })

  it('is accepted by Zod, which judges formats, too', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const whole = { type: 'object', properties: { value: schema }, required: ['value'], $defs: shared }
        const judged = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]).safeParse(smallestValue(whole))
        expect(judged.error).toBeUndefined()
      }),
    )
  })
})
