import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readMovements } from '../src/read-movements.js'
import { renderReport } from '../src/render-report.js'
import { reportRows } from '../src/report.js'

const movements = readMovements(readFileSync(new URL('../data/movements.csv', import.meta.url), 'utf8'))

describe('reportRows', () => {
  test('groups by article', () => {
    const names = reportRows(movements).rows.map((row) => row.name)
    assert.deepEqual(names, [
      'Belay plate',
      'Bolt, M8 x 40',
      'Bolt, M8 x 60',
      'Carabiner HMS',
      'Ice screw 16 cm',
      'Rope "Dolomit", 9.8 mm',
      'Washer M8',
    ])
  })

  test('counts movements of the day itself', () => {
    const row = reportRows(movements, { on: '2024-03-31' }).rows.find(({ name }) => name === 'Washer M8')
    assert.equal(row.quantity, 2500)
  })

  test('values stock first in, first out', () => {
    const row = reportRows(movements).rows.find(({ name }) => name === 'Bolt, M8 x 40')
    assert.deepEqual([row.quantity, row.cents], [220, 7920])
  })

  test('names the oldest lot of all warehouses', () => {
    const row = reportRows(movements, { by: 'warehouse' }).rows.find(({ name }) => name === 'Aarau')
    assert.equal(row.oldest, '2024-02-27')
    const carabiner = reportRows(movements).rows.find(({ name }) => name === 'Carabiner HMS')
    assert.equal(carabiner.oldest, '2024-02-01')
  })

  test('marks what runs low', () => {
    const low = reportRows(movements, { low: 100 }).rows.filter((row) => row.low)
    assert.deepEqual(
      low.map((row) => row.name),
      ['Belay plate', 'Carabiner HMS', 'Ice screw 16 cm'],
    )
  })

  test('adds up', () => {
    const { rows, total } = reportRows(movements)
    assert.equal(
      total.cents,
      rows.reduce((sum, row) => sum + row.cents, 0),
    )
  })
})

describe('renderReport', () => {
  test('lines up the footer with the rows', () => {
    const text = renderReport(reportRows(movements), { by: 'article' })
    const [head, , ...rest] = text.split('\n')
    const edge = head.indexOf('Value') + 'Value'.length
    const total = rest.find((line) => line.startsWith('total'))
    assert.match(total.slice(0, edge), /\d$/)
  })

  test('tells what was short', () => {
    const text = renderReport(reportRows(movements), { by: 'article' })
    assert.match(text, /short on 2024-03-05: 6 x Ice screw 16 cm in Chur/)
  })

  test('prints CSV', () => {
    const text = renderReport(reportRows(movements, { by: 'warehouse' }), { by: 'warehouse', csv: true })
    assert.match(text, /^warehouse,quantity,value,oldest\nAarau,63,/)
  })
})
