import { command } from './command.ts'
import { commandHelp, helpText, markdownHelp } from './help.ts'
import { invalidInput } from '../core/index.ts'
import type { Command } from './command.ts'

/** Takes the commands as a thunk, for it is one of them itself. */
export function helpCommand(all: () => readonly Command[]): Command {
  return command({
    name: 'help',
    about: 'show what there is, or one command',
    positional: { name: 'COMMAND', about: 'the name of a command', least: 0, most: 1 },
    options: { markdown: { type: 'flag', about: 'print the page docs/cli.md' } },
    async run({ options, positionals: [name], io }) {
      const commands = all()
      const one = commands.find((candidate) => candidate.name === name)
      if (name !== undefined && one === undefined) {
        throw invalidInput(name, 'there is no such command', 'See prehend --help')
      }
      if (options.json === true) io.out(`${JSON.stringify(one ?? commands)}\n`)
      else if (options.markdown === true) io.out(markdownHelp(commands))
      else io.out(one === undefined ? helpText(commands) : commandHelp(one))
    },
  })
}
