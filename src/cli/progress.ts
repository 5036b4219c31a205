import type { Io } from './io.ts'

export interface Progress {
  /** Replaces the line on a terminal. */
  show(text: string): void
  end(): void
}

/** One line on standard error that is written over; nothing where nobody looks. */
export function progress(io: Io, quiet: boolean): Progress {
  if (quiet || !io.errIsTerminal) return { show: () => undefined, end: () => undefined }
  let shown = 0
  const clear = (): void => io.err(`\r${' '.repeat(shown)}\r`)
  return {
    show(text) {
      const line = text.slice(0, 100)
      io.err(`\r${line.padEnd(shown)}`)
      shown = line.length
    },
    end() {
      if (shown > 0) clear()
      shown = 0
    },
  }
}
