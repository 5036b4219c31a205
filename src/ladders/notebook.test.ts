import { describe, expect, it } from 'vitest'
import { contentKind } from './content-kind.ts'
import { detectFailure } from './failure.ts'
import { tableDrafts } from './table-drafts.ts'

const cell = (at: number, outputs: readonly object[]) => ({
  cell_type: 'code',
  execution_count: at,
  metadata: {},
  outputs,
  source: [`total_${at} = frame.sum()`],
})
const failing = [{ output_type: 'error', ename: 'KeyError', evalue: "'price'", traceback: ["KeyError: 'price'"] }]
const told = (at: number) => [{ output_type: 'stream', name: 'stdout', text: [`mean of ${at}: 4${at}.2\n`] }]
const cells = Array.from({ length: 14 }, (_, at) => cell(at, at === 9 ? failing : told(at)))

describe('a notebook', () => {
  it.each([undefined, 1])('states the error of a cell, and has not failed itself (indent %s)', (indent) => {
    const text = JSON.stringify({ cells, nbformat: 4 }, undefined, indent)
    const lines = indent === undefined ? text.split(/(?<=\},)(?=\{"cell_type)/) : text.split('\n')
    const report = detectFailure(lines, contentKind(text), text)
    expect(report).toMatchObject({ failed: false, stated: 1 })
    expect(report.lines.map((at) => lines[at]).join('\n')).toContain('KeyError')
  })

  it('is no table of its cells', () => {
    const text = JSON.stringify({ cells, nbformat: 4 }, undefined, 1)
    const context = { count: (shown: string) => shown.length, handle: '482915037114' }
    const values = new Float32Array(text.split('\n').length)
    expect(tableDrafts({ text, kind: 'json', values, tokens: text.length, shares: [0.5], context })).toBeUndefined()
  })

  it('in tags states what a cell has printed, and not what its code says', () => {
    const lines = ['<cell id="cell-1">', 'ValueError: in the code', '</cell id="cell-1">', 'Output of cell 1:']
    expect(detectFailure([...lines, "KeyError: 'price'"], 'source-code').lines).toEqual([4])
  })
})
