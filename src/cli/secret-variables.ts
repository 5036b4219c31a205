import { invalidInput, isJsonObject } from '../core/index.ts'
import type { Io } from './io.ts'

type Settings = Readonly<Record<string, unknown>>
type Environment = Io['environment']

/** Upstreams of a configuration file, whose keys may stand in variables that `keyVariable` names. */
export function upstreamsWithKeys(upstreams: Settings, environment: Environment): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(upstreams).map(([name, settings]) => {
      if (!isJsonObject(settings) || typeof settings['keyVariable'] !== 'string') return [name, settings]
      const { keyVariable, ...own } = settings
      if ('apiKey' in own) throw bothGiven(`upstreams.${name}.apiKey`, 'keyVariable')
      const apiKey = valueOf(`upstreams.${name}.keyVariable`, keyVariable, environment)
      return [name, { ...own, apiKey }]
    }),
  )
}

/** Tokens of a configuration file, whose secrets may stand in variables that `tokenVariable` names. */
export function tokensOf(tokens: unknown, environment: Environment): unknown {
  if (!Array.isArray(tokens)) return tokens
  return tokens.map((entry: unknown, index) => {
    if (!isJsonObject(entry) || typeof entry['tokenVariable'] !== 'string') return entry
    const { tokenVariable, ...own } = entry
    if ('token' in own) throw bothGiven(`tokens[${index}].token`, 'tokenVariable')
    return { ...own, token: valueOf(`tokens[${index}].tokenVariable`, tokenVariable, environment) }
  })
}

/** A configuration file for a command that presents no secret: the variables that it names need no value there. */
export function withoutSecretVariables(file: Settings): Settings {
  const { upstreams, tokens } = file
  return {
    ...file,
    ...(isJsonObject(upstreams) && {
      upstreams: Object.fromEntries(
        Object.entries(upstreams).map(([name, settings]) => [name, without(settings, 'keyVariable')]),
      ),
    }),
    ...(Array.isArray(tokens) && {
      tokens: tokens.map((entry: unknown, index) =>
        isJsonObject(entry) && typeof entry['tokenVariable'] === 'string'
          ? { ...without(entry, 'tokenVariable'), token: `the variable of token ${index}` }
          : entry,
      ),
    }),
  }
}

function without<Value>(settings: Value, name: string): Value {
  if (!isJsonObject(settings)) return settings
  return Object.fromEntries(Object.entries(settings).filter(([member]) => member !== name)) as Value
}

/** Which of both would hold is easily mistaken, and the other stays in the file as if it held. */
function bothGiven(field: string, variable: string): Error {
  return invalidInput(field, `stands beside ${variable}`, 'Leave out one of them.')
}

function valueOf(field: string, variable: string, environment: Environment): string {
  const value = environment[variable] ?? ''
  if (value !== '') return value
  throw invalidInput(field, `${variable} is not set`, `Set it, or leave ${field.split('.').at(-1)} out`)
}
