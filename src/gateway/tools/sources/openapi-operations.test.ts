import { expect, test } from 'vitest'
import type { JsonObject } from '../../../core/index.ts'
import { addressOf } from './http-call.ts'
import { openApiOperations } from './openapi-operations.ts'

const pets: JsonObject = {
  openapi: '3.0.3',
  paths: {
    '/pets/{petId}': {
      parameters: [
        { $ref: '#/components/parameters/PetId' },
        { name: 'trace', in: 'header', schema: { type: 'string' } },
      ],
      get: { operationId: 'showPet', summary: 'Shows a pet.', description: 'All of it.', tags: ['pets', 3] },
      put: {
        operationId: 'pets/update',
        requestBody: {
          required: true,
          content: { 'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
      },
    },
    '/pets': {
      get: {
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: true,
            description: 'How many.',
            schema: { type: 'integer', example: 3 },
          },
          { name: 'session', in: 'cookie', schema: {} },
          { name: 'Authorization', in: 'header', schema: {} },
          null,
        ],
      },
      post: { operationId: 'upload', requestBody: { content: { 'image/png': {} } } },
    },
  },
  components: {
    parameters: { PetId: { name: 'petId', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Pet: {
        type: 'object',
        properties: { name: { type: 'string', nullable: true }, owner: { $ref: '#/components/schemas/Owner' } },
      },
      Owner: { type: 'object', properties: { pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } } },
    },
  },
}

const operations = openApiOperations(pets, 'https://pets.example/v1')
const named = (name: string) => operations.find(({ tool }) => tool.name === name)!

test('each operation is a tool, with a name that a tool may have', () => {
  expect(operations.map(({ tool: { name }, binding }) => `${name} ${binding.method} ${binding.url}`)).toEqual([
    'showPet GET https://pets.example/v1/pets/{petId}',
    'pets_update PUT https://pets.example/v1/pets/{petId}',
    'get_pets GET https://pets.example/v1/pets',
    'upload POST https://pets.example/v1/pets',
  ])
})

test('parameters of a path are those of its operations; cookies and fixed headers are nobody’s to choose', () => {
  expect(named('showPet').tool).toEqual({
    name: 'showPet',
    description: 'Shows a pet.\nAll of it.',
    inputSchema: {
      type: 'object',
      properties: { petId: { type: 'string' }, trace: { type: 'string' } },
      required: ['petId'],
    },
    idempotent: true,
    categories: ['pets'],
  })
  expect(named('get_pets').tool.inputSchema).toEqual({
    type: 'object',
    properties: { limit: { description: 'How many.', type: 'integer' } },
    required: ['limit'],
  })
})

test('a body is one argument; what its schema refers to comes along, circles included', () => {
  const { tool, places } = named('pets_update')
  expect(tool.inputSchema).toMatchObject({
    properties: { body: { $ref: '#/$defs/Pet' } },
    required: ['petId', 'body'],
    $defs: {
      Pet: { properties: { name: { type: ['string', 'null'] }, owner: { $ref: '#/$defs/Owner' } } },
      Owner: { properties: { pets: { items: { $ref: '#/$defs/Pet' } } } },
    },
  })
  expect(places).toEqual({ query: [], headers: ['trace'], body: 'body' })
})

test('arguments are put into the address, each where it belongs', () => {
  const { binding, places } = named('showPet')
  const signal = new AbortController().signal
  const given = { petId: 'a b/../c?d', trace: 'x' }
  expect(addressOf({ binding, places, arguments: given, signal }).href).toBe(
    'https://pets.example/v1/pets/a%20b%2F..%2Fc%3Fd',
  )
  const list = named('get_pets')
  expect(addressOf({ ...list, arguments: { limit: [1, 2] }, signal }).search).toBe('?limit=1&limit=2')
})
