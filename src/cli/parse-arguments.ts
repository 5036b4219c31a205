import { parseArgs } from 'node:util'
import { invalidInput } from '../core/index.ts'
import { commonOptions } from './command.ts'
import { didYouMean, suggest } from '../core/index.ts'
import type { Command, GivenOptions, OptionSpec, OptionTable } from './command.ts'
import type { Io } from './io.ts'

type OptionGiven = GivenOptions[string]

export interface ParsedArguments {
  readonly options: GivenOptions
  readonly positionals: readonly string[]
}

/** Options may stand anywhere; what is not on the command line is looked for in the environment. */
export function parseArguments(
  command: Command,
  argv: readonly string[],
  environment: Io['environment'] = {},
): ParsedArguments {
  const table: OptionTable = { ...command.options, ...commonOptions }
  const options: Record<string, OptionGiven> = fromEnvironment(table, environment)
  const seen = new Set<string>()
  const [own, rest] = command.positional?.rest === true ? splitAtFirst(table, argv) : [argv, []]
  const positionals: string[] = [...rest]
  for (const token of tokensOf(table, own)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const spec = specOf(table, token.name, token.rawName)
    const value = optionValue(spec, token)
    const earlier = seen.has(token.name) ? options[token.name] : undefined
    options[token.name] = spec.type === 'list' && Array.isArray(earlier) ? [...earlier, ...(value as string[])] : value
    seen.add(token.name)
  }
  if (options['help'] !== true) checkPositionals(command, positionals)
  return { options, positionals }
}

function tokensOf(table: OptionTable, argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { type }]) => [name, { type: type === 'flag' ? 'boolean' : 'string' } as const]),
  )
  return parseArgs({
    args: [...argv],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    tokens: true,
    strict: false,
    allowPositionals: true,
  }).tokens
}

/** What comes before the first argument, and that with all that follows it; `--` between them belongs to neither. */
function splitAtFirst(
  table: OptionTable,
  argv: readonly string[],
): readonly [own: readonly string[], rest: readonly string[]] {
  const first = tokensOf(table, argv).find(({ kind }) => kind !== 'option')
  if (first === undefined) return [argv, []]
  return [argv.slice(0, first.index), argv.slice(first.index + (first.kind === 'option-terminator' ? 1 : 0))]
}

function specOf(table: OptionTable, name: string, rawName: string): OptionSpec {
  const spec = Object.hasOwn(table, name) ? table[name] : undefined
  if (spec !== undefined) return spec
  throw invalidInput(rawName, 'there is no such option', remedyFor(name, table))
}

function remedyFor(name: string, table: OptionTable): string {
  // Other commands read a store by --data, so people give it to those that only a gateway can answer.
  if (name === 'data' && table['url'] !== undefined) return 'This command asks a running gateway: use --url'
  const meant = suggest(name, Object.keys(table))
  return meant ? `Did you mean --${meant}?` : 'See --help'
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
}

function optionValue(spec: OptionSpec, { rawName, value }: OptionToken): OptionGiven {
  if (spec.type === 'flag') {
    if (value === undefined) return true
    throw invalidInput(rawName, 'takes no value', 'Leave out what follows the equals sign')
  }
  // `--model --json` would otherwise take the next option for a value.
  if (value === undefined || (value.startsWith('--') && value.length > 2)) {
    throw invalidInput(rawName, 'needs a value', `Give ${spec.placeholder ?? 'one'} after it`)
  }
  return checkedValue(spec, rawName, value)
}

function checkedValue(spec: OptionSpec, field: string, value: string): OptionGiven {
  if (spec.type === 'number') return numberValue(spec, field, value)
  const values = spec.type === 'list' ? value.split(',').map((part) => part.trim()) : [value]
  for (const one of values) {
    if (spec.choices === undefined || spec.choices.includes(one)) continue
    const hint = didYouMean(one, spec.choices)
    throw invalidInput(field, `${JSON.stringify(one)} is not known`, `${hint}Use one of ${spec.choices.join(', ')}`)
  }
  return spec.type === 'list' ? values : value
}

function numberValue({ min, max }: OptionSpec, field: string, value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value)
  const tooSmall = min !== undefined && number < min
  const tooLarge = max !== undefined && number > max
  if (Number.isFinite(number) && !tooSmall && !tooLarge) return number
  const range = [min === undefined ? '' : ` from ${min}`, max === undefined ? '' : ` to ${max}`].join('')
  throw invalidInput(field, `${JSON.stringify(value)} will not do`, `Give a number${range}`)
}

function fromEnvironment(table: OptionTable, environment: Io['environment']): Record<string, OptionGiven> {
  const found: Record<string, OptionGiven> = {}
  for (const [name, spec] of Object.entries(table)) {
    const variable = spec.variables?.find((candidate) => (environment[candidate] ?? '') !== '')
    const value = variable === undefined ? undefined : environment[variable]
    if (variable === undefined || value === undefined) continue
    found[name] = spec.type === 'flag' ? flagValue(variable, value) : checkedValue(spec, variable, value)
  }
  return found
}

const flagWords: Readonly<Record<string, boolean>> = {
  '1': true,
  'true': true,
  'yes': true,
  'on': true,
  '0': false,
  'false': false,
  'no': false,
  'off': false,
}

function flagValue(variable: string, value: string): boolean {
  const flag = Object.hasOwn(flagWords, value.toLowerCase()) ? flagWords[value.toLowerCase()] : undefined
  if (flag === undefined) throw invalidInput(variable, `${JSON.stringify(value)} is no switch`, 'Use true or false')
  return flag
}

function checkPositionals({ name, positional }: Command, given: readonly string[]): void {
  const most = positional?.most ?? 0
  const extra = given[most]
  if (extra !== undefined) {
    throw invalidInput(JSON.stringify(extra), 'is one argument too many', `See prehend ${name} --help`)
  }
  if (positional !== undefined && given.length < positional.least) {
    throw invalidInput(positional.name, 'is missing', `Give ${positional.about}; see prehend ${name} --help`)
  }
}
