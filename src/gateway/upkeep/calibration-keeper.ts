import type { Store } from '../../stores/index.ts'
import { emptyCalibration, estimateThatFits, observe } from '../../tokens/index.ts'
import type { Calibration, ModelCatalogue, ModelInfo } from '../../tokens/index.ts'
import type { Logger } from '../telemetry/logger.ts'

/** What providers' reports have taught about our counts, kept across restarts. */
export interface CalibrationKeeper {
  /** The largest count of ours that fits the model's window as its provider counts. */
  fittingTokens(model: string, windowTokens: number): number
  /** Learns from a reply. */
  observe(model: string, estimated: number, actual: number): void
  /** Stores what was learnt since. */
  save(): Promise<void>
}

/** A new name wherever counting changes: lessons about other counts would mislead. */
const settingName = 'calibration/2'

interface KeeperParts {
  readonly store: Store
  readonly logger: Logger
  readonly catalogue: ModelCatalogue
}

export async function calibrationKeeper({ store, logger, catalogue }: KeeperParts): Promise<CalibrationKeeper> {
  const keyOf = (model: string): string => placeOf(catalogue.info(model))
  let calibration = read(await store.value(settingName), logger)
  let saved = calibration
  return {
    fittingTokens: (model, windowTokens) => estimateThatFits(calibration, keyOf(model), windowTokens),
    observe(model, estimated, actual) {
      calibration = observe(calibration, { model: keyOf(model), estimated, actual })
    },
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
