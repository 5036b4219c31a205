import { invalidInput, principalScopes } from '../core/index.ts'
import type { PrincipalScope } from '../core/index.ts'
import { command } from './command.ts'
import { keyTable, keyText } from './key-report.ts'
import { placeOptions, withKeys } from './keys-place.ts'
import type { KeysPlace, SecretKey } from './keys-place.ts'
import { printable } from './printable.ts'
import { durationIn, momentIn, momentText } from './time-text.ts'
import type { Io } from './io.ts'

const dayMs = 86_400_000

const actions = ['list', 'create', 'show', 'rotate', 'revoke'] as const

export const keysCommand = command({
  name: 'keys',
  about: 'make, list, rotate and revoke the virtual keys by which clients of a gateway ask',
  details: [
    'prehend keys list: the newest first. prehend keys show ID.',
    'prehend keys create NAME: prints the secret, once, on standard output and everything else on standard error.',
    'prehend keys rotate ID: makes a key with a new secret, and prints that; the old one is good for --grace.',
    'prehend keys revoke ID: ends a key. With --url every process stops it at once; one that runs on the same store notices within 5 seconds.',
    'A gateway asks for keys where it has a token of its own. To manage keys by --url, give a token with the scope admin, or operator for all tenants.',
  ],
  positional: {
    name: 'ACTION',
    about: 'list, create, show, rotate or revoke; then the NAME of a new key, or the ID of one',
    least: 0,
    most: 2,
  },
  options: {
    ...placeOptions,
    tenant: {
      type: 'text',
      about: 'whose key',
      placeholder: 'TENANT',
      fallback: "of create default in a store, at a gateway the token's own; else all",
    },
    team: { type: 'text', about: 'of create: the team that uses it', placeholder: 'TEAM' },
    user: { type: 'text', about: 'of create: the person or program that uses it', placeholder: 'USER' },
    scope: {
      type: 'list',
      about: 'of create: what it may do: inference, read, admin, operator or metrics',
      placeholder: 'SCOPE',
      choices: principalScopes,
      fallback: 'inference',
    },
    model: { type: 'list', about: 'of create: a model that it may use, * for any characters', placeholder: 'MODEL' },
    route: {
      type: 'list',
      about: 'of create: a route that it may use, such as "POST /v1/messages"',
      placeholder: 'ROUTE',
    },
    budget: {
      type: 'list',
      about: 'of create: what it may spend, such as usdPerDay=5 or requestsPerMinute=60',
      placeholder: 'LIMIT=N',
    },
    expires: { type: 'text', about: 'of create: when it ends, such as 90d or 2027-01-31', placeholder: 'TIME' },
    grace: {
      type: 'text',
      about: 'of rotate: how long the old secret is still good, such as 1h; at most 30d',
      placeholder: 'TIME',
      fallback: '0s',
    },
    limit: { type: 'number', about: 'of list: how many', placeholder: 'N', min: 1, max: 1000, fallback: '100' },
  },
  examples: [
    'prehend keys create ci --tenant acme --model "gpt-*" --expires 90d',
    'prehend keys create agent --tenant acme --budget usdPerDay=5 --budget requestsPerMinute=60',
    'prehend keys list --url http://127.0.0.1:8484 --token OPERATOR_TOKEN',
    'prehend keys rotate key_0123456789abcdef --grace 1h',
    'prehend keys revoke key_0123456789abcdef',
  ],
  async run({ options, positionals: [action = 'list', name], io }) {
    requireAction(action, name)
    const { tenant, limit = 100, grace = '0s', json = false, ...given } = options
    const graceMs = await graceIn(grace)
    const expiresMs = given.expires === undefined ? undefined : momentIn(given.expires, '--expires', Date.now())
    const told = (value: object, text: string): void => io.out(json ? `${JSON.stringify(value)}\n` : text)
    await withKeys({ ...given, ...(tenant !== undefined && { tenant }) }, io, async (keys: KeysPlace) => {
      if (action === 'list') {
        const found = await keys.list({ tenant, limit })
        return told({ keys: found }, keyTable(found, io.columns))
      }
      const id = name ?? ''
      if (action === 'show') return told(...both(await keys.show(id)))
      if (action === 'revoke') return told(...both(await keys.revoke(id)))
      if (action === 'rotate') {
        const rotated = await keys.rotate(id, graceMs)
        return secretly({ io, json, key: rotated, about: `${id} ends at ${momentText(rotated.replaced.expiresMs)}\n` })
      }
      const { team, user, scope, model, route, budget } = given
      const scopes = scope as readonly PrincipalScope[] | undefined
      const limits = { scopes, allowedModels: model, allowedRoutes: route, expiresMs }
      const key = await keys.create({ name: id, team, user, budgets: budgetsIn(budget), ...limits })
      return secretly({ io, json, key, about: '' })
    })
  },
})

/** Throws `invalid-input` above what a rotation takes. */
async function graceIn(text: string): Promise<number> {
  const graceMs = durationIn(text, '--grace')
  if (graceMs === 0) return graceMs
  const { mostGraceMs } = await import('../gateway/index.ts')
  if (graceMs <= mostGraceMs) return graceMs
  throw invalidInput(
    '--grace',
    `at most ${mostGraceMs / dayMs}d`,
    'Give less, or create a second key and revoke the old one later.',
  )
}

/** Limits by name; the gateway says which there are. */
function budgetsIn(texts: readonly string[] | undefined): Readonly<Record<string, number>> | undefined {
  if (texts === undefined) return undefined
  return Object.fromEntries(
    texts.map((text) => {
      const [name = '', figure = '', ...rest] = text.split('=')
      const most = Number(figure)
      if (name === '' || figure.trim() === '' || !Number.isFinite(most) || rest.length > 0)
        throw invalidInput('--budget', `${JSON.stringify(text)} is no limit`, 'Give one such as usdPerDay=5.')
      return [name, most] as const
    }),
  )
}

type Key = Awaited<ReturnType<KeysPlace['show']>>

function both(key: Key): readonly [Key, string] {
  return [key, keyText(key)]
}

interface Secretly {
  readonly io: Io
  readonly json: boolean
  readonly key: SecretKey
  readonly about: string
}

/** The secret alone goes to standard output, so that it can be put where it is needed. */
function secretly({ io, json, key, about }: Secretly): void {
  if (json) return io.out(`${JSON.stringify(key)}\n`)
  const { secret, warnings = [], ...rest } = key
  for (const warning of warnings) io.err(`prehend: ${printable(warning)}\n`)
  io.err(`${keyText(rest)}${about}The secret is shown only now.\n`)
  io.out(`${secret}\n`)
}

function requireAction(action: string, name: string | undefined): void {
  if (!(actions as readonly string[]).includes(action))
    throw invalidInput('ACTION', `${JSON.stringify(action)} is not known`, `Use one of ${actions.join(', ')}.`)
  if (action === 'list' && name !== undefined)
    throw invalidInput('ID', 'is not for list', 'Leave it out, or use prehend keys show ID.')
  if (action !== 'list' && (name ?? '').trim() === '') {
    const [what, remedy] =
      action === 'create' ? ['NAME', 'Say what the key is for.'] : ['ID', 'List keys with prehend keys list.']
    throw invalidInput(what, 'is missing', remedy)
  }
}
