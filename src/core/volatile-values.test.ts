import fc from 'fast-check'
import { expect, test } from 'vitest'
import { steadyForm, volatileValues } from './index.ts'

const found = (text: string): string[] => volatileValues(text).map(({ start, end }) => text.slice(start, end))

test.each([
  'It is 2026-11-22T16:31:07.123Z now.',
  'It is 2026-11-22 16:31:07+01:00 now.',
  'It is 2026-11-22 now.',
  'It is 2026/11/22 now.',
  'It is 11/22/2026 now.',
  'It is 22.11.2026 now.',
  'It is Sunday, November 22, 2026 now.',
  'It is Nov 22nd, 2026 now.',
  'It is Sun, 22 Nov 2026 now.',
  'It is Sun Nov 22 16:31:07 UTC 2026 now.',
  'It is Sunday now.',
  'It is 4:31 PM now.',
  'It is 16:31:07 now.',
  'It is 1795368667 now.',
  'It is 1795368667123 now.',
  'It is 0b9f2f1e-6a2c-4e0e-9a53-3f1d3f6f9a10 now.',
  'It is 01ARZ3NDEKTSV4RRFFQ69G5FAV now.',
  'It is 9f86d081884c7d659a2feaa0c55ad015 now.',
  'It is req_011CVpZ8y2Nm4x now.',
])('%s', (text) => {
  expect(found(text)).toEqual([text.slice('It is '.length, -' now.'.length)])
})

test.each([
  'Run version 1.24.3 of node on port 127.0.0.1:8080.',
  'Edit src/a.ts:12:3 and src/b.ts:7.',
  'Use request_timeout_seconds and session-handling-rules; trace-everything-always.',
  'A deadbeefcafe is short, and feedfacedeadbeefaa has no figure.',
  'Answer 3 questions of 120 in at most 15 minutes; ratio 4/5.',
  'Ignore 12345678901234567890.',
])('nothing in: %s', (text) => {
  expect(found(text)).toEqual([])
})

test('texts that differ in such values only have one form, and others have not', () => {
  const at = (time: string, id: string): string => `You are helpful.\nNow: ${time}\nRequest ${id}\nBe brief.`
  const form = steadyForm(at('2026-11-22T16:31:07Z', '0b9f2f1e-6a2c-4e0e-9a53-3f1d3f6f9a10'))
  expect(steadyForm(at('2026-11-23T09:00:00Z', '1b9f2f1e-6a2c-4e0e-9a53-3f1d3f6f9a11'))).toBe(form)
  expect(steadyForm(at('2026-11-23T09:00:00Z', 'none'))).not.toBe(form)
})

test('places are in order, apart, and within the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('2', '0', '6', '-', ':', ' ', 'T', 'Z', 'a', 'f', 'Mon', 'Nov', ',') }),
      (text) => {
        let end = 0
        for (const value of volatileValues(text)) {
          expect(value.start).toBeGreaterThanOrEqual(end)
          expect(value.end).toBeGreaterThan(value.start)
          end = value.end
        }
        expect(end).toBeLessThanOrEqual(text.length)
      },
    ),
  )
})
