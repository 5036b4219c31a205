/** A share in percent, to a tenth. */
export const percent = (share: number | null): string => (share === null ? 'n/a' : (100 * share).toFixed(1))

/** A cost beside another one, to a thousandth. */
export const ratio = (value: number | null): string => value?.toFixed(3) ?? 'n/a'

/** The same as `percent` with its sign. */
export const percentage = (share: number): string => `${percent(share)}%`
