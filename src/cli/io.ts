/** Everything a command may touch of its process. */
export interface Io {
  out(text: string): void
  err(text: string): void
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Whether colour may be used on standard output. */
  readonly color: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborts when the user interrupts; a command that does not look at it is ended by the signal. */
  readonly interrupted: AbortSignal
  readInput(): Promise<string>
}

/** The io of this process. Ends quietly when the reader of standard output goes away. */
export function processIo(): Io {
  process.stdout.on('error', endOnClosedPipe)
  process.stderr.on('error', endOnClosedPipe)
  let interruption: AbortSignal | undefined
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY,
    errIsTerminal: process.stderr.isTTY,
    color: usesColor(process.env, process.stdout.isTTY),
    environment: process.env,
    get interrupted() {
      interruption ??= caughtSignals()
      return interruption
    },
    readInput,
  }
}

/** From now on the first signal only aborts; the second one ends the process, whatever it is doing. */
function caughtSignals(): AbortSignal {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interruption.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
      interruption.abort(signal)
    })
  }
  return interruption.signal
}

/** https://no-color.org: any value of NO_COLOR that is not empty switches colour off. */
export function usesColor(environment: Io['environment'], isTerminal: boolean): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0'
  return isTerminal && environment['TERM'] !== 'dumb'
}

function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
