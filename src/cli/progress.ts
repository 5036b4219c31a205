import type { Io } from './io.ts'

export interface Progress {
  /** Replaces the line on a terminal. */
  show(text: string): void
  end(): void
}

const usualColumns = 80

/** One line on standard error that is written over; nothing where nobody looks. */
export function progress(io: Io, quiet: boolean): Progress {
  if (quiet || !io.errIsTerminal) return { show: () => undefined, end: () => undefined }
  let shown = 0
  const clear = (): void => io.err(`\r${' '.repeat(shown)}\r`)
  return {
    show(text) {
      // One that fills the last column would go on in the next line, which nothing clears.
      const line = text.slice(0, (io.columns ?? usualColumns) - 1)
      io.err(`\r${line.padEnd(shown)}`)
      shown = line.length
    },
    end() {
      if (shown > 0) clear()
      shown = 0
    },
  }
}
