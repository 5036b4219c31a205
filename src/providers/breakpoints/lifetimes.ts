/** What caching for the shorter and for the longer time costs, in multiples of the input price. */
export interface LifetimePrices {
  readonly read: number
  readonly write: number
  readonly writeLong: number
  readonly shortMs: number
  readonly longMs: number
}

/** How a beginning that sessions share has been asked for. */
export interface PrefixUses {
  readonly lastMs: number
  /** Silences that only the longer lifetime outlasts. */
  readonly within: number
  /** Silences that none does. */
  readonly beyond: number
}

/** Silences that must have been seen before more is paid for a write. */
const leastSilences = 2
/** More than these are told by halves: what was long ago counts less. */
const mostSilences = 40
/** The longer lifetime must cost no more than this share of the shorter. */
const mostShare = 0.9

export function usedAgain(uses: PrefixUses | undefined, nowMs: number, prices: LifetimePrices): PrefixUses {
  if (!uses) return { lastMs: nowMs, within: 0, beyond: 0 }
  const silenceMs = nowMs - uses.lastMs
  const within = uses.within + Number(silenceMs > prices.shortMs && silenceMs <= prices.longMs)
  const beyond = uses.beyond + Number(silenceMs > prices.longMs)
  const scale = within + beyond > mostSilences ? 0.5 : 1
  return { lastMs: Math.max(uses.lastMs, nowMs), within: scale * within, beyond: scale * beyond }
}

/** Whether writing for the longer time would have cost less: one dear write for many cheap ones. */
export function longerPays({ within, beyond }: PrefixUses, { read, write, writeLong }: LifetimePrices): boolean {
  const short = (1 + within + beyond) * write
  const long = (1 + beyond) * writeLong + within * read
  return within >= leastSilences && long <= mostShare * short
}
