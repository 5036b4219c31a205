/** Collections of documents that are searched; the numbers stand in the database and never change. */
export const documentKinds = { original: 0, turnItem: 1 } as const
