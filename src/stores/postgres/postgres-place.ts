import { invalidInput } from '../../core/index.ts'
import { missingPackage } from '../kernel/missing-package.ts'
import type { Postgres } from './connection.ts'

/** Throws `invalid-input` for what is no address of a PostgreSQL server. */
export function requirePostgresUrl(url: string, name = 'options.url'): void {
  if (/^postgres(ql)?:\/\/[^/]/.test(url) && URL.canParse(url)) return
  throw invalidInput(name, 'is no address of a PostgreSQL server', 'Give one such as postgres://127.0.0.1/prehend.')
}

/** Names the database without user and password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

export function remedyAt(url: string): string {
  return `Look whether the server ${placeOf(url)} runs, whether the password is right, and whether it can be written to.`
}

export async function postgresPackage(): Promise<Postgres> {
  try {
    return (await import('postgres')).default
  } catch (error) {
    throw missingPackage('postgres', 'postgres://', error)
  }
}
