import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, ItemKind, Rendition } from '../core/index.ts'
import { rungs } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import { parseFold } from './marker.ts'
import { selectLines } from './text-lines.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const context = { count, handle: '482915037', step: 7 }

function item(kind: ItemKind, text: string, more: Partial<Item> = {}): Item {
  return { id: 'i', section: 'history', kind, text, ...more }
}

function rung(ladder: readonly Rendition[], name: string): string {
  return ladder.find((rendition) => rendition.rung === name)?.text ?? ''
}

const code = Array.from({ length: 240 }, (_, index) =>
  index % 8 === 0 ? `def part_${index}(alpha):` : `    beta = alpha + ${index}`,
).join('\n')

const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))

describe('ladderFor', () => {
  it('C-013: one line in the exact format', () => {
    const ladder = ladderFor(item('tool-result', code, { toolName: 'bash' }), context)
    expect(rung(ladder, 'line')).toBe(`[Tool: bash - ok, ${count(code)} tokens, step 7] rehydrate("482915037")`)
    expect(ladder.map(({ rung: name }) => name)).toEqual(['full', 'trimmed', 'trimmed', 'line', 'pointer'])
  })

  it('C-013: what our own tool brought back did not fail because it tells of a failure', () => {
    const ours = { ...context, hiddenTools: ['rehydrate'] }
    const brought = ladderFor(item('tool-result', `${code}\nValueError: no`, { toolName: 'rehydrate' }), ours)
    expect(rung(brought, 'line')).toMatch(/^\[Tool: rehydrate - ok, /)
    expect(rung(brought, 'line')).toContain('ValueError: no')
  })

  it('where nothing may be lost, no shorter form is looked for among lines that are worth less', () => {
    let counted = 0
    const counting = {
      ...context,
      count(text: string) {
        counted += 1
        return count(text)
      },
    }
    const conversation = { visible: new Set<string>(), age: 60, shares: [0.4, 0.2], lineWorth: 1 }
    const result = item('tool-result', code, { toolName: 'bash' })
    const offered = (mayLose: boolean) => ladderFor(result, { ...counting, conversation: { ...conversation, mayLose } })
    expect(offered(true).length).toBeGreaterThan(1)
    counted = 0
    expect(offered(false).map(({ rung: name }) => name)).toEqual(['full'])
    expect(counted).toBe(1)
    const call = item('tool-call', JSON.stringify({ file: 'a.py', text: code }))
    expect(
      ladderFor(call, { ...context, conversation: { ...conversation, callTokens: 40, mayLose: true } }),
    ).toHaveLength(2)
    expect(
      ladderFor(call, { ...context, conversation: { ...conversation, callTokens: 40, mayLose: false } }),
    ).toHaveLength(1)
  })

  it('P-029: the same item is shortened alike every time, whatever was shortened before', () => {
    const texts = [
      code,
      JSON.stringify({ rows: code.split('\n').map((line, id) => ({ id, line })) }),
      `${code}\nError: no`,
    ]
    const ladders = () => texts.map((text) => ladderFor(item('tool-result', text, { toolName: 'bash' }), context))
    const first = ladders()
    expect(first.every((ladder) => ladder.length > 2)).toBe(true)
    for (const other of [code.toUpperCase(), 'x']) ladderFor(item('text', other), context)
    expect(ladders()).toEqual(first)
  })

  it('what would keep only blank lines and ends of an envelope is one line', () => {
    const checks = Array.from({ length: 9 }, (_, at) => `\n> pkg-${at}@0.14.2 check\n> biome check --write .\n`)
    for (const text of [
      `\n${checks.join('\n')}\n`,
      `<output>\n${checks.join('\n').replaceAll(/\n+/g, '\n')}\n</output>`,
    ]) {
      const conversation = { visible: new Set(text.split(/\s+/)), age: 60, shares: [0.2, 0.05, 0.02], lineWorth: 1 }
      const ladder = ladderFor(item('tool-result', text, { toolName: 'bash' }), { ...context, conversation })
      expect(ladder.at(-1)?.text).toMatch(/^\[Tool: bash - ok, /)
      for (const { text: shown } of ladder)
        expect(
          shown.split('\n').some((line) => /\w/.test(line) && parseFold(line) === undefined && !line.startsWith('<')),
        ).toBe(true)
    }
  })

  it('V-027: one line never hides a failure', () => {
    const text = `<returncode>2</returncode>\n<output>\n${code}\nTypeError: cannot add\nmake: *** [all] Error 2\n</output>`
    const line = rung(ladderFor(item('tool-result', text, { toolName: 'bash' }), context), 'line')
    expect(line).toBe(
      `[Tool: bash - error, ${count(text)} tokens, step 7] exit 2; rehydrate("482915037")\nTypeError: cannot add\nmake: *** [all] Error 2`,
    )
    expect(rung(ladderFor(item('tool-result', code, { status: 'error' }), context), 'pointer')).toContain('error')
  })

  it('A-058: every trimmed form keeps every line that states a failure', () => {
    const errors = [
      'FAILED tests/a.py::test_b - assert 1 == 2',
      'E   AssertionError: assert 1 == 2',
      'src/a.ts(1,2): error TS2304: no x',
    ]
    const text = [code, errors[0], code, errors[1], code, errors[2], code].join('\n')
    const trimmed = ladderFor(item('tool-result', text), context).filter(({ rung: name }) => name === 'trimmed')
    expect(trimmed).toHaveLength(2)
    for (const { text: shown } of trimmed) for (const error of errors) expect(shown.split('\n')).toContain(error)
  })

  it('B-35: a tool name cannot break out of its line', () => {
    const line = rung(ladderFor(item('tool-result', code, { toolName: 'x]\n[Tool: y - ok' }), context), 'line')
    expect(line.split('\n')).toHaveLength(1)
    expect(line).toContain('[Tool: x_Tool:_y_-_ok - ok,')
  })

  it('lossless comes first: JSON without white space, or as a table where that is cheaper', () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({ id: index, name: `name ${index}`, stock: index * 2 }))
    expect(rung(ladderFor(item('tool-result', JSON.stringify(rows, null, 2)), context), 'lossless')).toContain(
      'id,name,stock\n0,name 0,0\n',
    )
    const one = rung(
      ladderFor(item('tool-result', JSON.stringify(rows[3], null, 2).repeat(1).padEnd(200)), context),
      'lossless',
    )
    expect(one).toBe('{"id":3,"name":"name 3","stock":6}')
  })

  it('P-057: pinned, frozen, opaque and instruction items, and media that is nowhere at hand, stay as they are', () => {
    const still = [
      item('tool-result', code, { pin: true }),
      item('tool-result', code, { frozen: true }),
      item('media', '', { tokens: 800 }),
      item('opaque', code),
      item('instruction', code),
      item('text', code, { role: 'user', section: 'query' }),
      item('text', `Answer exactly like this:\n${code}`, { role: 'user' }),
    ]
    for (const one of still) expect(ladderFor(one, context).map(({ rung: name }) => name)).toEqual(['full'])
    expect(ladderFor(item('media', '', { tokens: 800 }), context)[0]?.tokens).toBe(800)
  })

  it('X-18: a turn is extracted, named as an extract, and keeps what was decided', () => {
    const filler = Array.from({ length: 40 }, (_, index) => `- detail number ${index} about something`).join('\n')
    const text = `Here is the plan.\n\n${filler}\n\nYou must not touch the lockfile.\n\n${filler}\n\nTell me when it is done.`
    const ladder = ladderFor(item('text', text, { role: 'user' }), context)
    const strict = ladder.findLast(({ rung: name }) => name === 'trimmed')?.text ?? ''
    expect(strict.startsWith('[extract: rehydrate("482915037")]\nHere is the plan.')).toBe(true)
    expect(strict).toContain('You must not touch the lockfile.')
    expect(strict).toContain('Tell me when it is done.')
    expect(rung(ladder, 'line').split('\n').slice(0, 3)).toEqual([
      `[Turn: user, ${count(text)} tokens] rehydrate("482915037")`,
      'Here is the plan.',
      'You must not touch the lockfile.',
    ])
  })

  it('X-18: every extract of a turn of the user keeps its first line, what he insists on and the errors he shows', () => {
    const frames = Array.from({ length: 40 }, (_, index) => `    at step${index} (src/run.ts:${index}:9)`).join('\n')
    const kept = ['it exploded again', 'themes must never explode', 'Error: Invalid hex color: #000cc']
    const text = `${kept[0]}\n\n${kept[1]}\n\n${kept[2]}\n${frames}\nWaiting for the debugger`
    const trimmed = ladderFor(item('text', text, { role: 'user' }), context).filter(
      ({ rung: name }) => name === 'trimmed',
    )
    expect(trimmed).toHaveLength(2)
    for (const { text: shown } of trimmed) for (const line of kept) expect(shown.split('\n')).toContain(line)
  })

  it('a call keeps its keys and short values and stays valid JSON', () => {
    const body = Array.from({ length: 200 }, (_, index) => `line ${index} with "quotes", tab\t and \\ slash`).join('\n')
    const call = { path: 'src/a.ts', content: body, flags: ['x', 1, null] }
    for (const text of [JSON.stringify(call), JSON.stringify(call, null, 2)]) {
      const trimmed = ladderFor(item('tool-call', text), context).slice(1)
      expect(trimmed.length).toBe(2)
      for (const { text: shown } of trimmed) {
        const value = JSON.parse(shown) as typeof call
        expect({ ...value, content: body }).toEqual(call)
        const marker = value.content
          .split('\n')
          .map(parseFold)
          .find((fold) => fold !== undefined)
        const folded = selectLines(text, `${marker?.first}-${marker?.last}`) ?? ''
        expect(JSON.parse(`"${folded}"`)).toBe(
          body
            .split('\n')
            .slice(marker!.first - (text.includes('\n') ? 3 : 1), marker!.last - (text.includes('\n') ? 2 : 0))
            .join('\n') + '\n',
        )
      }
    }
    expect(ladderFor(item('tool-call', JSON.stringify({ a: 'x'.repeat(1200) })), context)).toHaveLength(1)
  })

  it('P-046: rungs fall strictly in cost, and whatever hides something carries the handle', () => {
    const text = fc.oneof(
      fc.string({ unit: codeUnit, maxLength: 900 }),
      fc.json({ maxDepth: 4 }),
      fc
        .array(fc.constantFrom(...code.split('\n'), 'Error: x', ''), { maxLength: 120 })
        .map((lines) => lines.join('\n')),
    )
    const kind = fc.constantFrom<ItemKind>(
      'text',
      'tool-call',
      'tool-result',
      'tool-schema',
      'reasoning',
      'evidence',
      'memory',
      'instruction',
    )
    fc.assert(
      fc.property(kind, text, (of, words) => {
        const one = item(of, words, { role: 'assistant' })
        const ladder = ladderFor(one, context)
        expect(ladder[0]).toEqual({ rung: 'full', text: words, tokens: count(words), fidelity: 1 })
        for (let index = 1; index < ladder.length; index++) {
          const [before, rendition] = [ladder[index - 1]!, ladder[index]!]
          expect(rendition.tokens).toBeLessThan(before.tokens)
          expect(rungs.indexOf(rendition.rung)).toBeGreaterThanOrEqual(rungs.indexOf(before.rung))
          expect(rendition.handle).toBe(context.handle)
          const silent = rendition.rung === 'lossless' || of === 'tool-schema'
          expect(silent || rendition.text.includes(context.handle)).toBe(true)
        }
      }),
      { numRuns: 120 },
    )
  })
})
