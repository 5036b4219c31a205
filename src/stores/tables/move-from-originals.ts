interface Move {
  /** What the handle begins with, before a space. */
  readonly word: string
  /** The value as JSON, in SQL. */
  readonly value: string
  /** The lane that held nothing else. */
  readonly lane?: string
}

/**
 * Earlier versions kept these values among the originals, under a handle that begins with a word and a space. Gives the SQL that moves
 * them, and removes the lanes that are empty then.
 */
export function moveFromOriginals(table: string, { word, value, lane }: Move): string {
  const held = `handle >= '${word} ' AND handle < '${word}!'`
  return `
    INSERT OR IGNORE INTO ${table} (tenant, key, value, written_ms)
      SELECT handles.tenant, substr(handle, ${word.length + 2}), ${value}, used_ms FROM handles
      JOIN sessions ON sessions.id = session_id JOIN texts ON texts.id = text_id WHERE ${held} ORDER BY used_ms;
    DELETE FROM handles WHERE ${held};
    ${lane === undefined ? '' : dropEmpty(lane)}
    DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM session_texts WHERE text_id = texts.id);
  `
}

function dropEmpty(lane: string): string {
  const empty = `SELECT id FROM sessions WHERE lane = '${lane}' AND ledger IS NULL AND overlay = '[]'
    AND NOT EXISTS (SELECT 1 FROM handles WHERE session_id = id) AND NOT EXISTS (SELECT 1 FROM receipts WHERE session_id = id)`
  return `
    DELETE FROM session_texts WHERE session_id IN (${empty});
    DELETE FROM sessions WHERE id IN (${empty});
  `
}
