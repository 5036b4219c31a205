/** Steps that a match may take at worst. */
const mostSteps = 1_000_000

/**
 * Whether a text breaks a pattern, as far as that can be told cheaply. Schemas come from strangers, and an expression
 * such as `(a+)+$` takes longer than anybody waits: a pattern whose worst case is dear for this text demands nothing.
 */
export function breaksPattern(text: string, pattern: string): boolean {
  if (worstSteps(pattern, text.length) > mostSteps) return false
  try {
    return !new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

/** An upper bound of the steps of a backtracking match. */
function worstSteps(pattern: string, length: number): number {
  const plain = pattern.replaceAll(/\\[^1-9k]/g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  const isOpen = /\)[*+{]|\\[1-9k]|\(\?<?[=!]/.test(plain)
  if (isOpen) return Infinity
  const repeats = plain.match(/[*+]|\{/g)?.length ?? 0
  const choices = plain.match(/[?|]/g)?.length ?? 0
  const starts = plain.startsWith('^') && !plain.includes('|') ? 0 : 1
  return Math.max(1, length) ** (repeats + starts) * 2 ** choices
}
