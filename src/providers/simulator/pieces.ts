/** A text in the pieces in which it is streamed: words with the space before them. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? []
}

/** A text in slices of at most `size` characters that never part a surrogate pair. */
export function slicesOf(text: string, size: number): readonly string[] {
  const slices: string[] = []
  for (let start = 0; start < text.length;) {
    const end = splitsPair(text, start + size) ? start + size + 1 : start + size
    slices.push(text.slice(start, end))
    start = end
  }
  return slices
}

function splitsPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}

/** A total in whole shares that follow the weights and add up to it. */
export function shareOut(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  let weighed = 0
  let given = 0
  return weights.map((weight) => {
    weighed += weight
    const share = sum === 0 ? 0 : Math.round((total * weighed) / sum) - given
    given += share
    return share
  })
}
