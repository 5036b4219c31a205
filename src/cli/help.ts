import { commonOptions } from './command.ts'
import { hanging, proseWidth, shellLine, wrapped } from './wrap-text.ts'
import { olderNamesMarkdown } from './older-names.ts'
import { namedVariables, usualVariable } from './variables.ts'
import type { Command, OptionSpec } from './command.ts'

const summary = 'Decides what reaches a language model.'

/** What `prehend --help` prints. */
export function helpText(commands: readonly Command[], terminalColumns?: number): string {
  const width = proseWidth(terminalColumns)
  const rows = commands.map((command) => [usageOf(command), command.about] as const)
  return [
    `${summary}\n`,
    'Usage: prehend COMMAND [OPTIONS]\n',
    'Commands:',
    columns(rows, width),
    '',
    ...notes.map((note) => hanging(note, width)),
    '',
  ].join('\n')
}

const notes = [
  'Every command takes --json and --help. prehend --version prints the version. Repeatable options also take several values with commas between them.',
  'Environment variables stand in the help of the command that reads them; the command line wins.',
  'Exit codes: 0 done, 1 done and something was wrong, 2 bad input, 3 no access, 4 not found, 5 does not fit, 6 upstream failed, 7 store failed, 8 refused for safety, 70 a defect in prehend, 130 interrupted.',
]

/** What `prehend COMMAND --help` prints. */
export function commandHelp(command: Command, terminalColumns?: number): string {
  const width = proseWidth(terminalColumns)
  const { positional } = command
  const sections = [
    `${hanging(command.about, width)}\n`,
    `Usage: prehend ${usageLine(command)}\n`,
    ...(command.details ?? []).map((paragraph) => `${wrapped(paragraph, width).join('\n')}\n`),
    ...(positional === undefined ? [] : ['Arguments:', columns([[positional.name, positional.about]], width), '']),
    'Options:',
    columns(optionRows(command), width),
    ...environmentNote(command, width),
    ...(command.examples === undefined
      ? []
      : ['', 'Examples:', ...command.examples.map((line) => shellLine(`  ${line}`, width))]),
    '',
  ]
  return sections.join('\n')
}

/** What `prehend help COMMAND --json` prints. */
export function helpDocument(command: Command): object {
  const options = Object.entries(command.options).map(([name, spec]) => {
    const { variables, ...rest } = spec
    return [name, { ...rest, ...(variables && { variables: namedVariables(variables) }) }] as const
  })
  return { ...command, options: Object.fromEntries(options) }
}

/** The same for docs/cli.md. */
export function markdownHelp(commands: readonly Command[]): string {
  const list = commands.map((command) => `| [\`${command.name}\`](#${command.name}) | ${cell(command.about)} |`)
  const head = [
    '# The command line',
    '',
    'Written by `npm run -s prehend -- help --markdown`; do not edit.',
    '',
    `\`prehend COMMAND [OPTIONS]\`; from a checkout, \`npm run -s prehend -- COMMAND [OPTIONS]\`.`,
    '',
    '| command | does |',
    '|---|---|',
    ...list,
    '',
    'Every command takes `--json` and `--help`. Repeatable options also take several values with commas between them. Environment variables set options that the command line does not; their names stand behind what an option means. [Older names](#older-names) of variables and settings still work.',
    '',
    'Exit codes: 0 done; 1 done, and something was wrong (`verify`, `doctor`); 2 bad input; 3 no access; 4 not found; 5 does not fit; 6 upstream failed; 7 store failed; 8 refused for safety; 70 a defect in prehend; 130 interrupted.',
    '',
  ]
  return [...head, ...commands.map(commandMarkdown), ...olderNamesMarkdown()].join('\n')
}

