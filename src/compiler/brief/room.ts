/** No text has fewer tokens for its characters. */
const mostCharactersPerToken = 8

/** What is left of a budget of tokens. Texts are estimated first, so that only those that may fit are counted. */
export class Room {
  #left: number
  readonly #count: (text: string) => number

  constructor(budget: number, count: (text: string) => number) {
    this.#left = budget
    this.#count = count
  }

  get left(): number {
    return this.#left
  }

  /** Whether a text fits with a line break behind it; if so, it is taken. */
  take(text: string): boolean {
    if (text.length > this.#left * mostCharactersPerToken) return false
    const tokens = this.#count(`${text}\n`)
    if (tokens > this.#left) return false
    this.#left -= tokens
    return true
  }
}
