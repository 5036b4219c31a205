import { z } from 'zod'
import { defaultTimeouts } from '../providers/index.ts'
import { defaultRetention } from '../stores/index.ts'

const milliseconds = z.number().int().min(1).max(86_400_000)

export const timeouts = z.strictObject({
  connectMs: milliseconds.default(defaultTimeouts.connectMs).describe('Until a connection to the provider stands.'),
  firstByteMs: milliseconds.default(defaultTimeouts.firstByteMs).describe('Until the first byte of the reply.'),
  idleMs: milliseconds.default(defaultTimeouts.idleMs).describe('Longest silence within a reply.'),
  contentMs: milliseconds.default(600_000).describe('Longest that a stream may bring nothing but comments and pings.'),
  totalMs: milliseconds.default(defaultTimeouts.totalMs).describe('Whole exchange.'),
})

/** What one request may make us hold; decoding and reading it takes a few times as much for a moment. */
const memory = z
  .number()
  .int()
  .min(1024)
  .max(256 * 1024 * 1024)
  .default(64 * 1024 * 1024)

export const limits = z.strictObject({
  bodyBytes: z
    .number()
    .int()
    .min(1024)
    .max(512 * 1024 * 1024)
    .default(32 * 1024 * 1024)
    .describe('Larger request bodies are refused with 413.'),
  eventBytes: memory.describe('Longest event of a stream; a stream with a longer one ends in an error.'),
  replyBytes: memory.describe(
    'Most that is kept of a reply to be read, uncompressed; what is longer is passed on as it comes, or is an error where it has to be read.',
  ),
  rehydrateRounds: z
    .number()
    .int()
    .min(0)
    .max(64)
    .default(8)
    .describe('Calls of our own tool answered in one request.'),
  rehydrateChars: z.number().int().min(256).default(200_000).describe('Most that one such answer brings back.'),
  stageMs: milliseconds.default(1000).describe('A stage that takes longer is skipped.'),
  drainMs: z
    .number()
    .int()
    .min(0)
    .max(86_400_000)
    .default(600_000)
    .describe('Longest that requests under way may go on when the gateway stops.'),
  drainDelayMs: z
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(0)
    .describe(
      'After a stop signal, the gateway keeps serving for this time while readiness answers 503, so that a load balancer can remove it first.',
    ),
  waitingRequests: z
    .number()
    .int()
    .min(1)
    .default(256)
    .describe('Requests that may wait here to be sent on; more are refused with 503.'),
  waitingBytes: z
    .number()
    .int()
    .min(1024)
    .default(256 * 1024 * 1024)
    .describe('Most that their bodies may take up.'),
  underwayBytes: z
    .exactOptional(z.number().int().min(1024))
    .describe(
      'Most that the bodies of all requests may take up until the last byte of their answers; more are refused with 503. Unless told a sixteenth of the memory, and at most an eighth of what each thread may have.',
    ),
  threadBytes: z
    .number()
    .int()
    .min(0)
    .default(64 * 1024)
    .describe('Bodies from this size on are read and packed on a thread of their own.'),
  packMs: milliseconds
    .min(500)
    .default(5000)
    .describe('A thread that does not come back from one request for so long is ended.'),
  threadIdleMs: milliseconds
    .default(1_200_000)
    .describe(
      'A thread that has had nothing to do for so long is ended, with what it remembers; the store has it all.',
    ),
  toolMs: milliseconds
    .default(30_000)
    .describe('A call of a hidden tool that takes longer is answered by an error that says so.'),
  collectMs: milliseconds.default(300).describe('A source that takes longer is left out of a request.'),
  liveSessions: z.number().int().min(1).default(400).describe('Sessions kept in memory between requests.'),
  liveBytes: z
    .number()
    .int()
    .min(0)
    .default(64 * 1024 * 1024)
    .describe('What is kept of sessions in memory between their requests, by all threads together, about.'),
})

