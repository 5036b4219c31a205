export {
  heuristicDetector,
  isolationStrength,
  normaliseUntrusted,
  quarantined,
  replyDetector,
} from '../defense/index.ts'
export type { Isolation, NormalisedText, ReplyDetectorOptions, ReplyGround, DecodedText } from '../defense/index.ts'
