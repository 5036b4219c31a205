import type { LogFields, Logger } from '../gateway/index.ts'

/** What came to one gateway since it was started, by the lines of its log. */
export interface OwnRequests {
  readonly logger: Logger
  /** Ids of the requests that were answered. */
  answered(): ReadonlySet<string>
  /** Of those, the ones whose record could not be written, with the reason of the last. */
  unrecorded(): Unrecorded
  /** Why the last request to a model that was not answered was not, in words; undefined where there was none. */
  problem(): string | undefined
  /** Whether anything came at all, such as a request that only looks whether the gateway is there. */
  isReached(): boolean
}

export interface Unrecorded {
  readonly ids: ReadonlySet<string>
  readonly why: WhyUnrecorded
}

export interface WhyUnrecorded {
  readonly isFull: boolean
  readonly remedy: string | undefined
}

export function ownRequests(): OwnRequests {
  const answered = new Set<string>()
  const unrecorded = new Set<string>()
  let why: WhyUnrecorded = { isFull: false, remedy: undefined }
  let problem: string | undefined
  let isReached = false
  const warned = (event: string, fields: LogFields = {}): void => {
    const told = whyUnrecorded(event, fields)
    if (told === undefined) return
    why = told
    if (typeof fields['requestId'] === 'string') unrecorded.add(fields['requestId'])
  }
  const hear = (event: string, fields: LogFields = {}): void => {
    const { requestId, status } = fields
    isReached ||= requestEvents.has(event)
    if (event === 'request' && typeof requestId === 'string' && isAnswer(status)) answered.add(requestId)
    else problem = problemIn(event, fields) ?? problem
  }
  return {
    logger: { info: hear, warn: warned, error: hear },
    answered: () => answered,
    unrecorded: () => ({ ids: unrecorded, why }),
    problem: () => problem,
    isReached: () => isReached,
  }
}

/** Events of the log that tell of a request. */
const requestEvents: ReadonlySet<string> = new Set(['request', 'forwarded', 'turned-away', 'refused'])

/** Why a request goes on without a record, where an event of the log says that it does. */
export function whyUnrecorded(event: string, { stage, cause, remedy }: LogFields): WhyUnrecorded | undefined {
  if (event !== 'stage-skipped' || stage !== 'store') return undefined
  return { isFull: cause === 'full', remedy: typeof remedy === 'string' ? remedy : undefined }
}

export function unrecordedText({ isFull, remedy }: WhyUnrecorded, store: string): string {
  if (isFull) return `the disk of ${store} is full`
  return `the store ${store} could not be written${remedy === undefined ? '' : `. ${remedy.replace(/[.]$/, '')}`}`
}

/** Tells once that requests go on without a record. */
export function unrecordedNotice(store: string, tell: (line: string) => void): Logger {
  let isTold = false
  const nothing = (): void => undefined
  const warn: Logger['warn'] = (event, fields = {}) => {
    const why = isTold ? undefined : whyUnrecorded(event, fields)
    if (why === undefined) return
    isTold = true
    tell(`prehend: requests are forwarded without a record from now on: ${unrecordedText(why, store)}\n`)
  }
  return { info: nothing, warn, error: nothing }
}

function isAnswer(status: LogFields[string]): boolean {
  return typeof status === 'number' && status > 0 && status < 400
}

function problemIn(event: string, fields: LogFields): string | undefined {
  const { status, upstream, provider, host, code, method, path } = fields
  if (event === 'request' || event === 'forwarded')
    return isAnswer(status) ? undefined : `the provider ${upstream ?? ''} answered with status ${status}`
  // Models are asked by POST: anything else looks for something, such as HEAD /api/hello of Claude Code.
  if (event === 'turned-away' && method !== 'POST') return undefined
  if (event === 'turned-away') return `the gateway does not answer ${method} ${path} (${code})`
  if (event === 'internal') return 'the gateway failed (internal)'
  if (event !== 'refused') return undefined
  return host === undefined
    ? `the gateway refused it (${code})`
    : `the provider ${provider} could not be reached: ${host}`
}

/** One that tells both. */
export function bothLoggers(one: Logger, other: Logger): Logger {
  const at =
    (level: keyof Logger): Logger['info'] =>
    (event, fields) => {
      one[level](event, fields)
      other[level](event, fields)
    }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
