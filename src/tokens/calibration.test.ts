import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrehendError } from '../core/index.ts'
import {
  type Calibration,
  type Observation,
  calibrated,
  emptyCalibration,
  estimateThatFits,
  observe,
  safetyMargin,
} from './calibration.ts'
import { parseCalibration } from './parse-calibration.ts'

const model = 'claude-opus-4-5'

function taught(observations: readonly Omit<Observation, 'model'>[]): Calibration {
  return observations.reduce((state, one) => observe(state, { model, ...one }), emptyCalibration)
}

function line(scale: number, overhead: number, estimates: readonly number[]): Omit<Observation, 'model'>[] {
  return estimates.map((estimated) => ({ estimated, actual: Math.round(scale * estimated + overhead) }))
}

const session = Array.from({ length: 40 }, (_, turn) => 1500 + 900 * turn)

describe('B-40: a factor per model, learnt from usage', () => {
  it('starts with the estimate as it is, and a tenth of margin', () => {
    expect(calibrated(emptyCalibration, { model, estimated: 1234 })).toBe(1234)
    expect(safetyMargin(emptyCalibration, model)).toBeCloseTo(0.1)
  })

  it('finds scale and overhead of a session', () => {
    const state = taught(line(1.18, 640, session))
    for (const estimated of [2000, 20_000, 60_000]) {
      const actual = 1.18 * estimated + 640
      expect(Math.abs(calibrated(state, { model, estimated }) / actual - 1)).toBeLessThan(0.01)
    }
  })

  it('explains one request by overhead when it is small, by scale when it is large', () => {
    expect(taught([{ estimated: 100, actual: 700 }]).models[model]?.overheadTokens).toBeGreaterThan(300)
    expect(taught([{ estimated: 100_000, actual: 115_000 }]).models[model]?.scale).toBeGreaterThan(1.1)
  })

  it('is not thrown off by a request with uncounted pictures', () => {
    const clean = line(1.1, 500, session.slice(0, 8))
    const outlier = { estimated: 5000, actual: 15_000 }
    const before = calibrated(taught(clean), { model, estimated: 5000 })
    const after = calibrated(taught([...clean, outlier]), { model, estimated: 5000 })
    expect(Math.abs(after / before - 1)).toBeLessThan(0.02)
  })

  it('follows a model whose tokenizer changed', () => {
    const state = taught([...line(1, 300, session), ...line(1.3, 300, [...session, ...session, ...session])])
    expect(Math.abs(calibrated(state, { model, estimated: 20_000 }) / 26_300 - 1)).toBeLessThan(0.03)
  })

  it('knows the shared part of a session exactly', () => {
    const state = taught(line(1.2, 0, session))
    const anchor = { estimated: 50_000, actual: 71_000 }
    expect(calibrated(state, { model, estimated: 50_500, anchor })).toBeCloseTo(71_600, -1)
  })

  it('keeps models apart and changes nothing in place', () => {
    const state = taught(line(1.5, 0, session))
    const snapshot = structuredClone(state)
    expect(calibrated(state, { model: 'gpt-5', estimated: 1000 })).toBe(1000)
    observe(state, { model: 'gpt-5', estimated: 1000, actual: 1 })
    expect(state).toEqual(snapshot)
  })

  it('learns nothing from what cannot be true', () => {
    for (const bad of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(observe(emptyCalibration, { model, estimated: bad, actual: 100 })).toBe(emptyCalibration)
      expect(observe(emptyCalibration, { model, estimated: 100, actual: bad })).toBe(emptyCalibration)
    }
  })

  it('treats names of prototype members as names', () => {
    expect(calibrated(emptyCalibration, { model: 'constructor', estimated: 10 })).toBe(10)
    const state = observe(emptyCalibration, { model: '__proto__', estimated: 1000, actual: 1200 })
    expect(Number.isFinite(calibrated(state, { model: '__proto__', estimated: 1000 }))).toBe(true)
  })
})

describe('safety', () => {
  it('narrows the margin when estimates are good, and widens it when they are not', () => {
    const noisy = session.map((estimated, turn) => ({ estimated, actual: estimated * (turn % 2 === 0 ? 1.2 : 0.8) }))
    expect(safetyMargin(taught(line(1, 0, session)), model)).toBeLessThan(0.02)
    expect(safetyMargin(taught(noisy), model)).toBeGreaterThan(0.15)
  })

  it('an estimate that fits stays inside the window, whatever was learnt', () => {
    const tokens = fc.integer({ min: 1, max: 500_000 })
    fc.assert(
      fc.property(fc.array(fc.tuple(tokens, tokens), { maxLength: 30 }), tokens, (pairs, windowTokens) => {
        const state = taught(pairs.map(([estimated, actual]) => ({ estimated, actual })))
        const fits = estimateThatFits(state, model, windowTokens)
        expect(Number.isInteger(fits) && fits >= 0).toBe(true)
        if (fits > 0) expect(calibrated(state, { model, estimated: fits })).toBeLessThanOrEqual(windowTokens)
      }),
    )
  })
})

describe('parseCalibration', () => {
  it('reads what was stored', () => {
    const state = taught(line(1.18, 640, session))
    expect(parseCalibration(JSON.parse(JSON.stringify(state)))).toEqual(state)
  })

  it.each([
    [null, 'calibration'],
    [{ schema: 'other', models: {} }, 'calibration.schema'],
    [{ schema: 'prehend.calibration/1', models: [] }, 'calibration.models'],
    [{ schema: 'prehend.calibration/1', models: { m: { scale: 'x' } } }, 'calibration.models.m.scale'],
    [{ schema: 'prehend.calibration/1', models: { m: { scale: 0, samples: 1 } } }, 'calibration.models.m'],
  ])('names the field that is wrong: %j', (value, field) => {
    const error = (() => {
      try {
        return parseCalibration(value)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(isPrehendError(error) && error.data).toMatchObject({ field })
  })
})
