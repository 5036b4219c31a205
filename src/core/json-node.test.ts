import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeString, decodeValue } from './json-node.ts'
import { scanJson } from './scan-json.ts'

describe('decodeString', () => {
  it('reads every string as JSON.parse does, escapes or none', () => {
    const string = fc.string({
      unit: fc.oneof(fc.constantFrom('\\', '"', '\n', 'a', 'ä', '\ud800', '😀'), fc.string()),
    })
    fc.assert(
      fc.property(string, fc.boolean(), (value, isEscaped) => {
        const plain = JSON.stringify(value)
        const literal = isEscaped ? plain.replaceAll('a', String.raw`\u0061`) : plain
        const tree = scanJson(` ${literal} `)
        expect(decodeString(tree, tree.root)).toBe(JSON.parse(literal))
        expect(decodeValue(tree, tree.root)).toBe(value)
      }),
    )
  })
})
