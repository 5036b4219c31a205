import { invalidInput, isJsonObject } from '../core/index.ts'
import type { Calibration, ModelCalibration, Sums } from './calibration.ts'

/** Reads a stored calibration; throws `invalid-input` with the field that is not as it was written. */
export function parseCalibration(value: unknown): Calibration {
  const { schema, models } = object(value, 'calibration')
  if (schema !== 'prehend.calibration/1') {
    throw invalidInput('calibration.schema', 'is not prehend.calibration/1', 'Start from an empty calibration.')
  }
  const entries = Object.entries(object(models, 'calibration.models'))
  return { schema, models: Object.fromEntries(entries.map(([model, entry]) => [model, parseModel(entry, model)])) }
}

function parseModel(value: unknown, model: string): ModelCalibration {
  const field = `calibration.models.${model}`
  const entry = object(value, field)
  const read = (name: string) => finite(entry[name], `${field}.${name}`)
  const [scale, samples] = [read('scale'), read('samples')]
  if (scale <= 0 || samples < 0) {
    throw invalidInput(
      field,
      'has a scale or a number of samples out of range',
      'Remove this model from the calibration.',
    )
  }
  const sums = parseSums(entry['sums'], `${field}.sums`)
  return { scale, overheadTokens: read('overheadTokens'), meanError: read('meanError'), samples, sums }
}

function parseSums(value: unknown, field: string): Sums {
  const sums = object(value, field)
  const read = (name: string) => finite(sums[name], `${field}.${name}`)
  return { weight: read('weight'), x: read('x'), y: read('y'), xx: read('xx'), xy: read('xy') }
}

function object(value: unknown, field: string): { readonly [name: string]: unknown } {
  if (isJsonObject(value)) return value
  throw invalidInput(field, 'is not an object', 'Pass the calibration as it was stored.')
}

function finite(value: unknown, field: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalidInput(field, 'is not a finite number', 'Pass the calibration as it was stored.')
}
