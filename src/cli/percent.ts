import { percent as withSign } from '../inspect/index.ts'

/** A share for a table that is in % as a whole, such as `12.5`; nothing where there is none. */
export function percent(share: number | null): string {
  return share === null ? '' : withSign(share).slice(0, -1)
}
