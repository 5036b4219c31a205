/** Sessions of so many requests are not short. */
export const longFrom = 10
/** What the definition of our tool costs where it is read, about. */
export const definitionTokens = 60
