const place = /^(\d{1,7})[:-]/
/** Blank lines are not in a sample, so that a view's numbers may leave some out. */
const longestStep = 3
const heading = /^(?:[\w@.~+-]*\/)*[\w@.~+-]+$/

/**
 * Matches with their line numbers, below the file's name or without one: numbers that jump, or separators between groups. A
 * numbered view counts on by one, a date does not grow.
 */
export function isNumberedSearch(lines: readonly string[]): boolean {
  const numbers = lines.map((line) => Number(place.exec(line)?.[1] ?? Number.NaN))
  const isPlaced = (index: number): boolean => !Number.isNaN(numbers[index] ?? Number.NaN)
  const placed = numbers.filter((_, index) => isPlaced(index)).length
  const breaks = lines.filter((line, index) => !isPlaced(index) && (line === '--' || heading.test(line))).length
  if (placed < 2 || placed + breaks < 0.9 * lines.length || placed < 0.6 * lines.length) return false
  let pairs = 0
  let growing = 0
  let jumps = 0
  for (let index = 1; index < numbers.length; index++) {
    if (!isPlaced(index) || !isPlaced(index - 1)) continue
    const step = (numbers[index] ?? 0) - (numbers[index - 1] ?? 0)
    pairs++
    if (step > 0) growing++
    if (step > longestStep) jumps++
  }
  return growing >= 0.9 * pairs && (breaks > 0 || jumps > 0.2 * pairs)
}
