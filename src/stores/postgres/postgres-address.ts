import { invalidInput } from '../../core/index.ts'

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\/[^/]/.test(url) && URL.canParse(url)
}

/** Throws `invalid-input` for what is no address of a PostgreSQL server. */
export function requirePostgresUrl(url: string): void {
  if (isPostgresUrl(url)) return
  throw invalidInput(
    'options.url',
    'is no address of a PostgreSQL server',
    'Give one such as postgres://127.0.0.1/prehend.',
  )
}

/** Names the database without user and password. */
export function postgresPlace(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

export function remedyAt(url: string): string {
  return `Look whether the server ${postgresPlace(url)} runs, whether the password is right, and whether it can be written to.`
}
