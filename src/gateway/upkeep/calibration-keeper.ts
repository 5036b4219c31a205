import type { FeedbackLoop } from '../../core/index.ts'
import { setValue } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { emptyCalibration, estimateThatFits, observe } from '../../tokens/index.ts'
import type { Calibration, ModelCatalogue, ModelInfo } from '../../tokens/index.ts'
import type { Logger } from '../telemetry/logger.ts'

/** What a provider has told of a request that we had counted. */
export interface Observation {
  readonly model: string
  readonly estimated: number
  readonly actual: number
}

/** What providers' reports have taught about our counts, kept across restarts. */
export interface CalibrationKeeper {
  /** The largest count of ours that fits the model's window as its provider counts. */
  fittingTokens(model: string, windowTokens: number): number
  /** Learns from a reply of this thread; gives what that has changed, where it is worth telling. */
  observe(seen: Observation): FeedbackLoop | undefined
  /** Learns from a reply of another thread or process, its origin. */
  learn(seen: Observation, origin: object): void
  /** Calls back with each lesson, and with its origin where that is another thread or process. */
  whenLearnt(heard: (seen: Observation, origin?: object) => void): void
  /** What is known by now, as it is stored. */
  text(): string
  /** Stores what was learnt since. */
  save(): Promise<void>
}

/** A new name wherever counting changes: lessons about other counts would mislead. */
const settingName = 'calibration/2'

interface KeeperParts {
  readonly store: Store
  readonly logger: Logger
  readonly catalogue: ModelCatalogue
  /** What is known already; the store is asked by default. */
  readonly known?: string | undefined
}

export async function calibrationKeeper(parts: KeeperParts): Promise<CalibrationKeeper> {
  const { store, logger, catalogue } = parts
  const listeners: ((seen: Observation, origin?: object) => void)[] = []
  const keyOf = (model: string): string => placeOf(catalogue.info(model))
  let calibration = read(parts.known ?? (await store.read('values').get(settingName)), logger)
  let saved = calibration
  const fitting = (key: string): number => estimateThatFits(calibration, key, roundWindow) / roundWindow
  /** As it was told of last; all threads learn the same, so that each change is told once. */
  const told = new Map<string, Told>()
  const learn = ({ model, estimated, actual }: Observation): FeedbackLoop | undefined => {
    const key = keyOf(model)
    const before = told.get(key) ?? { share: fitting(key), samples: samplesOf(calibration, key) }
    calibration = observe(calibration, { model: key, estimated, actual })
    const after = { share: fitting(key), samples: samplesOf(calibration, key) }
    const isWorthTelling = Math.abs(after.share - before.share) >= leastTold
    told.set(key, isWorthTelling ? after : before)
    return isWorthTelling ? loopOf(key, before, after) : undefined
  }
  return {
    fittingTokens: (model, windowTokens) => estimateThatFits(calibration, keyOf(model), windowTokens),
    observe(seen) {
      const loop = learn(seen)
      for (const hears of listeners) hears(seen)
      return loop
    },
    whenLearnt: (hears) => void listeners.push(hears),
    learn(seen, origin) {
      learn(seen)
      for (const hears of listeners) hears(seen, origin)
    },
    text: () => JSON.stringify(calibration),
    async save() {
      if (saved === calibration) return
      saved = calibration
      await setValue(store, settingName, JSON.stringify(calibration))
    },
  }
}

/** How much of a window is used, of a round one. */
const roundWindow = 1_000_000
/** A change of that share that is told of. */
const leastTold = 0.01

interface Told {
  readonly share: number
  readonly samples: number
}

function samplesOf({ models }: Calibration, key: string): number {
  return Object.hasOwn(models, key) ? (models[key]?.samples ?? 0) : 0
}

function loopOf(key: string, before: Told, after: Told): FeedbackLoop {
  const rounded = (share: number): number => Math.round(share * 10_000) / 10_000
  const path = ['calibration', key, 'usedShare']
  return {
    type: 'context:feedback-loop',
    loopId: 'token-counts',
    tick: after.samples,
    recordCount: after.samples - before.samples,
    adjustments: [{ path, before: rounded(before.share), after: rounded(after.share) }],
  }
}

/** Models that no table knows share a place, so that a client cannot make places without end. */
function placeOf(info: ModelInfo): string {
  return info.known ? info.id : `other/${info.provider}`
}

function read(text: string | undefined, logger: Logger): Calibration {
  if (text === undefined) return emptyCalibration
  try {
    const value = JSON.parse(text) as Calibration
    if (value.schema === emptyCalibration.schema) return value
  } catch {
    // Falls through: what cannot be read is learnt again.
  }
  logger.warn('calibration-unreadable')
  return emptyCalibration
}
