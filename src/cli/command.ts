import type { Io } from './io.ts'

/** One option, declared once: the parser, `--help` and docs/cli.md all come from here. */
export interface OptionSpec {
  readonly type: 'text' | 'number' | 'flag' | 'list'
  readonly about: string
  /** What stands for the value in help, e.g. `FILE`. */
  readonly placeholder?: string
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
  /** Path of the member of the gateway's configuration that it sets. */
  readonly setting?: string
  /** Told in help; commands apply it. */
  readonly fallback?: string
  /** Environment variables that set it when the command line does not, first one first. */
  readonly variables?: readonly string[]
}

export type OptionTable = Readonly<Record<string, OptionSpec>>

type OptionValue<Spec extends OptionSpec> = Spec['type'] extends 'number'
  ? number
  : Spec['type'] extends 'flag'
    ? boolean
    : Spec['type'] extends 'list'
      ? readonly string[]
      : string

/** The options that were given, by name. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: OptionValue<Table[Name]>
}

export interface Positional {
  readonly name: string
  readonly about: string
  readonly least: number
  readonly most: number
  /** From the first one on everything is an argument, also what looks like an option. */
  readonly rest?: boolean
}

export interface Invocation<Table extends OptionTable> {
  readonly options: OptionValues<Table> & { readonly json?: boolean }
  readonly positionals: readonly string[]
  readonly io: Io
}

interface CommandSpec<Table extends OptionTable> {
  readonly name: string
  /** One line, for the list of commands. */
  readonly about: string
  /** Paragraphs for the command's own help. */
  readonly details?: readonly string[]
  readonly positional?: Positional
  readonly options: Table
  readonly examples?: readonly string[]
  /** Gives the exit code; nothing means 0. */
  run(invocation: Invocation<Table>): Promise<number | void>
}

/** Options of a command line as the parser gives them. */
export type GivenOptions = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A command whose options are no longer known by type. */
export interface Command extends Omit<CommandSpec<OptionTable>, 'run'> {
  run(invocation: Omit<Invocation<OptionTable>, 'options'> & { readonly options: GivenOptions }): Promise<number | void>
}

/** Every command takes these. */
export const commonOptions = {
  json: { type: 'flag', about: 'print only the result, as JSON, on standard output' },
  help: { type: 'flag', about: 'show this help' },
} as const satisfies OptionTable

/** Keeps the options' types inside the command and forgets them outside. */
export function command<const Table extends OptionTable>(spec: CommandSpec<Table>): Command {
  return { ...spec, run: (invocation) => spec.run(invocation as unknown as Invocation<Table>) }
}
