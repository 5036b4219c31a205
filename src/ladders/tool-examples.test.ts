import { describe, expect, it } from 'vitest'
import { schemaAtLevel } from './schema-levels.ts'
import { withoutExamples } from './tool-examples.ts'

describe('a description without its examples', () => {
  it.each([
    ['Looks things up.\n\nExamples:\n- one\n- two\n\nReturns a list.', 'Looks things up.\n\n\nReturns a list.'],
    ['Runs it.\nExample: run("a")\nReturns: the code.', 'Runs it.\nReturns: the code.'],
    ['Runs it.\n## Example 2\n```\nArgs: a\n\nb\n```\n\nArgs: x', 'Runs it.\n\nArgs: x'],
    ['A <example>run("a")</example>b.', 'A b.'],
    ['A <example>that nobody closes.', 'A <example>that nobody closes.'],
    ['For example, it takes a path.', 'For example, it takes a path.'],
    ['Give examples of words where asked.', 'Give examples of words where asked.'],
  ])('%j', (text, plain) => {
    expect(withoutExamples(text)).toBe(plain)
  })

  it('takes time in proportion to the text, whatever the text is', () => {
    const hostile = '<example>'.repeat(20_000) + 'Example'.repeat(20_000) + '\n```'.repeat(20_000)
    const started = performance.now()
    withoutExamples(hostile)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

it('B-62: without examples a definition accepts the same calls', () => {
  const parameters = {
    type: 'object',
    properties: { examples: { type: 'string', description: 'Path.', examples: ['/a'] }, at: { type: 'integer' } },
    required: ['examples'],
  }
  const definition = {
    name: 'look',
    description: 'Looks.\n\nExample:\nlook(1)',
    input_schema: parameters,
    input_examples: [1],
  }
  expect(JSON.parse(schemaAtLevel(JSON.stringify(definition), 'unexampled') ?? '')).toEqual({
    name: 'look',
    description: 'Looks.',
    input_schema: {
      type: 'object',
      properties: { examples: { type: 'string', description: 'Path.' }, at: { type: 'integer' } },
      required: ['examples'],
    },
  })
})
