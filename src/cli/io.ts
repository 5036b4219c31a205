/** Everything a command may touch of its process. */
export interface Io {
  out(text: string): void
  err(text: string): void
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  /** Characters to a line of standard output; undefined where it is no terminal, as in a pipe. */
  readonly columns?: number | undefined
  /** Whether colour may be used on standard output. */
  readonly color: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborts when the user interrupts; a command that does not look at it is ended by the signal. */
  readonly interrupted: AbortSignal
  /** Has a function called at each SIGHUP, which then no longer ends the process. */
  whenHungUp(told: () => void): void
  readInput(): Promise<string>
  /** Runs a program in this one's terminal, with these variables beside ours; gives its exit code as a shell would. */
  runProgram(program: string, args: readonly string[], variables: Readonly<Record<string, string>>): Promise<number>
  /** Whether the process is the command's alone, so that settings of all of it may be changed. */
  readonly ownsProcess: boolean
}

/** The io of this process. Ends quietly when the reader of standard output goes away. */
export function processIo(): Io {
  process.stdout.on('error', endWithoutOutput)
  process.stderr.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  let interruption: AbortSignal | undefined
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY,
    errIsTerminal: process.stderr.isTTY,
    columns: columnsOf(process.env, process.stdout),
    color: usesColor(process.env, process.stdout.isTTY),
    environment: process.env,
    get interrupted() {
      interruption ??= caughtSignals()
      return interruption
    },
    whenHungUp: (told) => void process.on('SIGHUP', told),
    readInput,
    runProgram: async (...given) => (await import('./run-program.ts')).runProgram(...given),
    ownsProcess: true,
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

/** `COLUMNS` wins, as in other programs. */
export function columnsOf(
  environment: Io['environment'],
  stream: { readonly isTTY?: boolean; readonly columns?: number },
): number | undefined {
  const asked = Number(environment['COLUMNS'])
  if (Number.isInteger(asked) && asked > 0) return Math.max(asked, leastColumns)
  return stream.isTTY === true && stream.columns ? Math.max(stream.columns, leastColumns) : undefined
}

/** On less than this nothing is readable. */
const leastColumns = 40

/** https://no-color.org: any value of NO_COLOR that is not empty switches colour off. */
export function usesColor(environment: Io['environment'], isTerminal: boolean): boolean {
  if ((environment['NO_COLOR'] ?? '') !== '') return false
  if ((environment['FORCE_COLOR'] ?? '') !== '') return environment['FORCE_COLOR'] !== '0'
  return isTerminal && environment['TERM'] !== 'dumb'
}

/** A reader that has gone away has seen enough; anything else, such as a full disk, is told. */
function endWithoutOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`prehend: standard output cannot be written to (${error.code})\n`)
  process.exit(1)
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
