import assert from 'node:assert/strict'
import test from 'node:test'
import { addDays, addMonths, billingDays, daysBetween, dueDay, parts, prorated, weekday } from '../src/index.js'

const zones = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland', 'Africa/Cairo']

for (const zone of zones) {
  test(`days and months in ${zone}`, () => {
    process.env.TZ = zone
    assert.equal(addMonths('2025-01-31', 1), '2025-02-28')
    assert.equal(addMonths('2024-01-31', 1), '2024-02-29')
    assert.equal(addMonths('2025-03-31', -1), '2025-02-28')
    assert.equal(addMonths('2025-01-15', -13), '2023-12-15')
    assert.equal(addMonths('2024-02-29', 12), '2025-02-28')
    assert.equal(addMonths('2025-12-31', 2), '2026-02-28')
    assert.equal(addDays('2025-03-08', 2), '2025-03-10')
    assert.equal(addDays('2025-10-26', 1), '2025-10-27')
    assert.equal(addDays('2000-03-01', -1), '2000-02-29')
    assert.equal(daysBetween('2025-03-01', '2025-04-01'), 31)
    assert.equal(daysBetween('2025-11-10', '2025-10-10'), -31)
    assert.deepEqual(['2025-03-15', '2025-03-16', '2025-03-17'].map(weekday), [6, 7, 1])
    assert.equal(weekday('1900-01-01'), 1)
  })
}

test('what is no day is refused', () => {
  for (const day of ['2025-02-29', '2025-13-01', '2025-00-10', '2025-04-31', '1899-12-31', '3000-01-01', '2025-1-1', '2025-01-01T00:00', '', 20250101]) {
    assert.throws(() => addDays(day, 0), RangeError, String(day))
  }
  assert.throws(() => daysBetween('2025-01-01', 'x'), RangeError)
})

test('billing days', () => {
  assert.deepEqual(billingDays({ start: '2025-01-31' }, 4), ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30'])
  assert.deepEqual(billingDays({ start: '2024-02-29', months: 12 }, 5).at(-1), '2028-02-29')
  assert.deepEqual(billingDays({ start: '2024-11-30', months: 3 }, 3), ['2024-11-30', '2025-02-28', '2025-05-30'])
  assert.deepEqual(billingDays({ start: '2025-01-31' }, 1), ['2025-01-31'])
  assert.deepEqual(billingDays({ start: '2025-01-31' }, 0), [])
})

test('due days', () => {
  assert.equal(dueDay('2025-03-01'), '2025-03-17')
  assert.equal(dueDay('2025-03-02'), '2025-03-17')
  assert.equal(dueDay('2025-03-03'), '2025-03-17')
  assert.equal(dueDay('2025-04-04', { holidays: ['2025-04-18', '2025-04-21'] }), '2025-04-22')
  assert.equal(dueDay('2025-12-20', { days: 5, holidays: ['2025-12-25', '2025-12-26'] }), '2025-12-29')
  assert.equal(dueDay('2025-03-03', { days: 0 }), '2025-03-03')
})

test('shares of a period', () => {
  assert.equal(prorated(3100, '2025-02-20', '2025-03-11', '2025-03-01', '2025-04-01'), 1000)
  assert.equal(prorated(3100, '2025-03-22', '2025-05-01', '2025-03-01', '2025-04-01'), 1000)
  assert.equal(prorated(3100, '2025-05-01', '2025-06-01', '2025-03-01', '2025-04-01'), 0)
  assert.equal(prorated(3100, '2025-03-11', '2025-03-11', '2025-03-01', '2025-04-01'), 0)
  assert.equal(prorated(1, '2025-04-01', '2025-04-16', '2025-04-01', '2025-05-01'), 1)
  assert.equal(prorated(-1, '2025-04-01', '2025-04-16', '2025-04-01', '2025-05-01'), -1)
})

test('parts', () => {
  assert.deepEqual(parts(100, 3), [34, 33, 33])
  assert.deepEqual(parts(101, 3), [34, 34, 33])
  assert.deepEqual(parts(-101, 3), [-34, -34, -33])
  assert.deepEqual(parts(2, 4), [1, 1, 0, 0])
  assert.deepEqual(parts(-2, 4).map((cents) => cents + 0), [-1, -1, 0, 0])
})
