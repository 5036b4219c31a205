import { errorPlaces } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'

/** The status of an error for clients of providers: agents compact where a request that is too long is refused as providers do. */
export function clientStatus({ code }: Pick<PrehendError, 'code'>): number {
  return code === 'budget-exhausted' ? 400 : errorPlaces[code].httpStatus
}

/** An error's words; for what does not fit, with those before them by which agents know that they have to compact. */
export function clientMessage(error: PrehendError, tooLong: (needed: number, available: number) => string): string {
  const { code, data, message } = error
  if (code !== 'budget-exhausted' || !('neededTokens' in data) || data.mustSplit) return message
  return `${tooLong(data.neededTokens, data.availableTokens)} ${message}`
}
