import { describe, expect, it } from 'vitest'
import { crying, drawnOut, lacking, samples, shortForms, textOf } from './failure-corpus.fixture.ts'

const failing = samples.filter(({ failures }) => failures.length > 0)
const fine = samples.filter(({ failures }) => failures.length === 0)

describe('what tools print when they fail', () => {
  it('V-027: are many tools, most of them run', () => {
    expect(new Set(failing.map(({ tool }) => tool)).size).toBeGreaterThan(100)
    expect(failing.filter(({ made }) => made === 'ran').length).toBeGreaterThan(100)
    expect(fine.length).toBeGreaterThan(25)
  })

  it.each(failing)('V-027: $file shows at every rung what has failed, where and why', (sample) => {
    for (const text of [textOf(sample), drawnOut(sample)]) {
      const forms = text === undefined ? [] : shortForms(text)
      for (const form of forms) expect([form.rung, ...lacking(sample, form)]).toEqual([form.rung])
    }
  })

  it.each(fine)('V-027: $file, which has not failed, is not said to', (sample) => {
    for (const form of shortForms(textOf(sample))) expect(crying(form)).toEqual([])
  })
})
