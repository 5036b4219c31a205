/**
 * What the engine itself keeps, by version; an entry never changes once released. Names are compared by code point (`COLLATE "C"`), as in
 * SQLite. Times are milliseconds as JavaScript has them.
 */
export const kernelMigrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    lane text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    used_ms double precision NOT NULL,
    UNIQUE (tenant, name, lane)
  );
  CREATE INDEX sessions_by_use ON sessions (used_ms);
  CREATE INDEX sessions_listed ON sessions (tenant, used_ms, name);

  CREATE TABLE fragments (
    session_id bigint NOT NULL,
    kind integer NOT NULL,
    number integer NOT NULL,
    elements text NOT NULL,
    PRIMARY KEY (session_id, kind, number)
  );

  CREATE TABLE texts (hash text COLLATE "C" PRIMARY KEY, text text NOT NULL);

  CREATE TABLE session_texts (
    session_id bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    PRIMARY KEY (session_id, hash)
  );
  CREATE INDEX session_texts_by_hash ON session_texts (hash);

  CREATE TABLE documents (
    session_id bigint NOT NULL,
    kind integer NOT NULL,
    number bigint NOT NULL,
    length integer NOT NULL,
    terms text[] COLLATE "C" NOT NULL,
    counts integer[] NOT NULL,
    PRIMARY KEY (session_id, kind, number)
  );
  CREATE INDEX documents_by_term ON documents USING gin (terms);

  CREATE TABLE pings (id integer PRIMARY KEY, pings bigint NOT NULL);
  `,
]
