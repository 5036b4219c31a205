import { errorPlaces, invalidInput, isPrehendError } from '../core/index.ts'
import { commands } from './commands.ts'
import { commandHelp, helpText } from './help.ts'
import { parseArguments } from './parse-arguments.ts'
import { suggest } from '../core/index.ts'
import { version } from './version.ts'
import type { PrehendError } from '../core/index.ts'
import { otherCommand } from './other-command.ts'
import type { Io } from './io.ts'
import { printable } from './printable.ts'

/** Runs one command line; gives the exit code. Never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    return reportError(error, argv.includes('--json'), io)
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  if (name === '--version' || name === '-v') {
    io.out(`${version()}\n`)
    return 0
  }
  if (name === undefined || name === '--help' || name === '-h') {
    io.out(helpText(commands, io.columns))
    return name === undefined ? 2 : 0
  }
  const command = commands.find((candidate) => candidate.name === name)
  if (command === undefined) return otherwise(argv, io)
  const { options, positionals } = parseArguments(command, rest, io.environment)
  if (options['help'] === true) {
    io.out(commandHelp(command, io.columns))
    return 0
  }
  return (await command.run({ options, positionals, io })) ?? 0
}

/** A command of an extension, or of nobody. */
async function otherwise(argv: readonly string[], io: Io): Promise<number> {
  const other = otherCommand(argv, io.environment)
  const code = other && (await (await import('./extension-command.ts')).runExtensionCommand(other, io))
  if (code !== undefined) return code
  throw noCommand(other?.name ?? argv[0] ?? '')
}

function noCommand(name: string): PrehendError {
  const meant = suggest(
    name,
    commands.map((candidate) => candidate.name),
  )
  const what = name.startsWith('-') ? 'there is no such option' : 'there is no such command'
  return invalidInput(name, what, meant ? `Did you mean prehend ${meant}?` : 'See prehend --help')
}

function reportError(error: unknown, json: boolean, io: Io): number {
  if (isPrehendError(error)) {
    const { code, message, data } = error
    if (json) io.out(`${JSON.stringify({ error: { code, message, ...data } })}\n`)
    io.err(`prehend: ${printable(message)}\n`)
    return errorPlaces[code].exitCode
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (json) io.out(`${JSON.stringify({ error: { code: 'internal', message: text.split('\n')[0] } })}\n`)
  io.err(`prehend: this is a defect, please report it\n${text}\n`)
  return errorPlaces.internal.exitCode
}
