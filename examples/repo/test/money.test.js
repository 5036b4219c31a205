import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatCents, multiplyCents, parseCents } from '../src/money.js'

describe('parseCents', () => {
  const cases = [
    ['12.50', 1250],
    ['12.5', 1250],
    ['12', 1200],
    ['0.07', 7],
    ['-3', -300],
    ['-0.05', -5],
    ['1,99', 199],
    [' 4.00 ', 400],
  ]
  for (const [text, cents] of cases) {
    test(`${JSON.stringify(text)} is ${cents}`, () => {
      assert.equal(parseCents(text), cents)
    })
  }

  for (const text of ['', 'abc', '1.234', '1e3', '--1', '1.2.3']) {
    test(`${JSON.stringify(text)} is refused`, () => {
      assert.throws(() => parseCents(text), TypeError)
    })
  }
})

describe('formatCents', () => {
  const cases = [
    [1250, '12.50'],
    [7, '0.07'],
    [0, '0.00'],
    [-300, '-3.00'],
    [-5, '-0.05'],
    [-1250, '-12.50'],
    [-199, '-1.99'],
  ]
  for (const [cents, text] of cases) {
    test(`${cents} is ${text}`, () => {
      assert.equal(formatCents(cents), text)
    })
  }
})

describe('multiplyCents', () => {
  test('rounds half away from zero', () => {
    assert.equal(multiplyCents(0.5, 3), 2)
    assert.equal(multiplyCents(-0.5, 3), -2)
  })

  test('is exact for whole quantities', () => {
    assert.equal(multiplyCents(1200, 4), 4800)
  })
})
