/** Lists of a session that are stored by element; the numbers stand in the database and never change. */
export const listKinds = { item: 0, entry: 1, decision: 2, section: 3, overlay: 4, body: 5, turn: 6 } as const
