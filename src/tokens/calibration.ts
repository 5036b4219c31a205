/** What the usage reported by providers has taught about our estimates, per model; plain data that can be stored. */
export interface Calibration {
  readonly schema: 'prehend.calibration/1'
  readonly models: { readonly [model: string]: ModelCalibration }
}

/** `actual = scale * estimated + overheadTokens`, fitted to recent requests. */
export interface ModelCalibration {
  readonly scale: number
  /** Tokens per request that no estimate sees, such as a wrapper that the provider adds. */
  readonly overheadTokens: number
  /** Recent mean of the relative error, before each lesson. */
  readonly meanError: number
  readonly samples: number
  readonly sums: Sums
}

/** Discounted, weighted sums from which the line is fitted. */
export interface Sums {
  readonly weight: number
  readonly x: number
  readonly y: number
  readonly xx: number
  readonly xy: number
}

export interface Observation {
  /** A model, or any narrower key whose requests share their overhead, such as model and agent. */
  readonly model: string
  readonly estimated: number
  readonly actual: number
}

export interface Estimate {
  readonly model: string
  readonly estimated: number
  /** An earlier request of the same session that this one extends: what it shares with it is known exactly. */
  readonly anchor?: Pick<Observation, 'estimated' | 'actual'>
}

export const emptyCalibration: Calibration = { schema: 'prehend.calibration/1', models: {} }

const FORGET = 0.98
const ERROR_MEMORY = 0.9
/** Relative error expected of a good fit; the priors are in proportion to it. */
const NOISE = 0.02
const SCALE_SPREAD = 0.15
const OVERHEAD_SPREAD = 800
const SMALL_REQUEST = 500
const STARTING_MARGIN = 0.1
const LEARNING_SAMPLES = 3

/** Learns from one request; an observation that cannot be true changes nothing. */
export function observe(calibration: Calibration, observation: Observation): Calibration {
  const { model, estimated, actual } = observation
  if (!(estimated > 0 && actual > 0 && Number.isFinite(estimated) && Number.isFinite(actual))) return calibration
  const learned = learn(modelOf(calibration, model), estimated, actual)
  return { ...calibration, models: { ...calibration.models, [model]: learned } }
}

/** The tokens a provider is expected to report for an estimate. */
export function calibrated(calibration: Calibration, { model, estimated, anchor }: Estimate): number {
  const { scale, overheadTokens } = modelOf(calibration, model)
  if (anchor !== undefined) return Math.round(anchor.actual + scale * (estimated - anchor.estimated))
  return Math.round(Math.max(0, scale * estimated + overheadTokens))
}

/** Share of a budget to keep free because counts are estimates: a tenth at first, then what the errors call for. */
export function safetyMargin(calibration: Calibration, model: string): number {
  const { meanError, samples } = modelOf(calibration, model)
  const trust = samples / (samples + LEARNING_SAMPLES)
  return Math.min(0.3, Math.max(0.01, trust * 2.5 * meanError + (1 - trust) * STARTING_MARGIN))
}

/** The largest estimate that still fits a window of `windowTokens` as the provider counts them, margin included. */
export function estimateThatFits(calibration: Calibration, model: string, windowTokens: number): number {
  const { scale, overheadTokens } = modelOf(calibration, model)
  const usable = windowTokens / (1 + safetyMargin(calibration, model))
  return Math.max(0, Math.floor((usable - overheadTokens) / scale))
}

/** A model of which nothing has been learnt. */
const untaught: ModelCalibration = {
  scale: 1,
  overheadTokens: 0,
  meanError: 0,
  samples: 0,
  sums: { weight: 0, x: 0, y: 0, xx: 0, xy: 0 },
}

function modelOf(calibration: Calibration, model: string): ModelCalibration {
  return Object.hasOwn(calibration.models, model) ? (calibration.models[model] as ModelCalibration) : untaught
}

function learn(known: ModelCalibration, estimated: number, actual: number): ModelCalibration {
  const size = Math.max(SMALL_REQUEST, actual)
  const error = Math.abs(known.scale * estimated + known.overheadTokens - actual) / size
  const sums = added(known.sums, { x: estimated, y: actual, weight: trustIn(known, error) / (size * size) })
  const share = Math.max(1 - ERROR_MEMORY, 1 / (known.samples + 1))
  return {
    ...fitted(sums),
    meanError: known.meanError + share * (Math.min(error, 1) - known.meanError),
    samples: known.samples + 1,
    sums,
  }
}

/** A request far off the line, say one with pictures that were not counted, pulls less than one near it. */
function trustIn(known: ModelCalibration, error: number): number {
  if (known.samples < LEARNING_SAMPLES) return 1
  return Math.min(1, (3 * Math.max(NOISE, known.meanError)) / error)
}

function added(
  sums: Sums,
  { x, y, weight }: { readonly x: number; readonly y: number; readonly weight: number },
): Sums {
  return {
    weight: FORGET * sums.weight + weight,
    x: FORGET * sums.x + weight * x,
    y: FORGET * sums.y + weight * y,
    xx: FORGET * sums.xx + weight * x * x,
    xy: FORGET * sums.xy + weight * x * y,
  }
}

/** Least squares with a prior: the scale is near 1, the overhead near 0, until the requests say otherwise. */
function fitted({ weight, x, y, xx, xy }: Sums): Pick<ModelCalibration, 'scale' | 'overheadTokens'> {
  const scalePrior = (NOISE / SCALE_SPREAD) ** 2
  const overheadPrior = (NOISE / OVERHEAD_SPREAD) ** 2
  const a = xx + scalePrior
  const b = weight + overheadPrior
  const determinant = a * b - x * x
  const scale = ((xy + scalePrior) * b - x * y) / determinant
  return { scale: Math.min(4, Math.max(0.25, scale)), overheadTokens: (a * y - x * (xy + scalePrior)) / determinant }
}
