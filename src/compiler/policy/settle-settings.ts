import type { Policy } from '../../core/index.ts'
import { PrehendError, inOne, isPrehendError } from '../../core/index.ts'
import { validatePolicy } from './sound-policy.ts'
import { settingPath, tenantChanges } from './tenant-settings.ts'

export type Settings = Readonly<Record<string, unknown>>

export interface Settling {
  readonly given: Settings
  /** Where the settings stand, for messages. */
  readonly at: string
  /** Where paths begin in the policy that the settings change; the policy itself by default. */
  readonly root?: string
  /** The policy with some of the settings; those can be read. */
  apply(settings: Settings): Policy
  /**
   * Throws `invalid-input` where the policy cannot hold; that it contradicts itself is checked before. Gets the settings that the policy
   * has, too: all of them, or those that are tried alone.
   */
  check?(policy: Policy, settings: Settings): void
}

/** A policy with settings. Throws one `invalid-input` with a line for every setting that is wrong, by itself or beside others. */
export function settled(settling: Settling): Policy {
  const { given, at, apply } = settling
  const { readable, errors } = readableOf(given, at)
  let rest = readable
  for (;;) {
    const problem = problemIn(settling, rest)
    if (problem === undefined) break
    const names = culpritsOf(settling, rest, problem)
    errors.push(names.length === 0 ? problem : toldBy(problem, names, settling))
    if (names.length === 0) break
    rest = without(rest, names)
  }
  if (errors.length > 0) throw inOne(errors)
  return apply(given)
}

function readableOf(given: Settings, at: string): { readonly readable: Settings; readonly errors: unknown[] } {
  const errors: unknown[] = []
  const readable = Object.entries(given).filter(([name, value]) => {
    try {
      tenantChanges({ [name]: value }, at)
      return true
    } catch (error) {
      errors.push(error)
      return false
    }
  })
  return { readable: Object.fromEntries(readable), errors }
}

type Problem = PrehendError<'invalid-input'>

function problemIn({ apply, check }: Settling, settings: Settings): Problem | undefined {
  try {
    const policy = apply(settings)
    validatePolicy(policy)
    check?.(policy, settings)
    return undefined
  } catch (error) {
    if (isPrehendError(error) && error.code === 'invalid-input') return error as Problem
    throw error
  }
}

/** The settings without any one of which the problem is gone; else the first that makes it alone, for others may, too. */
function culpritsOf(settling: Settling, settings: Settings, problem: Problem): readonly string[] {
  const isSame = (other: Problem | undefined): boolean => other?.data.field === problem.data.field
  if (isSame(problemIn(settling, {}))) return []
  const names = Object.keys(settings)
  const needed = names.filter((name) => !isSame(problemIn(settling, without(settings, [name]))))
  if (needed.length > 0) return needed
  const alone = names.find((name) => isSame(problemIn(settling, { [name]: settings[name] })))
  return alone === undefined ? names : [alone]
}

function without(settings: Settings, names: readonly string[]): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))
}

/** What is wrong with a policy since it has settings, by the names of those. */
function toldBy(
  { message, data }: Problem,
  names: readonly string[],
  { at, root = 'policy', apply }: Settling,
): PrehendError {
  const { field, remedy } = data
  const [name = '', ...others] = names
  const under = [root, 'policy'].find((place) => field.startsWith(`${place}.`))
  const path = under === undefined ? '' : field.slice(under.length + 1)
  const isOwn =
    others.length === 0 && (path === '' || path.replaceAll('.', '_').replaceAll(/[A-Z]/g, lower) === settingPath(name))
  const why = message.startsWith(`${field}: `) ? message.slice(`${field}: `.length) : message
  const beside = others.length > 0 ? `with ${others.join(', ')}, ` : ''
  const text = `${at}.${name}: ${beside}${isOwn || path === '' ? '' : `${path} of ${apply({}).id} `}${why}`
  return new PrehendError('invalid-input', text, { field: `${at}.${name}`, remedy })
}

function lower(letter: string): string {
  return `_${letter.toLowerCase()}`
}
