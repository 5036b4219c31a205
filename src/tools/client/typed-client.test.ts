import ts from 'node:module'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../core/index.ts'
import { registryEntry, typedClient } from '../index.ts'

function clientOf(name: string, inputSchema: JsonValue, description = 'Opens an issue.') {
  const one = registryEntry({ name, description, inputSchema }, { server: 'github', protocol: 'mcp' })
  if ('refused' in one) throw new Error(one.refused)
  return typedClient({ ...one.tool, calledAs: name })
}

test('M-05: a typed function of the arguments of a tool', () => {
  const text = clientOf('create_issue', {
    type: 'object',
    properties: {
      title: { type: 'string' },
      labels: { type: 'array', items: { type: 'string' } },
      state: { enum: ['open', 'closed'] },
      at: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      place: { type: 'object', properties: { 'odd "name"': { type: 'boolean' } } },
    },
    required: ['title'],
  })
  expect(text).toContain(`export type CreateIssueArguments = {
  readonly "title": string
  readonly "labels"?: readonly (string)[]
  readonly "state"?: "open" | "closed"
  readonly "at"?: number | null
  readonly "place"?: {
    readonly "odd \\"name\\""?: boolean
  }
}`)
  expect(text).toContain('export async function create_issue(given: CreateIssueArguments')
  expect(() => ts.stripTypeScriptTypes(text)).not.toThrow()
})

test('what a server writes never becomes code', () => {
  const text = clientOf(
    'delete',
    { type: 'object', properties: { 'x: string }; process.exit(1); type A = {': {}, '\u2028': { const: '`${1}`' } } },
    'Ends. */ process.exit(1) /*',
  )
  const code = ts.stripTypeScriptTypes(text)
  expect(code).toContain('async function _delete(')
  expect(code).not.toMatch(/^[^'"`*]*process\.exit/m)
})
