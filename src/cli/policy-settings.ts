import { policySettingNames } from '../compiler/index.ts'
import { invalidInput } from '../core/index.ts'
import type { OptionSpec } from './command.ts'
import type { Io } from './io.ts'
import { variablesOf } from './variables.ts'

/** Figures of a policy on a command line. */
export const settingsOption = {
  type: 'list',
  about: 'a setting of the policy, as pressure_compress=0.9 or in the environment PREHEND_PRESSURE_COMPRESS',
  placeholder: 'NAME=VALUE',
  setting: 'settings',
} as const satisfies OptionSpec

/** The name of a setting by each of its variables; those by our own names stand last. */
export const settingVariables: ReadonlyMap<string, string> = new Map(
  policySettingNames.toReversed().flatMap((name) => {
    const variables = variablesOf(name.toUpperCase()).toReversed()
    return variables.map((variable) => [variable, name] as const)
  }),
)

/** What command line and environment say of a policy's figures; the command line goes first. Throws `invalid-input` that names what is no pair. */
export function settingsSaid(
  given: readonly string[] | undefined,
  environment: Io['environment'],
): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {}
  for (const [variable, name] of settingVariables) {
    const value = environment[variable] ?? ''
    if (value !== '') settings[name] = value
  }
  for (const pair of given ?? []) {
    const split = pair.indexOf('=')
    if (split < 1) throw invalidInput('--set', `${JSON.stringify(pair)} is no pair`, 'Give NAME=VALUE')
    const name = pair.slice(0, split).trim().toLowerCase()
    // What was said last stands last, and holds where two names mean the same.
    delete settings[name]
    settings[name] = pair.slice(split + 1).trim()
  }
  return settings
}
