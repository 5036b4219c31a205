import { sha256 } from '../../host/index.ts'
import type { TextRows } from '../kernel/table.ts'
import type { Statements } from './connection.ts'
import { escaped } from '../kernel/escape.ts'

/** Texts, each stored once however many sessions use it, under the hash of what is written. */
export interface TextWrites {
  /** Notes a text for `flush`; gives its hash. */
  put(sessionId: number, text: string): string
  /** Writes what was noted, in the order of the hashes, so that two transactions with the same texts do not block each other. */
  flush(): void
}

export function textWrites({ ask }: Statements): TextWrites {
  const texts = new Map<string, string>()
  const uses = new Map<string, { readonly sessionId: number; readonly hash: string }>()
  return {
    put(sessionId, text) {
      const hash = sha256(escaped(text), 'base64url')
      texts.set(hash, text)
      uses.set(`${sessionId} ${hash}`, { sessionId, hash })
      return hash
    },
    flush() {
      if (texts.size === 0) return
      const inOrder = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))
      const used = [...uses.values()]
      void ask(
        `WITH kept AS (INSERT INTO texts (hash, text) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING)
         INSERT INTO session_texts (session_id, hash) SELECT * FROM unnest($3::bigint[], $4::text[]) ON CONFLICT DO NOTHING`,
        [
          inOrder.map(([hash]) => hash),
          inOrder.map(([, text]) => text),
          used.map(({ sessionId }) => sessionId),
          used.map(({ hash }) => hash),
        ],
      )
    },
  }
}

export async function readTexts({ ask }: Statements, hashes: readonly string[]): Promise<Pick<TextRows, 'get'>> {
  const found = new Map<string, string>()
  if (hashes.length > 0) {
    const { rows } = await ask('SELECT hash, text FROM texts WHERE hash = ANY($1::text[])', [[...new Set(hashes)]])
    for (const row of rows) found.set(String(row['hash']), String(row['text']))
  }
  return {
    get(hash) {
      const text = found.get(hash)
      if (text === undefined) throw new Error('a text that is referred to is not there')
      return text
    },
  }
}

/** Removes the texts of sessions that no other session uses. */
export async function releaseTexts({ ask }: Statements, sessionIds: readonly number[]): Promise<void> {
  const { rows } = await ask('DELETE FROM session_texts WHERE session_id = ANY($1::bigint[]) RETURNING hash', [
    sessionIds,
  ])
  await ask(
    `DELETE FROM texts WHERE hash = ANY($1::text[])
     AND NOT EXISTS (SELECT 1 FROM session_texts WHERE session_texts.hash = texts.hash)`,
    [rows.map((row) => String(row['hash']))],
  )
}
