import type { LogFields, Logger } from '../index.ts'

/** Lines of a log, as a test reads them. */
export interface GatheredLog {
  readonly log: { level: string; event: string; fields: LogFields }[]
  readonly logger: Logger
}

export function gatheredLog(): GatheredLog {
  const log: GatheredLog['log'] = []
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}): void =>
      void log.push({ level, event, fields })
  return { log, logger: { info: at('info'), warn: at('warn'), error: at('error') } }
}
