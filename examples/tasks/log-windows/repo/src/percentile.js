export function percentile(numbers, share) {
  const sorted = numbers.sort()
  return sorted[Math.floor(sorted.length * share)]
}
