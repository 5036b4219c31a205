import { expect, it } from 'vitest'
import { isOwnId } from './own-ids.ts'

it.each([
  'call_5JgLPB7mkwOqvHbWeFk0y3rd',
  'toolu_01A09q90qw90lq917835lq9',
  'D681PevKs',
  'call_k3j9x2ab',
  'chatcmpl-tool-3f2a9c1b5d7e4f60',
  'call_00_aX4kQ9zBmN2pL7cV',
  'e0c8b3a4-7f21-4d6e-9b1a-2c3d4e5f6a7b',
])('an id that is drawn: %s', (id) => {
  expect(isOwnId(id)).toBe(true)
})

it.each([
  '',
  'call_0',
  'call_12',
  'call_00000001',
  'functions.read_file:0',
  'tool-call-7',
  'readfile1',
  'toolu_1',
  '1732240000123',
])('an id that is counted, or says what is called: %s', (id) => {
  expect(isOwnId(id)).toBe(false)
})
