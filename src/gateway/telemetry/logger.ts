/** What goes into a line of the log: names, numbers and codes, never what was said to a model. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

export interface Logger {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

export const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** One JSON object a line. */
export function jsonLogger(write: (line: string) => void, clock: () => number): Logger {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}): void =>
      write(`${JSON.stringify({ time: new Date(clock()).toISOString(), level, event, ...fields })}\n`)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}
