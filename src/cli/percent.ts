/** A share in % with one decimal, e.g. `12.5`; nothing where there is none. */
export function percent(share: number | null): string {
  return share === null ? '' : (100 * share).toFixed(1)
}
