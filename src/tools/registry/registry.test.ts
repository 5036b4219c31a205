import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../core/index.ts'
import { calledAs, definitionText, readToolEntry, readToolId, readToolList, registryEntry, toolLine } from '../index.ts'

const forecast = {
  name: 'get_forecast',
  description: 'Gives the weather of the days to come. It needs the name of a city.',
  inputSchema: {
    type: 'object',
    properties: { unit: { enum: ['C', 'F'] }, city: { type: 'string' }, days: { type: ['integer', 'null'] } },
    required: ['city'],
  },
} as const

function entered(more: object = {}) {
  return registryEntry({ ...forecast, ...more }, { server: 'weather', protocol: 'mcp' })
}

function toolOf(more: object = {}) {
  const one = entered(more)
  if ('refused' in one) throw new Error(one.refused)
  return { ...one.tool, calledAs: one.tool.name }
}

describe('G-024: an entry has every field, with its default', () => {
  test('of a tool that states little', () => {
    expect(toolOf()).toMatchObject({
      id: 'weather::get_forecast',
      level: 'protocol',
      purpose: 'Gives the weather of the days to come.',
      scopes: [],
      timeout: 'medium',
      idempotent: false,
      examples: [],
      categories: [],
      protocol: 'mcp',
      warnings: [],
    })
  })

  test('P-014: of one that states all', () => {
    const said = {
      level: 'core',
      purpose: 'Weather.',
      scopes: ['read'],
      timeout: 'fast',
      idempotent: true,
      examples: ['will it rain'],
      categories: ['weather'],
      errors: [{ code: 'no-city', retryable: false }],
      outputSchema: { type: 'object' },
    }
    expect(toolOf(said)).toMatchObject(said)
  })

  test('a long purpose ends at a word', () => {
    const { purpose } = toolOf({ description: 'many words '.repeat(50) })
    expect(purpose.length).toBeLessThanOrEqual(100)
    expect(purpose).toMatch(/ (?:many|words)\.\.\.$/)
  })
})

describe('what a source states is bounded', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }
  test.each<[string, JsonValue, RegExp]>([
    ['no object', 'text', /no object/],
    ['another type', { type: 'string' }, /not of the type object/],
    ['a type that there is not', { type: 'object', properties: { a: { type: 'strin' } } }, /a type that there is not/],
    ['properties that are a list', { type: 'object', properties: [] }, /properties that are no object/],
    ['required that is a text', { type: 'object', required: 'a' }, /no list of names/],
    ['a recursive schema', { type: 'object', properties: { a: node }, $defs: { node } }, /refers to itself/],
    ['a schema that is itself', { type: 'object', properties: { a: { $ref: '#' } } }, /refers to itself/],
  ])('%s becomes {} with a warning', (_, inputSchema, warning) => {
    const tool = toolOf({ inputSchema })
    expect(tool.inputSchema).toEqual({})
    expect(tool.warnings.join(' ')).toMatch(warning)
  })

  test('references that lead elsewhere in the schema stay', () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/id' }, b: { $ref: '#/$defs/id' } },
      $defs: { id: { type: 'string' } },
    }
    expect(toolOf({ inputSchema })).toMatchObject({ inputSchema, warnings: [] })
  })

  test('nesting of 100,000 levels is answered at once', () => {
    let inputSchema: JsonValue = {}
    for (let at = 0; at < 100_000; at += 1) inputSchema = { items: inputSchema }
    expect(toolOf({ inputSchema }).warnings[0]).toMatch(/nested deeper/)
  })

  test('more than 64 KB of schema is refused, and so is a name that no tool may have', () => {
    const properties = { a: { type: 'string', description: 'x'.repeat(70_000) } }
    expect(entered({ inputSchema: { type: 'object', properties } })).toMatchObject({ refused: /65536/ })
    for (const name of ['', 'a b', 'ignore\nall', '../up', 'x'.repeat(200)])
      expect(entered({ name })).toHaveProperty('refused')
  })
})

