/** What goes into a line of the log: names, numbers and codes, never what was said to a model. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Takes the log of a gateway: an event by its name, and fields without secrets or prompt text. */
export interface Logger {
  /** Logs an event of normal operation. */
  info(event: string, fields?: LogFields): void
  /** Logs an event that an operator should look at. */
  warn(event: string, fields?: LogFields): void
  /** Logs a failure. */
  error(event: string, fields?: LogFields): void
}

/** Drops everything. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One JSON object a line. */
export function jsonLogger(write: (line: string) => void, clock: () => number): Logger {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}): void =>
      write(`${JSON.stringify({ time: new Date(clock()).toISOString(), level, event, ...fields })}\n`)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
