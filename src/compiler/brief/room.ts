/** What is left of a budget of tokens. Texts are estimated first, so that only those that may fit are counted. */
export interface Room {
  readonly left: number
  /** Whether a text fits with a line break behind it; if so, it is taken. */
  take(text: string): boolean
}

/** No text has fewer tokens for its characters. */
const mostCharactersPerToken = 8

export function room(budget: number, count: (text: string) => number): Room {
  let left = budget
  return {
    get left() {
      return left
    },
    take(text) {
      if (text.length > left * mostCharactersPerToken) return false
      const tokens = count(`${text}\n`)
      if (tokens > left) return false
      left -= tokens
      return true
    },
  }
}
