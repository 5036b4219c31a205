import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PrehendError } from '../core/index.ts'
import { decodeValue, keyAt, member, rawText } from './json-node.ts'
import type { JsonNode } from './scan-json.ts'
import { PiecedText, commonPrefixLength } from './pieced-text.ts'
import { scanJson } from './scan-json.ts'

function rebuild(text: string, node: JsonNode): unknown {
  const tree = { text, root: node }
  if (node.kind === 'array') return node.children.map((child) => rebuild(text, child))
  if (node.kind !== 'object') return decodeValue(tree, node)
  return Object.fromEntries(node.children.map((child, index) => [keyAt(tree, node, index), rebuild(text, child)]))
}

function accepts(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

const damaged = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom(
      '',
      '"',
      '\\',
      ',',
      '}',
      ']',
      '{',
      '[',
      ':',
      '\u0001',
      '0',
      '-',
      '.',
      'e',
      't',
      ' ',
      '\\u12',
      '\ud800',
    ),
  )
  .map(([text, at, piece]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + piece + text.slice(place + (piece === '' ? 1 : 0))
  })

describe('scanJson', () => {
  it('finds the values that JSON.parse finds, whatever the white space', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n', '\t\r\n'), (value, space) => {
        const text = `${space}${JSON.stringify(value, null, space)}${space}`
        expect(rebuild(text, scanJson(text).root)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        expect(accepts(() => scanJson(text))).toBe(accepts(() => JSON.parse(text)))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['', 0],
    ['{', 1],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['"a\nb"', 2],
    ['"\\x"', 1],
    ['"\\u12g4"', 1],
    ['"abc', 4],
    ['01', 1],
    ['tru', 0],
    ['{} x', 3],
    ['\uFEFF{}', 0],
  ])('names the offset of what is wrong in %j', (text, offset) => {
    expect(() => scanJson(text)).toThrow(
      expect.objectContaining({ code: 'invalid-json', data: expect.objectContaining({ field: 'body', offset }) }),
    )
  })

  it('refuses a body that is nested too deep instead of overflowing the stack', () => {
    const text = '['.repeat(100_000)
    expect(() => scanJson(text)).toThrow(/deeper than 500/)
    expect(scanJson('['.repeat(500) + ']'.repeat(500)).root.kind).toBe('array')
  })

  it('reads the last of duplicate keys, and keeps the places of all', () => {
    const text = '{"a":1,"b":2,"\\u0061":3}'
    const tree = scanJson(text)
    expect(tree.root.children).toHaveLength(3)
    const found = member(tree, tree.root, 'a')
    expect(found && rawText(tree, found)).toBe('3')
  })

  it('keeps lone surrogates and numbers that a double cannot hold', () => {
    const text = '["\\ud800",1e400,1.0,-0,12345678901234567890,"\ud800"]'
    const tree = scanJson(text)
    expect(tree.root.children.map((node) => rawText(tree, node))).toEqual([
      '"\\ud800"',
      '1e400',
      '1.0',
      '-0',
      '12345678901234567890',
      '"\ud800"',
    ])
    expect(decodeValue(tree, tree.root.children[0]!)).toBe('\ud800')
  })
})

describe('scanJson with a previous tree', () => {
  const piece = (text: string) => (text === '' ? [] : [{ text, heldChars: text.length }])
  const places = (node: JsonNode): unknown => [
    node.kind,
    node.start,
    node.end,
    node.keys,
    node.values,
    node.children.map(places),
  ]

  it('gives the same places as a scan from the start', () => {
    const edited = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.json({ maxDepth: 2 }))
    fc.assert(
      fc.property(edited, fc.boolean(), ([text, at, insert], atComma) => {
        const before = `{"a":[${text},1],"b":12}`
        const comma = before.indexOf(',', at % before.length)
        const place = atComma && comma >= 0 ? comma : at % before.length
        const after = before.slice(0, place) + `,${insert}` + before.slice(place)
        let full: unknown
        try {
          full = places(scanJson(after).root)
        } catch (error) {
          expect(() => scanJson(after, { previous: scanJson(before) })).toThrow((error as PrehendError).message)
          return
        }
        expect(places(scanJson(after, { previous: scanJson(before) }).root)).toEqual(full)
        const pieced = new PiecedText([after.slice(0, place), after.slice(place)].flatMap(piece))
        expect(places(scanJson(pieced, { previous: scanJson(before) }).root)).toEqual(full)
        expect(scanJson(pieced, { previous: scanJson(before) }).text.toString()).toBe(after)
      }),
      { numRuns: 1000 },
    )
  })

  it('takes over the nodes of the shared prefix and no others', () => {
    const before = scanJson('{"messages":[{"a":1},{"b":2}],"n":1}')
    const after = scanJson('{"messages":[{"a":1},{"b":2},{"c":3}],"n":1}', { previous: before })
    const [old, now] = [before, after].map((tree) => member(tree, tree.root, 'messages')?.children ?? [])
    expect(now?.[0]).toBe(old?.[0])
    expect(now?.[1]).toBe(old?.[1])
    expect(now).toHaveLength(3)
  })

  it('does not take over a number that goes on', () => {
    const after = scanJson('[1,23]', { previous: scanJson('[1,2]') })
    expect(decodeValue(after, after.root)).toEqual([1, 23])
    expect(after.root.children[1]?.end).toBe(5)
  })

  it('counts the common prefix exactly', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.nat(3), (head, a, b, power) => {
        const shared = head.repeat(10 ** power)
        let expected = shared.length
        while (
          expected < shared.length + Math.min(a.length, b.length) &&
          a[expected - shared.length] === b[expected - shared.length]
        )
          expected += 1
        expect(commonPrefixLength(shared + a, shared + b)).toBe(expected)
      }),
    )
  })
})
