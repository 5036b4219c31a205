import assert from 'node:assert/strict'
import test from 'node:test'
import { addDays, addMonths, billingDays, dueDay, parts, prorated } from '../src/index.js'

test('days', () => assert.equal(addDays('2025-12-30', 3), '2026-01-02'))
test('months', () => assert.equal(addMonths('2025-01-15', 13), '2026-02-15'))
test('the end of a month', () => assert.equal(addMonths('2025-01-31', 1), '2025-02-28'))
test('billing from the 31st', () => {
  assert.deepEqual(billingDays({ start: '2025-01-31' }, 4), ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30'])
})
test('a due day on a Saturday', () => assert.equal(dueDay('2025-03-01'), '2025-03-17'))
test('half a month', () => assert.equal(prorated(3000, '2025-04-16', '2025-05-01', '2025-04-01', '2025-05-01'), 1500))
test('parts add up', () => assert.deepEqual(parts(100, 3), [34, 33, 33]))
