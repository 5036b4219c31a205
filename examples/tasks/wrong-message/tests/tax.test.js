import assert from 'node:assert/strict'
import test from 'node:test'
import { discountFor, discounted, invoiceFor, rateFor, shippingCost, taxOn, taxRates } from '../src/index.js'
import { memoize } from '../src/memoize.js'

test('arguments that read alike are told apart', () => {
  const seen = memoize((...given) => given)
  const calls = [['a', 'b'], ['ab'], ['ab', ''], ['', 'ab'], [1], ['1'], [1, 2], [12], [null], [undefined], [], [''], ['null'], [true], ['true'], [['a']], ['a'], ['a,b'], [NaN]]
  for (const given of calls) assert.deepEqual(seen(...given), given)
  for (const given of calls) assert.deepEqual(seen(...given), given)
})

test('each call is computed once, whatever it gives', () => {
  for (const value of [0, '', null, undefined, false, NaN]) {
    let calls = 0
    const once = memoize(() => {
      calls += 1
      return value
    })
    once('x')
    once('x')
    assert.equal(calls, 1, String(value))
  }
})

test('names of what objects have are arguments like others', () => {
  const length = memoize((text) => text.length)
  for (const name of ['constructor', 'valueOf', '__proto__', 'toString', 'hasOwnProperty']) {
    assert.equal(length(name), name.length)
    assert.equal(length(name), name.length)
  }
})

test('objects are told apart by what they are', () => {
  const [one, other] = [{ x: 1 }, { x: 1 }]
  const same = memoize((value) => value)
  assert.equal(same(one), one)
  assert.equal(same(other), other)
})

test('an error is not remembered', () => {
  let calls = 0
  const failing = memoize(() => {
    calls += 1
    if (calls === 1) throw new Error('once')
    return calls
  })
  assert.throws(() => failing('x'), /once/)
  assert.deepEqual([failing('x'), failing('x')], [2, 2])
})

test('all rates', () => {
  for (const code of ['A', 'B', 'D', 'XX', 'constructor', 'valueOf', '__proto__', 'toString']) {
    rateFor(code, 'Tstandard')
    rateFor(code, 'Ebooks')
    assert.throws(() => taxOn(100, code, 'standard'), /the tax table has no rate for standard/)
  }
  for (const [country, rates] of Object.entries(taxRates)) {
    for (const kind of ['standard', 'food', 'books', 'toys', 'constructor', 'toString']) {
      const { rate } = Object.hasOwn(rates, kind) ? rates[kind] : rates.standard
      assert.equal(taxOn(10_000, country, kind), Math.round(rate * 100))
    }
  }
})

test('shipping and discounts', () => {
  assert.equal(shippingCost('DE', 1, false), 490)
  assert.equal(shippingCost('FR', 11, false), 1990)
  assert.equal(shippingCost('IS', 1, true), 3980)
  assert.equal(discountFor(1, '0WELCOME'), null)
  assert.equal(discountFor(10, 'WELCOME'), 10)
  assert.equal(discountFor(10), 5)
  assert.equal(discounted(1000, 50), 920)
  const { net, tax, gross } = invoiceFor({ country: 'gr', lines: [{ cents: 1000 }, { cents: 500, kind: 'books' }] })
  assert.equal(net, 1500 + 990)
  assert.equal(tax, taxOn(1000, 'EL', 'standard') + taxOn(500, 'EL', 'books') + taxOn(990, 'EL', 'standard'))
  assert.equal(gross, net + tax)
})
