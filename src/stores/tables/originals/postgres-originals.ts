import type { PostgresReader, PostgresRow, PostgresTable } from '../../kernel/table.ts'
import { listedOriginals } from './listed-originals.ts'
import type { Original, OriginalTypes } from './original.ts'
import { indexOriginals, searchOriginals } from './postgres-original-search.ts'
import { takenHandle } from './taken-handle.ts'

const ofSession = 'session_id IN (SELECT id FROM sessions WHERE tenant = $1 AND name = $2)'

export const postgresOriginals: PostgresTable<OriginalTypes> = {
  migrations: [
    `
    CREATE TABLE handles (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant text COLLATE "C" NOT NULL,
      handle text COLLATE "C" NOT NULL,
      session_id bigint NOT NULL,
      text_hash text COLLATE "C" NOT NULL,
      about text NOT NULL,
      UNIQUE (tenant, handle, session_id)
    );
    CREATE INDEX handles_by_session ON handles (session_id);

    CREATE FUNCTION refuse_handle(handle text) RETURNS text LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${takenHandle('%')}', handle; END
    $$;
    `,
  ],
  apply(on, row, { scope: { tenant }, sessionId }) {
    const given = new Map<string, { readonly hash: string; readonly about: string }>()
    for (let at = 0; at < row.length; at += 3) {
      const [handle, about] = [String(row[at]), String(row[at + 2])]
      const hash = on.putText(sessionId, String(row[at + 1]))
      const known = given.get(handle)
      if (known && known.hash !== hash) throw new Error(takenHandle(handle))
      if (!known) given.set(handle, { hash, about })
    }
    on.send(
      `INSERT INTO handles (tenant, handle, session_id, text_hash, about) SELECT $1, handle, $2, hash, about
       FROM unnest($3::text[], $4::text[], $5::text[]) AS given (handle, hash, about)
       ON CONFLICT (tenant, handle, session_id) DO UPDATE SET text_hash = refuse_handle(excluded.handle)
       WHERE handles.text_hash <> excluded.text_hash`,
      tenant,
      sessionId,
      [...given.keys()],
      [...given.values()].map(({ hash }) => hash),
      [...given.values()].map(({ about }) => about),
    )
  },
  reads: (on) => ({
    async get({ tenant, session }, handle) {
      const rows = await on.all(
        `SELECT handle, about, text_hash FROM handles WHERE tenant = $1 AND handle = $3 AND
         ($2::text IS NULL OR ${ofSession}) LIMIT 1`,
        tenant,
        session,
        handle,
      )
      return (await originalsIn(on, rows))[0]
    },
    all: async ({ tenant, session }) =>
      originalsIn(
        on,
        await on.all(
          `SELECT DISTINCT ON (handle) handle, about, text_hash FROM handles WHERE ${ofSession} ORDER BY handle, id`,
          tenant,
          session,
        ),
      ),
    async list({ tenant, session }, query) {
      const rows = await on.all(
        `SELECT DISTINCT ON (handle) handle, about FROM handles WHERE ${ofSession} ORDER BY handle, id`,
        tenant,
        session,
      )
      return listedOriginals(
        rows.map((row) => ({ handle: String(row['handle']), ...aboutIn(row) })),
        query,
      )
    },
    search: (scope, words, search) => searchOriginals(on, { scope, words, search, originalsIn }),
  }),
  prepare: { search: (on, scope) => indexOriginals(on, { scope, originalsIn }) },
  async dropSessions(on, ids) {
    await on.run('DELETE FROM handles WHERE session_id = ANY($1::bigint[])', ids)
    return 0
  },
}

async function originalsIn(on: PostgresReader, rows: readonly PostgresRow[]): Promise<readonly Original[]> {
  const texts = await on.texts(rows.map((row) => String(row['text_hash'])))
  return rows.map((row) => ({
    handle: String(row['handle']),
    text: texts.get(String(row['text_hash'])),
    ...aboutIn(row),
  }))
}

function aboutIn(row: PostgresRow): Omit<Original, 'handle' | 'text'> {
  return JSON.parse(String(row['about'])) as Omit<Original, 'handle' | 'text'>
}
