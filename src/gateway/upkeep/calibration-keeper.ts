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
  /** Learns from a reply of this thread's, and tells whoever wants to hear it. */
  observe(seen: Observation): void
  whenObserved(told: (seen: Observation) => void): void
  /** Learns from a reply that somebody else had. */
  learn(seen: Observation): void
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
  /** What is known already; the store is asked unless told. */
  readonly known?: string | undefined
}

export async function calibrationKeeper(parts: KeeperParts): Promise<CalibrationKeeper> {
  const { store, logger, catalogue } = parts
  const listeners: ((seen: Observation) => void)[] = []
  const keyOf = (model: string): string => placeOf(catalogue.info(model))
  let calibration = read(parts.known ?? (await store.value(settingName)), logger)
  let saved = calibration
  const learn = ({ model, estimated, actual }: Observation): void => {
    calibration = observe(calibration, { model: keyOf(model), estimated, actual })
  }
  return {
    fittingTokens: (model, windowTokens) => estimateThatFits(calibration, keyOf(model), windowTokens),
    observe(seen) {
      learn(seen)
      for (const told of listeners) told(seen)
    },
    whenObserved: (told) => void listeners.push(told),
    learn,
    text: () => JSON.stringify(calibration),
    async save() {
      if (saved === calibration) return
      saved = calibration
      await store.setValue(settingName, JSON.stringify(calibration))
    },
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
