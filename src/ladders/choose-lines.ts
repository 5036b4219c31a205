export interface LineChoice {
  /** Worth of each line in [0, 1]; lines of 1 and more are kept at any price. */
  readonly values: Float32Array
  readonly tokens: Float32Array
  /** What the marker of a run left out costs. */
  readonly markerTokens: number
  /** Worth that a line must bring per token. */
  readonly price: number
}

/**
 * Which lines to keep: the exact maximum of kept worth minus `price` times (kept tokens + markers), by a dynamic
 * programme over two states, linear in the number of lines. Short runs that a marker would outweigh stay by themselves.
 */
export function chooseLines(choice: LineChoice): Uint8Array {
  const size = choice.values.length
  const mask = new Uint8Array(size)
  chooseInto(mask, choice, choice.price, choicesOf(size))
  return mask
}

/** Room for the choices of one programme, which is used again by the next. */
interface Choices {
  readonly afterKeep: Uint8Array
  readonly afterDrop: Uint8Array
}

function choicesOf(size: number): Choices {
  return { afterKeep: new Uint8Array(size), afterDrop: new Uint8Array(size) }
}

function chooseInto(
  mask: Uint8Array,
  { values, tokens, markerTokens }: Omit<LineChoice, 'price'>,
  price: number,
  choices: Choices,
): void {
  const { afterKeep, afterDrop } = choices
  let keep = 0
  let drop = -Infinity
  for (let index = 0; index < mask.length; index++) {
    const value = values[index] ?? 0
    const toDrop = keep - price * markerTokens
    const keepFromDrop = drop > keep
    const dropFromKeep = toDrop > drop
    afterKeep[index] = keepFromDrop ? 0 : 1
    afterDrop[index] = dropFromKeep ? 1 : 0
    const best = keepFromDrop ? drop : keep
    drop = value >= 1 ? -Infinity : dropFromKeep ? toDrop : drop
    keep = best + value - price * (tokens[index] ?? 0)
  }
  let state = keep >= drop ? 1 : 0
  for (let index = mask.length - 1; index >= 0; index--) {
    mask[index] = state
    state = (state === 1 ? afterKeep[index] : afterDrop[index]) ?? 1
  }
}

/** Tokens of the lines that a mask keeps, and of the markers of the runs that it leaves out. */
export function keptTokens(mask: Uint8Array, tokens: Float32Array, markerTokens: number): number {
  let sum = 0
  for (let index = 0; index < mask.length; index++) {
    if (mask[index] === 1) sum += tokens[index] ?? 0
    else if (index === 0 || mask[index - 1] === 1) sum += markerTokens
  }
  return sum
}

/** Whether `keptTokens` is at most `most`. It stops where the sum has passed that, since no line takes less than nothing. */
function fits(mask: Uint8Array, { tokens, markerTokens }: Pick<LineChoice, 'tokens' | 'markerTokens'>, most: number) {
  let sum = 0
  for (let index = 0; index < mask.length && sum <= most; index++) {
    if (mask[index] === 1) sum += tokens[index] ?? 0
    else if (index === 0 || mask[index - 1] === 1) sum += markerTokens
  }
  return sum <= most
}

/** A mask whose kept tokens come close to `target` from below; forced lines may exceed it. */
export function chooseWithin(choice: Omit<LineChoice, 'price'>, target: number): Uint8Array {
  const size = choice.values.length
  const choices = choicesOf(size)
  let low = 1e-6
  let high = 10
  let mask = new Uint8Array(size)
  let candidate = new Uint8Array(size)
  let beyond: Uint8Array | undefined
  chooseInto(mask, choice, high, choices)
  for (let round = 0; round < 14; round++) {
    const price = Math.sqrt(low * high)
    chooseInto(candidate, choice, price, choices)
    if (fits(candidate, choice, target)) {
      const previous = mask
      mask = candidate
      candidate = previous
      high = price
    } else {
      low = price
      beyond = candidate.slice()
    }
  }
  return beyond === undefined ? mask : filled({ ...choice, mask, beyond }, target)
}

interface Filling extends Omit<LineChoice, 'price'> {
  readonly mask: Uint8Array
  /** What the next lower price keeps, which is too much. */
  readonly beyond: Uint8Array
}

interface KeptRun {
  readonly first: number
  readonly last: number
  readonly cost: number
  readonly worth: number
}

function densest(a: KeptRun, b: KeptRun): number {
  return b.worth / b.cost - a.worth / a.cost || a.first - b.first
}

const mostParts = 2_000

/** Lines that are worth alike go all at one price: as many of them as there is room for are taken back, the best run first. */
function filled({ values, tokens, markerTokens, mask, beyond }: Filling, target: number): Uint8Array {
  let room = target - keptTokens(mask, tokens, markerTokens)
  const runs: KeptRun[] = []
  for (let at = 0; at < mask.length; at++) {
    const first = at
    let cost = 0
    let worth = 0
    for (; at < mask.length && mask[at] === 0 && beyond[at] === 1; at++) {
      cost += tokens[at] ?? 0
      worth += values[at] ?? 0
    }
    if (at > first && worth > 0) runs.push({ first, last: at - 1, cost: cost + markerTokens, worth })
  }
  const take = (some: readonly KeptRun[]): void => {
    for (const { first, last, cost } of some.toSorted(densest)) {
      if (cost > room) continue
      mask.fill(1, first, last + 1)
      room -= cost
    }
  }
  take(runs)
  const parts = runs.filter(({ first }) => mask[first] === 0).flatMap(({ first, last }) => linesOf(first, last))
  take(parts.slice(0, mostParts))
  return mask

  function linesOf(first: number, last: number): readonly KeptRun[] {
    return Array.from({ length: last - first + 1 }, (_, offset) => {
      const at = first + offset
      return { first: at, last: at, cost: (tokens[at] ?? 0) + markerTokens, worth: values[at] ?? 0 }
    }).filter(({ worth }) => worth > 0)
  }
}
