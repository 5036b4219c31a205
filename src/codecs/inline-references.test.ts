import { expect, it } from 'vitest'
import type { JsonValue } from '../core/index.ts'
import { inlineReferences } from './inline-references.ts'

const dock = { type: 'object', properties: { name: { type: 'string' } }, description: 'A dock.' }

it('definitions stand where they are referred to, under what stands beside the reference', () => {
  const schema = {
    type: 'object',
    properties: {
      from: { $ref: '#/$defs/Dock', description: 'Where from.' },
      to: { anyOf: [{ $ref: '#/definitions/Other' }, { type: 'null' }] },
      again: { type: 'array', items: { $ref: '#/properties/from' } },
    },
    $defs: { Dock: dock },
    definitions: { Other: { $ref: '#/$defs/Dock' } },
  }
  const from = { ...dock, description: 'Where from.' }
  expect(inlineReferences(schema)).toEqual({
    type: 'object',
    properties: { from, to: { anyOf: [dock, { type: 'null' }] }, again: { type: 'array', items: from } },
  })
})

it('a definition that holds itself is referred to, by a reference that stands alone', () => {
  const node = {
    type: 'object',
    properties: { next: { $ref: '#/definitions/Node', description: 'Next.' }, at: { $ref: '#/definitions/Dock' } },
  }
  const schema = {
    type: 'object',
    properties: { first: { $ref: '#/definitions/Node' } },
    definitions: { Node: node, Dock: dock },
  }
  const shown = { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, at: dock } }
  expect(inlineReferences(schema)).toEqual({
    type: 'object',
    properties: { first: shown },
    $defs: { Node: shown },
  })
})

it('data and names of properties are no references', () => {
  const schema = {
    type: 'object',
    properties: { $ref: { type: 'string', default: { $ref: '#/$defs/Dock' } }, dock: { $ref: '#/$defs/Dock' } },
    $defs: { Dock: dock },
  }
  expect(inlineReferences(schema)).toEqual({
    type: 'object',
    properties: { $ref: { type: 'string', default: { $ref: '#/$defs/Dock' } }, dock },
  })
})

it('what refers to nothing says the rest, and a schema without references is the same', () => {
  expect(inlineReferences({ properties: { a: { $ref: '#/$defs/None', description: 'A.' } } })).toEqual({
    properties: { a: { description: 'A.' } },
  })
  expect(inlineReferences(dock)).toBe(dock)
})

it('a schema that would grow beyond all bounds keeps its references', () => {
  const level = (at: number): JsonValue => ({
    type: 'object',
    properties: Object.fromEntries([1, 2, 3, 4].map((name) => [`p${name}`, { $ref: `#/$defs/L${at + 1}` }])),
  })
  const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`L${at + 1}`, level(at + 1)]))
  const schema: JsonValue = {
    type: 'object',
    properties: { top: { $ref: '#/$defs/L1' } },
    $defs: { ...$defs, L13: dock },
  }
  expect(inlineReferences(schema)).toBe(schema)
})
