import { add } from './commands/add.js'
import { help } from './commands/help.js'
import { list } from './commands/list.js'
import { totals } from './commands/totals.js'
import { UsageError, parseOptions } from './parse-options.js'

export const commands = { add, list, totals, help }

/** Runs the program; gives its exit code. `io` has `out(text)`, `err(text)` and `entries`, a list that `add` adds to. */
export function run(argv, io) {
  const [name = 'help', ...rest] = argv
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    if (command === undefined) throw new UsageError(`unknown command "${name}"`)
    const { options, words } = parseOptions(rest, command.options)
    return command.run({ options, words, io, commands }) ?? 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    io.err(`${error.message}\n`)
    return 2
  }
}
