import type { Problem } from '../wire.ts'

export function invalid(message: string): Problem {
  return { status: 400, type: 'INVALID_ARGUMENT', message }
}