function commandMarkdown(command: Command): string {
  const rows = Object.entries({ ...command.options, ...commonOptions }).map(
    ([name, spec]) => `| \`${optionUsage(name, spec)}\` | ${cell(optionAbout(spec))}${variableCell(spec)} |`,
  )
  const { positional } = command
  return [
    `## ${command.name}`,
    '',
    `\`prehend ${usageLine(command)}\``,
    '',
    sentence(command.about),
    '',
    ...(command.details ?? []).flatMap((paragraph) => [paragraph, '']),
    ...(positional === undefined ? [] : [`\`${positional.name}\`: ${sentence(positional.about)}`, '']),
    '| option | meaning |',
    '|---|---|',
    ...rows,
    '',
    ...(command.examples === undefined ? [] : ['```sh', ...command.examples, '```', '']),
  ].join('\n')
}

/** Whether the text of an option names its choices already. */
function namesAll({ about, choices = [] }: OptionSpec): boolean {
  const words = new Set(about.split(/[^\w-]+/))
  return choices.every((choice) => words.has(choice))
}

function variableCell({ variables = [] }: OptionSpec): string {
  const named = namedVariables(variables)
  return named.length === 0 ? '' : `; ${named.map((name) => `\`${name}\``).join(', ')}`
}

function usageOf({ name, positional }: Command): string {
  if (positional === undefined) return name
  const argument = positional.most > 1 ? `${positional.name}…` : positional.name
  return `${name} ${positional.least === 0 ? `[${argument}]` : argument}`
}

/** Options stand anywhere, or before what is not ours. */
function usageLine(command: Command): string {
  const { name, positional } = command
  return positional?.rest === true ? `${name} [OPTIONS] ${positional.name}…` : `${usageOf(command)} [OPTIONS]`
}

function optionRows(command: Command): readonly (readonly [string, string])[] {
  return Object.entries({ ...command.options, ...commonOptions }).map(([name, spec]) => [
    optionUsage(name, spec),
    optionAbout(spec),
  ])
}

function optionUsage(name: string, spec: OptionSpec): string {
  const flag = name === 'help' ? '-h, --help' : `--${name}`
  return spec.type === 'flag' ? flag : `${flag} ${spec.placeholder ?? spec.type.toUpperCase()}`
}

/** Which options are also read from the environment; the usual variable follows from the name of its option. */
function environmentNote(command: Command, width: number): readonly string[] {
  const named = variablesByOption(command)
  if (named.length === 0) return []
  const without = Object.keys(command.options).filter((name) => !named.some(([other]) => other === name))
  const isMost = named.length > without.length
  const others = named.filter(([name, variable]) => variable !== usualVariable(name))
  const [example] = named.filter(([name, variable]) => variable === usualVariable(name))
  const told = isMost ? [...(example === undefined ? [] : [example]), ...others] : named
  const from = told.map(([name, variable]) => `--${name} from ${variable}`).join(', ')
  const but = without.length === 0 ? '' : ` but ${without.map((name) => `--${name}`).join(', ')}`
  const which = isMost ? `every option${but}; ` : ''
  return ['', ...wrapped(`Also read from the environment: ${which}${from}.`, width)]
}

function variablesByOption({ options }: Command): readonly (readonly [option: string, variable: string])[] {
  return Object.entries(options).flatMap(([name, { variables = [] }]) =>
    namedVariables(variables).map((variable) => [name, variable] as const),
  )
}

function optionAbout(spec: OptionSpec): string {
  const facts = [
    ...(namesAll(spec) ? [] : [`one of ${(spec.choices ?? []).join(', ')}`]),
    ...(spec.type === 'list' ? ['repeatable'] : []),
    ...(spec.fallback === undefined ? [] : [`default: ${spec.fallback}`]),
  ]
  return facts.length === 0 ? spec.about : `${spec.about} (${facts.join('; ')})`
}

function columns(rows: readonly (readonly [string, string])[], width: number): string {
  const indent = Math.min(24, Math.max(...rows.map(([left]) => left.length)) + 2)
  return rows
    .map(([left, right]) => {
      const lines = wrapped(right, width - indent - 2)
      const first = left.length + 2 > indent ? [`  ${left}`] : []
      const body = lines.map((line, index) =>
        index === 0 && first.length === 0 ? `  ${left.padEnd(indent)}${line}` : `  ${' '.repeat(indent)}${line}`,
      )
      return [...first, ...body].join('\n')
    })
    .join('\n')
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return capital.endsWith('.') ? capital : `${capital}.`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
