import { commonOptions } from './command.ts'
import { hanging, proseWidth, shellLine, wrapped } from './wrap-text.ts'
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
  'Every command takes --json and --help. prehend --version prints the version.',
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
    ...(command.examples === undefined
      ? []
      : ['', 'Examples:', ...command.examples.map((line) => shellLine(`  ${line}`, width))]),
    '',
  ]
  return sections.join('\n')
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
    'Every command takes `--json` and `--help`. Environment variables set options that the command line does not.',
    '',
    'Exit codes: 0 done; 1 done, and something was wrong (`verify`, `doctor`); 2 bad input; 3 no access; 4 not found; 5 does not fit; 6 upstream failed; 7 store failed; 8 refused for safety; 70 a defect in prehend; 130 interrupted.',
    '',
  ]
  return [...head, ...commands.map(commandMarkdown)].join('\n')
}

function commandMarkdown(command: Command): string {
  const rows = Object.entries({ ...command.options, ...commonOptions }).map(
    ([name, spec]) => `| \`${optionUsage(name, spec)}\` | ${cell(optionAbout(spec))} |`,
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

function optionAbout(spec: OptionSpec): string {
  const facts = [
    ...(spec.choices === undefined ? [] : [`one of ${spec.choices.join(', ')}`]),
    ...(spec.type === 'list' ? ['may be given several times, or with commas'] : []),
    ...(spec.fallback === undefined ? [] : [`default: ${spec.fallback}`]),
    ...(spec.variables === undefined ? [] : [`environment: ${spec.variables.join(', ')}`]),
  ]
  return facts.length === 0 ? spec.about : `${spec.about} (${facts.join('; ')})`
}

function columns(rows: readonly (readonly [string, string])[], width: number): string {
  const indent = Math.min(26, Math.max(...rows.map(([left]) => left.length)) + 2)
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
