import { command } from './command.ts'
import { commandHelp, helpDocument, helpText, markdownHelp } from './help.ts'
import { invalidInput } from '../core/index.ts'
import { compileDocumentSchema, compileDocumentShape } from '../sessions/index.ts'
import type { Command } from './command.ts'

/** Takes the commands as a thunk, for it is one of them itself. */
export function helpCommand(all: () => readonly Command[]): Command {
  return command({
    name: 'help',
    about: 'list the commands, or show one',
    positional: { name: 'COMMAND', about: 'the name of a command', least: 0, most: 1 },
    options: {
      'markdown': { type: 'flag', about: 'print the page docs/cli.md' },
      'http': { type: 'flag', about: 'print the page docs/http.md: the routes of a gateway' },
      'configuration': { type: 'flag', about: 'print the page docs/configuration.md: every setting of a gateway' },
      'configuration-schema': { type: 'flag', about: 'print the JSON Schema of a configuration file' },
      'compile-schema': { type: 'flag', about: 'print the JSON Schema of a prehend.compile/1 document' },
    },
    async run({ options, positionals: [name], io }) {
      const commands = all()
      const one = commands.find((candidate) => candidate.name === name)
      if (name !== undefined && one === undefined) {
        throw invalidInput(name, 'there is no such command', 'See prehend --help')
      }
      if (options.http === true) io.out((await import('../gateway/index.ts')).httpPage())
      else if (options.configuration === true)
        io.out((await import('./configuration-page.ts')).configurationPage(commands))
      else if (options['configuration-schema'] === true)
        io.out((await import('./configuration-file-schema.ts')).configurationSchemaText())
      else if (options['compile-schema'] === true) io.out(compileSchemaText())
      else if (options.json === true)
        io.out(`${JSON.stringify(one === undefined ? commands.map(helpDocument) : helpDocument(one))}\n`)
      else if (options.markdown === true) io.out(markdownHelp(commands))
      else io.out(one === undefined ? helpText(commands, io.columns) : commandHelp(one, io.columns))
    },
  })
}

/** As it stands in docs/compile.schema.json. */
export function compileSchemaText(): string {
  const about = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: compileDocumentSchema }
  return `${JSON.stringify({ ...about, ...compileDocumentShape.schema }, undefined, 2)}\n`
}
