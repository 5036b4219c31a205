import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MovementError, readMovements } from '../src/read-movements.js'

const header = 'date,warehouse,article,quantity,price\n'

describe('readMovements', () => {
  test('reads a row', () => {
    assert.deepEqual(readMovements(`${header}2024-01-08,Basel,"Bolt, M8 x 40",400,0.32\n`), [
      { date: '2024-01-08', warehouse: 'Basel', article: 'Bolt, M8 x 40', quantity: 400, centsEach: 32 },
    ])
  })

  test('takes columns in any order and ignores others', () => {
    const text = 'price,article,note,quantity,date,warehouse\n1.00,Washer M8,x,5,2024-01-09,Basel\n'
    assert.deepEqual(readMovements(text), [
      { date: '2024-01-09', warehouse: 'Basel', article: 'Washer M8', quantity: 5, centsEach: 100 },
    ])
  })

  test('skips blank lines', () => {
    assert.equal(readMovements(`${header}2024-01-08,Basel,Washer M8,1,1\n\n\n`).length, 1)
  })

  test('names a missing column', () => {
    assert.throws(() => readMovements('date,article\n'), { name: 'MovementError', message: /column warehouse is missing/ })
  })

  test('names the line of a bad date', () => {
    const text = `${header}2024-01-08,Basel,Washer M8,1,1\n2024-13-01,Basel,Washer M8,1,1\n`
    assert.throws(() => readMovements(text), (error) => error instanceof MovementError && error.line === 3)
  })

  test('names the line of a bad price', () => {
    assert.throws(() => readMovements(`${header}2024-01-08,Basel,Washer M8,1,cheap\n`), {
      name: 'MovementError',
      message: 'line 2: not a price: "cheap"',
    })
  })

  test('refuses a quantity of zero', () => {
    assert.throws(() => readMovements(`${header}2024-01-08,Basel,Washer M8,0,1\n`), { message: /not a quantity/ })
  })
})
