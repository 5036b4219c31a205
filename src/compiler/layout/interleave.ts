/**
 * Ranked values, best first, so that the best stand at both ends and the weakest in the middle: front, back, back,
 * front, front, back, back, and so on.
 */
export function interleave<Value>(ranked: readonly Value[]): readonly Value[] {
  const front: Value[] = []
  const back: Value[] = []
  for (const [index, value] of ranked.entries()) {
    const turn = index % 4
    if (turn === 0 || turn === 3) front.push(value)
    else back.push(value)
  }
  return [...front, ...back.toReversed()]
}
