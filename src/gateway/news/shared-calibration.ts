import { isJsonObject } from '../../core/index.ts'
import type { CalibrationKeeper, Observation } from '../upkeep/calibration-keeper.ts'
import type { Post } from './post.ts'

const channel = 'calibration'

/** Nobody waits for it, and a hundred processes hear of each other. */
const delayMs = 1000

/** The origin of lessons from other processes. */
const elsewhere = {}

/** What one process learns of the counts of providers all of them learn. Until the returned function is called. */
export function shareCalibration(calibration: CalibrationKeeper, post: Post): () => void {
  let isOver = false
  calibration.whenLearnt((seen, origin) => {
    if (origin !== elsewhere && !isOver) post.send(channel, seen, delayMs)
  })
  const leave = post.hear(channel, (news) => {
    if (isObservation(news)) calibration.learn(news, elsewhere)
  })
  return () => {
    isOver = true
    leave()
  }
}

function isObservation(news: unknown): news is Observation {
  if (!isJsonObject(news)) return false
  const { model, estimated, actual } = news
  return typeof model === 'string' && typeof estimated === 'number' && typeof actual === 'number'
}
