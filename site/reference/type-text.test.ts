import { expect, it } from 'vitest'
import { kinds } from './model.ts'
import type { Node, Type } from './model.ts'
import { codeStyle, declarationText, typeText } from './type-text.ts'

const text: Type = { type: 'intrinsic', name: 'string' }
const literals = (...values: readonly unknown[]): Type => ({
  type: 'union',
  types: values.map((value) => ({ type: 'literal', value })),
})
const node = (name: string, more: Partial<Node> = {}): Node => ({ id: 0, name, kind: 0, flags: {}, ...more })
const object = (...children: readonly Node[]): Type => ({
  type: 'reflection',
  declaration: node('__type', { children }),
})
const arrow = (result: Type): Type => ({
  type: 'reflection',
  declaration: node('__type', { signatures: [node('__type', { type: result })] }),
})
const inCode = (type: Type): string => typeText(codeStyle, type)

it('writes literals as the source does', () => {
  expect(inCode(literals("it's", 1, true, null, { value: '9', negative: true }))).toBe(
    "'it\\'s' | 1 | true | null | -9n",
  )
})

it('puts parentheses around what a list or a union would split', () => {
  expect(inCode({ type: 'array', elementType: literals('a', 'b') })).toBe("('a' | 'b')[]")
  expect(inCode({ type: 'union', types: [arrow(text), { type: 'intrinsic', name: 'undefined' }] })).toBe(
    '(() => string) | undefined',
  )
  const list: Type = { type: 'typeOperator', operator: 'readonly', target: { type: 'array', elementType: text } }
  expect(inCode({ type: 'array', elementType: list })).toBe('(readonly string[])[]')
})

it('writes members with their modifiers, and quotes names that are no identifiers', () => {
  const members = object(
    node('id', { type: text, flags: { isReadonly: true } }),
    node('x-id', { type: text, flags: { isOptional: true } }),
  )
  expect(inCode(members)).toBe("{ readonly id: string; 'x-id'?: string }")
  expect(typeText({ ...codeStyle, modifiers: false }, members)).toBe("{ id: string; 'x-id'?: string }")
})

it('breaks what is longer than a line: a member, a parameter or a union on each', () => {
  const long = Array.from({ length: 6 }, (_, index) => node(`aLongMemberName${index}`, { type: text }))
  expect(inCode(object(...long)).split('\n')).toHaveLength(8)
  const texts = Array.from({ length: 30 }, (_, index) => `text-${index}`)
  for (const line of inCode(literals(...texts)).split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  const parameters = long.map((one) => ({ ...one, type: text }))
  const made = node('make', { kind: kinds.function, signatures: [node('make', { parameters, type: text })] })
  expect(declarationText(made)[0]?.split('\n')).toEqual([
    'function make(',
    ...long.map(({ name }) => `  ${name}: string,`),
    '): string',
  ])
})

it('names a parameter that is taken apart, and marks those that may be left out', () => {
  const parameters = [
    node('__namedParameters', { type: text }),
    node('most', { type: text, defaultValue: '3' }),
    node('rest', { type: { type: 'array', elementType: text }, flags: { isRest: true } }),
  ]
  const made = node('f', { kind: kinds.function, signatures: [node('f', { parameters, type: text })] })
  expect(declarationText(made)).toEqual(['function f(options: string, most?: string, ...rest: string[]): string'])
})

it('throws for a form of type that it does not know', () => {
  expect(() => inCode({ type: 'new-form' })).toThrow('new-form')
})
