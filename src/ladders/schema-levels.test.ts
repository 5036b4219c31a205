import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { schemaAtLevel } from './schema-levels.ts'

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'bookArguments',
  type: 'object',
  properties: {
    title: { type: 'string', title: 'Title', description: '  The   title.\n  Shown to the reader. ' },
    description: { type: 'string', enum: ['a', 'b'], examples: ['a'] },
    seats: {
      type: 'array',
      items: {
        type: 'object',
        properties: { row: { type: 'integer', minimum: 1, description: 'Row.' } },
        required: ['row'],
      },
    },
    note: { anyOf: [{ type: 'string', description: 'x' }, { type: 'null' }], default: null },
  },
  required: ['title', 'seats'],
  additionalProperties: false,
}
const elements = {
  openai: {
    type: 'function',
    function: { name: 'book', description: 'Books a seat. Slow.', parameters: schema, strict: true },
  },
  anthropic: {
    name: 'book',
    description: 'Books a seat. Slow.',
    input_schema: schema,
    cache_control: { type: 'ephemeral' },
  },
  mcp: { name: 'book', description: 'Books a seat. Slow.', inputSchema: schema },
}

function atLevel(element: unknown, level: 'minify' | 'truncate' | 'required'): unknown {
  return JSON.parse(schemaAtLevel(JSON.stringify(element, null, 2), level) ?? 'null')
}

describe('schemaAtLevel', () => {
  it('C-015: minify keeps every constraint and every word', () => {
    const { $schema, title, ...kept } = schema
    expect([$schema, title]).toHaveLength(2)
    const properties = {
      ...schema.properties,
      title: { type: 'string', description: 'The   title.\nShown to the reader.' },
    }
    const expected = { ...kept, properties }
    expect(atLevel(elements.openai, 'minify')).toEqual({
      ...elements.openai,
      function: { ...elements.openai.function, parameters: expected },
    })
    expect(atLevel(elements.anthropic, 'minify')).toEqual({ ...elements.anthropic, input_schema: expected })
    expect(atLevel(elements.mcp, 'minify')).toEqual({ ...elements.mcp, inputSchema: expected })
  })

  it('C-015: truncate drops explanations, keeps types, required, enums and bounds', () => {
    expect(atLevel(elements.anthropic, 'truncate')).toEqual({
      name: 'book',
      description: 'Books a seat. Slow.',
      input_schema: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          description: { type: 'string', enum: ['a', 'b'] },
          seats: {
            type: 'array',
            items: { type: 'object', properties: { row: { type: 'integer', minimum: 1 } }, required: ['row'] },
          },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        },
        required: ['title', 'seats'],
        additionalProperties: false,
      },
      cache_control: { type: 'ephemeral' },
    })
  })

  it('C-015: required leaves the fields that must be given, by name and type, and the first sentence', () => {
    expect(atLevel(elements.anthropic, 'required')).toEqual({
      name: 'book',
      description: 'Books a seat.',
      input_schema: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          seats: {
            type: 'array',
            items: { type: 'object', properties: { row: { type: 'integer', minimum: 1 } }, required: ['row'] },
          },
        },
        required: ['title', 'seats'],
        additionalProperties: false,
      },
      cache_control: { type: 'ephemeral' },
    })
  })

  it('C-015: minify and truncate accept and refuse the same calls as the whole', () => {
    const calls = [
      { title: 'Faust', seats: [{ row: 3 }] },
      { title: 'Faust', seats: [{ row: 0 }] },
      { title: 'Faust', seats: [], note: null, description: 'a' },
      { title: 'Faust', seats: [], description: 'c' },
      { title: 'Faust' },
      { title: 7, seats: [] },
      { title: 'Faust', seats: [], more: true },
    ]
    const verdicts = (level: 'minify' | 'truncate' | 'none'): readonly boolean[] => {
      const { input_schema: of } = JSON.parse(schemaAtLevel(JSON.stringify(elements.anthropic), level)!) as {
        readonly input_schema: Parameters<typeof z.fromJSONSchema>[0]
      }
      return calls.map((call) => z.fromJSONSchema(of).safeParse(call).success)
    }
    expect(verdicts('none')).toEqual([true, false, true, false, false, false, false])
    expect(verdicts('minify')).toEqual(verdicts('none'))
    expect(verdicts('truncate')).toEqual(verdicts('none'))
  })

  it('B-41: aggressive is one line of text with the required fields', () => {
    expect(schemaAtLevel(JSON.stringify(elements.openai), 'aggressive')).toBe(
      'book - Books a seat. Slow. | title=string seats=object[]',
    )
  })

  it('levels get smaller, and what is no definition is left alone', () => {
    const text = JSON.stringify(elements.openai, null, 2)
    const sizes = (['none', 'minify', 'truncate', 'required', 'aggressive'] as const).map(
      (level) => schemaAtLevel(text, level)?.length ?? 0,
    )
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    for (const broken of ['', '{', '[]', '{"name":7}', 'null']) expect(schemaAtLevel(broken, 'minify')).toBeUndefined()
  })

  it('keeps references between schemas', () => {
    const element = {
      name: 'n',
      parameters: { $defs: { a: { type: 'string', description: 'x' } }, properties: { b: { $ref: '#/$defs/a' } } },
    }
    expect(atLevel(element, 'truncate')).toEqual({
      name: 'n',
      parameters: { $defs: { a: { type: 'string' } }, properties: { b: { $ref: '#/$defs/a' } } },
    })
  })
})
