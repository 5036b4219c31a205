import { anthropicBatch, batchResults, geminiBatch, openaiBatch } from './batches.ts'
import { claudeCode } from './claude-code.ts'
import { clineHistory, clineScreen, clineSession } from './cline.ts'
import { codex } from './codex.ts'
import { continueSession } from './continue.ts'
import type { Form } from './form.ts'
import { geminiCheckpoint, geminiCli, qwenCode } from './gemini-cli.ts'
import { har } from './har.ts'
import { helicone } from './helicone.ts'
import { langfuse } from './langfuse.ts'
import { langsmith } from './langsmith.ts'
import { litellm } from './litellm.ts'
import { openTelemetry } from './open-telemetry.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { recordedSessions } from './recorded-sessions.ts'
import { requestBodies, requestPairs } from './request-bodies.ts'
import { codexEvents, shareGpt, trajectory } from './transcripts.ts'

/** Every form of file that is read. The first that recognises a value takes it: what says least of itself stands last. */
export const allForms: readonly Form[] = [
  openaiBatch,
  anthropicBatch,
  batchResults,
  geminiBatch,
  qwenCode,
  claudeCode,
  codexEvents,
  codex,
  pi,
  opencode,
  clineScreen,
  clineSession,
  clineHistory,
  continueSession,
  geminiCheckpoint,
  geminiCli,
  har,
  langsmith,
  openTelemetry,
  langfuse,
  helicone,
  litellm,
  trajectory,
  shareGpt,
  requestBodies,
  requestPairs,
  recordedSessions,
]
