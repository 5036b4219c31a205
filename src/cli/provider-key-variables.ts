import { readFileSync } from 'node:fs'
import { invalidInput, isJsonObject } from '../core/index.ts'
import type { Io } from './io.ts'
import { errnoOf } from './listening.ts'
import { variablesOf } from './variables.ts'

/** By what keys of tenants are encrypted: the secret of the environment, or of a file that it names, goes before that of the configuration. */
export function providerKeysOf(environment: Io['environment'], fromFile: unknown): unknown {
  const secret = secretOf(environment)
  if (secret === undefined) return fromFile
  return { ...(isJsonObject(fromFile) ? fromFile : {}), secret }
}

function secretOf(environment: Io['environment']): string | undefined {
  const said = valueOf(environment, 'PROVIDER_KEYS_SECRET')
  const [, path] = valueOf(environment, 'PROVIDER_KEYS_SECRET_FILE') ?? []
  if (said !== undefined || path === undefined) return said?.[1]
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const name = 'PREHEND_PROVIDER_KEYS_SECRET_FILE'
    throw invalidInput(name, `names a file that cannot be read (${errnoOf(error)})`, 'Check the path.')
  }
}

function valueOf(environment: Io['environment'], name: string): readonly [name: string, value: string] | undefined {
  for (const one of variablesOf(name)) {
    const value = environment[one] ?? ''
    if (value !== '') return [one, value]
  }
  return undefined
}
