import type { ExtensionOptions } from './command-extensions.ts'
import { variablesOf } from './variables.ts'
import type { Io } from './io.ts'

/** A command line that names no command of ours. */
export interface OtherCommand {
  readonly name: string
  readonly rest: readonly string[]
  readonly options: ExtensionOptions
}

/** The command behind the options that say where extensions are; what these do not say, the environment does. Undefined where neither names any. */
export function otherCommand(argv: readonly string[], environment: Io['environment']): OtherCommand | undefined {
  const said = (name: string): string | undefined => variablesOf(name).flatMap((one) => environment[one] || [])[0]
  const modules: string[] = []
  let config: string | undefined
  let at = 0
  for (; argv[at] === '--config' || argv[at] === '--extension'; at += 2) {
    const value = argv[at + 1] ?? ''
    if (argv[at] === '--config') config = value
    else modules.push(...value.split(','))
  }
  config ??= said('CONFIG')
  const extension = modules.length > 0 ? modules : said('EXTENSION')?.split(',')
  const name = argv[at]
  if (name === undefined || (config ?? extension) === undefined) return undefined
  const options = { ...(config !== undefined && { config }), ...(extension && { extension }) }
  return { name, rest: argv.slice(at + 1), options }
}
