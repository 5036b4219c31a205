import { describe, expect, it } from 'vitest'
import type { UsualEnds } from '../core/index.ts'
import type { LadderOptions } from './ladder-options.ts'
import { saysEnds } from './marker.ts'
import type { Draft } from './renditions.ts'
import { resultEnds, usualEnds, withoutUsualEnds } from './usual-ends.ts'

const endsOf = (results: readonly string[], others: readonly string[]) =>
  usualEnds(results.map(resultEnds), others.map(resultEnds))

const enveloped = (...lines: readonly string[]): string =>
  ['<returncode>0</returncode>', '<output>', ...lines, '</output>'].join('\n')
const ends = { head: ['<returncode>0</returncode>', '<output>'], tail: ['</output>'] }

describe('usual ends', () => {
  it('are the lines that at least half of the results share, and three of them', () => {
    const results = [enveloped('a'), enveloped('b', 'c'), enveloped('d'), 'something else']
    expect(endsOf(results, results)).toEqual(ends)
    expect(endsOf(results.slice(2), results)).toEqual({ head: [], tail: [] })
    const rare = [...results, 'x', 'y', 'z', 'u']
    expect(endsOf(rare, rare)).toEqual({ head: [], tail: [] })
  })

  it('go on with what most of them go on with', () => {
    const failed = enveloped('x').replace('>0<', '>1<')
    const results = [enveloped('a'), failed, enveloped('b'), enveloped('c'), failed]
    expect(endsOf(results, results)).toEqual(ends)
  })

  it('are no part of what results list: neither the first item, nor the header of a table, nor what opens them', () => {
    const listed = (name: string): string =>
      ['success: true', 'matched_tools:', '- server_name: ppt', `  tool_name: ${name}`, '  input:', '    id: any'].join(
        '\n',
      )
    const tools = ['a', 'a', 'a', 'b'].map(listed)
    expect(endsOf(tools, tools)).toEqual({ head: ['success: true'], tail: [] })
    const pods = ['a', 'b', 'c'].map((name) => `NAME    READY   STATUS\n${name}       1/1     Running`)
    expect(endsOf(pods, pods)).toEqual({ head: [], tail: [] })
    const rows = ['a', 'b', 'c'].map((name) => `id,name,price\n1,${name},2`)
    expect(endsOf(rows, rows)).toEqual({ head: [], tail: [] })
    const ran = ['a', 'b', 'c'].map((line) => `Exit code: 0\nOutput:\n${line}\n`)
    expect(endsOf(ran, ran)).toEqual({ head: ['Exit code: 0', 'Output:'], tail: [''] })
  })

  it('are nothing that only files share', () => {
    const licensed = (name: string): string => enveloped('# Licensed to everybody', '', name)
    const files = ['a', 'b', 'c', 'd'].map(licensed)
    expect(endsOf(files, [])).toEqual({ head: [], tail: [] })
    expect(endsOf(files, [enveloped('total 4')])).toEqual(ends)
  })
})

describe('a result without its usual ends', () => {
  const full = (text: string): Draft => ({ rung: 'full', text, fidelity: 1 })
  const context = (isSaid: boolean, usual: Omit<UsualEnds, 'isSaid'> = ends): LadderOptions => ({
    count: (text) => text.length,
    handle: '123456789012',
    conversation: { usualEnds: { ...usual, isSaid } },
  })

  it('says so once, with a handle', () => {
    expect(withoutUsualEnds(full(enveloped('a', 'b')), context(true))?.text).toBe('a\nb')
    const first = withoutUsualEnds(full(enveloped('a', 'b')), context(false))?.text ?? ''
    expect(first).toBe('[usual wrapper left out: 123456789012]\na\nb')
    expect([saysEnds(first), saysEnds('a\nb'), saysEnds('[usual things]')]).toEqual([true, false, false])
  })

  it('says where they stand while nothing follows handles', () => {
    const first = (step?: number): string | undefined => {
      const known = { ...ends, isSaid: false, ...(step !== undefined && { step }) }
      const conversation = { usualEnds: known, brief: true }
      return withoutUsualEnds(full(enveloped('a')), { ...context(false), conversation })?.text
    }
    expect(first(7)).toBe('[usual wrapper left out, see step 7]\na')
    expect(first()).toBe('[usual wrapper left out: 123456789012]\na')
    expect(saysEnds(first(7) ?? '')).toBe(true)
  })

  it('loses both ends or neither: half an envelope is no envelope', () => {
    const failed = enveloped('a').replace('>0<', '>1<')
    expect(withoutUsualEnds(full(failed), context(true))).toBeUndefined()
    expect(withoutUsualEnds(full(enveloped('a').replace('</output>', '')), context(true))).toBeUndefined()
    expect(withoutUsualEnds(full('a\nb'), context(true))).toBeUndefined()
    expect(withoutUsualEnds(full(enveloped('a')), context(true, { head: [], tail: [] }))).toBeUndefined()
    expect(withoutUsualEnds(full(enveloped('')), context(true))).toBeUndefined()
    expect(withoutUsualEnds(full(enveloped()), context(true))).toBeUndefined()
  })

  it('stays whole where what it begins with is closed by lines that are not usual', () => {
    const head = ['{', '  "content": [', '    {', '      "type": "text",']
    const tail = ['    }', '  ],', '  "isError": false', '}']
    const answer = [...head, '      "text": "12 lines"', ...tail].join('\n')
    expect(withoutUsualEnds(full(answer), context(true, { head, tail: [] }))).toBeUndefined()
    expect(withoutUsualEnds(full(answer), context(true, { head: [], tail: tail.slice(1) }))).toBeUndefined()
    expect(withoutUsualEnds(full(answer), context(true, { head, tail }))?.text).toBe('      "text": "12 lines"')
    const opened = { head: ends.head, tail: [] }
    expect(withoutUsualEnds(full(enveloped('a')), context(true, opened))).toBeUndefined()
  })

  it('stays whole where what it begins with opens what follows', () => {
    const head = ['Exit code: 0', 'Output:']
    const of = (line: string) =>
      withoutUsualEnds(full([...head, line].join('\n')), context(true, { head, tail: [] }))?.text
    expect([of('done'), of('    return 1'), of('- one'), of('  name: one')]).toEqual([
      'done',
      '    return 1',
      undefined,
      undefined,
    ])
  })

  it('has its references where they stand now', () => {
    const draft: Draft = {
      ...full(enveloped('a', 'marker')),
      references: [{ key: 'k', firstLine: 9, lines: 12, at: 4 }],
    }
    expect(withoutUsualEnds(draft, context(true))?.references?.[0]?.at).toBe(2)
    expect(withoutUsualEnds(draft, context(false))?.references?.[0]?.at).toBe(3)
  })
})