describe('names that models call tools by', () => {
  const of = (...ids: readonly string[]) => ids.map((id) => readToolId(id))

  test('a name that one server has alone is the name; a shared one has the server before it', () => {
    const names = calledAs(of('github::search', 'files::search', 'files::read'))
    expect(Object.fromEntries(names)).toEqual({
      'github::search': 'github__search',
      'files::search': 'files__search',
      'files::read': 'read',
    })
  })

  test('the order of tools changes nothing', () => {
    const ids = of('b::x', 'a::x', 'c::y', 'a::z.z', 'b::z_z')
    const sorted = (names: ReadonlyMap<string, string>) =>
      [...names].toSorted(([one], [other]) => (one < other ? -1 : 1))
    expect(sorted(calledAs(ids.toReversed()))).toEqual(sorted(calledAs(ids)))
  })

  test('shadowing: a name stays with the tool that had it first, also while its server is away', () => {
    const given = new Map([['bank::pay', 'pay']])
    expect(calledAs(of('evil::pay'), given).get('evil::pay')).toBe('evil__pay')
    expect(calledAs(of('evil::pay', 'bank::pay'), given).get('bank::pay')).toBe('pay')
  })

  test('no tool stands in for one of the gateway', () => {
    expect(calledAs(of('evil::rehydrate', 'evil::execute_tool')).get('evil::rehydrate')).toBe('evil__rehydrate')
  })

  test('long names and names with other characters are made to fit, and stay apart', () => {
    const long = 'x'.repeat(100)
    const names = [...calledAs(of(`a::${long}`, `a::${long}y`, 'a::v1/items.list')).values()]
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/)
  })
})

describe('reading', () => {
  test.each([
    [{}, /description/],
    [{ description: 'x', inputSchema: 'x' }, /JSON Schema/],
    [{ description: 'x', level: 'top' }, /core, protocol, complex/],
    [{ description: 'x', descripton: 'y' }, /descripton/],
    [{ description: 'x', http: { url: 'file:///etc/passwd' } }, /http or https/],
    [{ description: 'x', http: { url: 'https://{host}/x' } }, /http or https/],
    [{ description: 'x', http: { url: 'https://user:secret@host/x' } }, /http or https/],
    [{ description: 'x', purpose: 'y'.repeat(101) }, /100 characters/],
  ])('%j is refused by its member', (value, message) => {
    expect(() => readToolEntry(value, 'body')).toThrow(message)
  })

  test('a file has a list, or an object with one', () => {
    expect(readToolList([forecast], 'file')).toEqual([forecast])
    expect(readToolList({ tools: [forecast] }, 'file')).toEqual([forecast])
    expect(() => readToolList({ tools: [{ description: 'x' }] }, 'file')).toThrow(/name/)
  })

  test('an id is a server and a name', () => {
    expect(readToolId('a::b')).toEqual({ server: 'a', name: 'b' })
    expect(readToolId('b')).toEqual({ server: 'own', name: 'b' })
    for (const id of ['', '::a', 'A::b', 'a::', 'a::b::c', 'a::../b']) expect(() => readToolId(id)).toThrow(/id/)
  })
})

test('A-056: one line tells name, parameters, required ones first, and what it is for', () => {
  expect(toolLine(toolOf())).toBe(
    'get_forecast(city: string, unit?: "C"|"F", days?: integer|null): Gives the weather of the days to come.',
  )
  expect(toolLine(toolOf({ inputSchema: undefined }))).toBe('get_forecast(): Gives the weather of the days to come.')
})

test('the text of a definition changes with what a model reads, and with nothing else', () => {
  const same = { ...forecast, level: 'core', examples: ['x'] } as const
  expect(definitionText(same)).toBe(definitionText(forecast))
  expect(definitionText({ ...forecast, description: 'Other.' })).not.toBe(definitionText(forecast))
})
