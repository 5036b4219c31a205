import assert from 'node:assert/strict'
import test from 'node:test'
import { invoiceFor, rateFor, taxOn, taxRates } from '../src/index.js'

const kinds = ['standard', 'reduced', 'food', 'books', 'medicine', 'hotels', 'toys']

// The import of last night: its columns had moved by a letter, so that it asked for countries and kinds that there are not.
const feed = ['A Tstandard', 'F Rfood', 'B Ebooks', 'I Thotels', 'N Lmedicine', 'D Estandard']
for (const line of feed) assert.equal(rateFor(...line.split(' ')), undefined)

test('every country has a rate for every kind', () => {
  const missing = []
  for (const country of Object.keys(taxRates)) {
    for (const kind of kinds) {
      const { rate, note } = taxRates[country][kind] ?? taxRates[country].standard
      console.log(`${country} ${kind.padEnd(9)} ${String(rate).padStart(4)}%  ${rateFor(country, kind) ?? 'no rate'}  ${note}`)
      if (rateFor(country, kind) !== rate) missing.push(`the tax table has no rate for ${kind} in ${country}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('what is no country has no rate', () => {
  for (const country of ['XX', 'ZZ']) assert.throws(() => taxOn(100, country, 'standard'), /no rate/)
})

test('an invoice', () => {
  const { net, shipping } = invoiceFor({ country: 'be', lines: [{ cents: 1000, kind: 'books' }], kilograms: 2 })
  assert.deepEqual([net, shipping], [2090, 1090])
})
