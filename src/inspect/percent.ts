/** A share as people read it, such as `12.5%`; `n/a` where there is none. */
export function percent(share: number | null): string {
  return share === null ? 'n/a' : `${(100 * share).toFixed(1)}%`
}
