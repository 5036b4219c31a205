import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StockLedger } from '../src/stock-ledger.js'

const movement = (quantity, centsEach, date = '2024-01-01', article = 'Washer M8', warehouse = 'Basel') => ({
  date,
  warehouse,
  article,
  quantity,
  centsEach,
})

describe('StockLedger', () => {
  test('adds what comes in', () => {
    const ledger = new StockLedger()
    ledger.apply(movement(10, 100))
    ledger.apply(movement(5, 200))
    assert.deepEqual(ledger.positions(), [
      { warehouse: 'Basel', article: 'Washer M8', quantity: 15, cents: 2000, oldest: '2024-01-01' },
    ])
  })

  test('takes the oldest lots first', () => {
    const ledger = new StockLedger()
    ledger.apply(movement(10, 100, '2024-01-01'))
    ledger.apply(movement(10, 200, '2024-02-01'))
    ledger.apply(movement(-12, 200, '2024-03-01'))
    assert.deepEqual(ledger.positions(), [
      { warehouse: 'Basel', article: 'Washer M8', quantity: 8, cents: 1600, oldest: '2024-02-01' },
    ])
  })

  test('keeps what is left of a lot at its own price', () => {
    const ledger = new StockLedger()
    ledger.apply(movement(10, 100, '2024-01-01'))
    ledger.apply(movement(10, 300, '2024-02-01'))
    ledger.apply(movement(-4, 300, '2024-03-01'))
    assert.equal(ledger.positions()[0].cents, 600 + 3000)
  })

  test('records what is missing', () => {
    const ledger = new StockLedger()
    ledger.apply(movement(3, 100))
    ledger.apply(movement(-5, 100, '2024-02-01'))
    assert.deepEqual(ledger.shortages, [{ warehouse: 'Basel', article: 'Washer M8', date: '2024-02-01', missing: 2 }])
    assert.equal(ledger.positions()[0].quantity, 0)
  })

  test('keeps warehouses apart', () => {
    const ledger = new StockLedger()
    ledger.apply(movement(3, 100, '2024-01-01', 'Washer M8', 'Basel'))
    ledger.apply(movement(4, 100, '2024-01-01', 'Washer M8', 'Chur'))
    assert.deepEqual(
      ledger.positions().map((position) => [position.warehouse, position.quantity]),
      [
        ['Basel', 3],
        ['Chur', 4],
      ],
    )
  })

  test('leaves no dust of fractions', () => {
    const ledger = new StockLedger()
    ledger.apply(movement(0.3, 100))
    ledger.apply(movement(-0.1, 100))
    ledger.apply(movement(-0.2, 100))
    assert.equal(ledger.positions()[0].oldest, undefined)
    assert.deepEqual(ledger.shortages, [])
  })
})
