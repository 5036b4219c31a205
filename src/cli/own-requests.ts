import type { LogFields, Logger } from '../gateway/index.ts'

/** What came to one gateway since it was started, by the lines of its log. */
export interface OwnRequests {
  readonly logger: Logger
  /** Ids of the requests that were answered. */
  answered(): ReadonlySet<string>
  /** Why the last request that was not answered was not, in words; undefined where there was none. */
  problem(): string | undefined
}

export function ownRequests(): OwnRequests {
  const answered = new Set<string>()
  let problem: string | undefined
  const hear = (event: string, fields: LogFields = {}): void => {
    const { requestId, status } = fields
    if (event === 'request' && typeof requestId === 'string' && isAnswer(status)) answered.add(requestId)
    else problem = problemIn(event, fields) ?? problem
  }
  return {
    logger: { info: hear, warn: () => undefined, error: hear },
    answered: () => answered,
    problem: () => problem,
  }
}

function isAnswer(status: LogFields[string]): boolean {
  return typeof status === 'number' && status > 0 && status < 400
}

function problemIn(event: string, fields: LogFields): string | undefined {
  const { status, upstream, provider, host, code, method, path } = fields
  if (event === 'request' || event === 'forwarded')
    return isAnswer(status) ? undefined : `the provider ${upstream ?? ''} answered with status ${status}`
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
