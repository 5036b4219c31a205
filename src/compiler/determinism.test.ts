import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { CompileInput, Item } from '../core/index.ts'
import { stableJson } from '../core/index.ts'
import { compile, evidence, input, itemOf, sha256, wordTokenizer, words } from './compile-input.fixture.ts'
import { createCompiler } from './create-compiler.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-determinism-'))
afterAll(() => rmSync(folder, { recursive: true }))

const child = fileURLToPath(new URL('determinism.child.ts', import.meta.url))

/** The same value with the members of every object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const)
  return Object.fromEntries(members.toReversed())
}

const names = ['Äpfel', 'apfel', 'Zebra', 'ähre', 'zebra', 'İstanbul', 'istanbul', 'ı']
const code = Array.from({ length: 120 }, (_, line) => `  value_${line} = compute(${line}, "ı")`).join('\n')

const items: readonly Item[] = [
  itemOf('policy', 'rule', 'Be brief.'),
  ...names.flatMap((name) => [
    evidence(`e ${name}`, `${name}: ${words(80, name)}`, { scores: { relevance: 0.5 } }),
    itemOf('memory', `m ${name}`, `${name} ${words(40, name)}`, { scores: { relevance: 0.5 } }),
    itemOf('tools', `t ${name}`, '{"type":"object"}', { kind: 'tool-schema', toolName: name }),
    itemOf(name, `o ${name}`, `In a section of its own: ${name}.`),
  ]),
  itemOf('history', 'h0', words(200, 'h'), { role: 'user' }),
  itemOf('history', 'c1', '{"command":"cat a.py"}', { kind: 'tool-call', toolName: 'bash', group: 'g' }),
  itemOf('history', 'r1', code, { kind: 'tool-result', toolName: 'bash', group: 'g' }),
]

const inputs: Readonly<Record<string, CompileInput>> = {
  pack: input({ items, budget: { windowTokens: 2_500 } }),
  messages: input({
    items: items.filter(({ section }) => section === 'history' || section === 'policy'),
    layout: 'messages',
    budget: { windowTokens: 900 },
    nowMs: 1_000,
  }),
}

describe('the same input', () => {
  it.each(Object.keys(inputs))(
    'P-027, P-029, N-29: gives the same bytes in any process, time zone, locale and key order (layout %s)',
    (layout) => {
      const original = inputs[layout] as CompileInput
      const expected = sha256(stableJson(compile(original)))
      const elsewhere = [
        { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
        { TZ: 'America/St_Johns', LANG: 'sv_SE.UTF-8', LC_ALL: 'C' },
      ].map((env, index) => {
        const path = join(folder, `${layout}-${index}.json`)
        writeFileSync(path, JSON.stringify(index === 0 ? original : reversed(original), null, index))
        return execFileSync(process.execPath, [child, path], { env, encoding: 'utf8' })
      })
      expect(elsewhere).toEqual([expected, expected])
    },
  )

  it('P-029: what is shortened is shortened alike every time', () => {
    const shortened = inputs['pack'] as CompileInput
    const { manifest, pack } = compile(shortened)
    expect(manifest.decisions.some(({ rung }) => rung !== 'full' && rung !== 'omitted')).toBe(true)
    expect(compile(structuredClone(shortened)).pack).toEqual(pack)
  })

  it('P-027: gives the same result whatever a compiler has compiled before', () => {
    const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    const shuffled = fc.shuffledSubarray([...items], { minLength: 3 })
    const windows = fc.constantFrom(1_200, 2_500, 20_000)
    fc.assert(
      fc.property(shuffled, windows, fc.boolean(), (some, windowTokens, rehydration) => {
        const given = input({ items: some, budget: { windowTokens }, rehydration })
        expect(stableJson(compiler.compile(given))).toBe(stableJson(compile(given)))
      }),
      { numRuns: 60 },
    )
  })

  it('P-028: items of equal score keep the order in which they came, under every order of arrival', () => {
    const equal = (order: readonly number[]) =>
      order.map((number) => evidence(`e${number}`, `Fact ${number}.`, { scores: { relevance: 0.5 } }))
    const placed = (order: readonly number[]) =>
      compile(input({ items: equal(order) })).pack?.entries.map(({ itemId }) => Number(itemId.slice(1)))
    const first = placed([0, 1, 2, 3, 4, 5, 6])
    expect(first).toEqual([0, 3, 4, 6, 5, 2, 1])
    const order = [5, 2, 6, 0, 3, 1, 4]
    expect(placed(order)).toEqual(first?.map((place) => order[place]))
  })
})
