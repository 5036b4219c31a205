/** More tokens than any window has; larger figures are taken for mistakes. */
export const largestTokens = 1_000_000_000