export const promptCache = z.strictObject({
  steadyInstructions: z
    .boolean()
    .default(true)
    .describe(
      'Where a clock or an id in the instructions changes from request to request: send them as they were first, and what they say by now at the end. Tools keep the order in which they came first.',
    ),
  keepalive: z
    .boolean()
    .default(true)
    .describe(
      'Have Claude read the prompt of a session again that keeps coming back too late for its cache, before that expires.',
    ),
  keepaliveMs: z
    .number()
    .int()
    .min(10_000)
    .max(290_000)
    .default(240_000)
    .describe('That long after the request, or the refresh, before; the cache lasts for five minutes.'),
  mostRefreshes: z.number().int().min(0).max(100).default(3).describe('Most refreshes in one silence.'),
  cachedContents: z
    .boolean()
    .default(false)
    .describe(
      "Have Google keep prompts by name, at a price by the hour, where a session's are not read from its own cache.",
    ),
  mostContents: z.number().int().min(1).max(1000).default(8).describe('Most that are kept at a time.'),
  mostStorageUsd: z.number().min(0).default(1).describe('Most dollars that an hour of all of them may cost.'),
})

/** A setting of which absence means that nothing is said. */
function own<Value extends z.core.SomeType>(setting: z.ZodDefault<Value>): z.ZodExactOptional<Value> {
  const { description = '' } = setting
  return z.exactOptional(setting.unwrap()).describe(description)
}

/** Limits that a tenant may have otherwise; the others are those of the process. */
export const tenantLimits = z.strictObject({
  bodyBytes: own(limits.shape.bodyBytes),
  eventBytes: own(limits.shape.eventBytes),
  replyBytes: own(limits.shape.replyBytes),
  rehydrateRounds: own(limits.shape.rehydrateRounds),
  rehydrateChars: own(limits.shape.rehydrateChars),
  toolMs: own(limits.shape.toolMs),
  collectMs: own(limits.shape.collectMs),
  waitingRequests: own(limits.shape.waitingRequests).describe('Of its own requests, within those of all.'),
  waitingBytes: own(limits.shape.waitingBytes),
  underwayBytes: limits.shape.underwayBytes.describe('Of its own requests, within those of all.'),
})

export const tenantTimeouts = z.strictObject({
  connectMs: own(timeouts.shape.connectMs),
  firstByteMs: own(timeouts.shape.firstByteMs),
  idleMs: own(timeouts.shape.idleMs),
  contentMs: own(timeouts.shape.contentMs),
  totalMs: own(timeouts.shape.totalMs),
})

export const tenantPromptCache = z.strictObject({
  steadyInstructions: own(promptCache.shape.steadyInstructions),
  keepalive: own(promptCache.shape.keepalive),
  keepaliveMs: own(promptCache.shape.keepaliveMs),
  mostRefreshes: own(promptCache.shape.mostRefreshes),
})

const days = z.number().gt(0, 'is no time to keep anything; give more than 0 days, such as 0.5').max(36_500)

const windows = { evidence: 0, manifest: 0, raw: 0, ...defaultRetention.artifactAgesMs }

export const retention = z.strictObject({
  sessionIdleDays: days
    .default(defaultRetention.sessionIdleMs / 86_400_000)
    .describe('Days that a session without requests is kept.'),
  receiptDays: days
    .default(defaultRetention.receiptAgeMs / 86_400_000)
    .describe('Days that receipts of requests are kept.'),
  maxReceipts: z
    .number()
    .int()
    .min(1)
    .default(defaultRetention.maxReceipts)
    .describe(
      'Receipts that are kept of each tenant: the oldest go, also before `receiptDays`, and the log has `receipts-over-most`.',
    ),
  evidenceDays: days
    .default(windows.evidence / 86_400_000)
    .describe('Days that artifacts of class `evidence` are kept.'),
  manifestDays: days
    .default(windows.manifest / 86_400_000)
    .describe('Days that artifacts of class `manifest` are kept.'),
  rawDays: days.default(windows.raw / 86_400_000).describe('Days that artifacts of class `raw` are kept.'),
  auditDays: days.exactOptional().describe('Days that entries of the audit log are kept. Default: for ever.'),
})

/** Of the same store as all others: a tenant may have less kept, and not more. */
export const tenantRetention = z.strictObject({
  sessionIdleDays: days.exactOptional().describe("Days that the tenant's sessions without requests are kept."),
  receiptDays: days.exactOptional().describe("Days that receipts of the tenant's requests are kept."),
})
