import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { freePort } from '../scripts/free-port.ts'

export interface PgliteServer {
  readonly url: string
  /** All its connections are one session, which ignores what a client starts with: the schema is set for all of them. */
  useSchema(schema: string): Promise<void>
  /** Runs statements in that session. */
  run(sql: string): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL in WebAssembly with pgvector, which Debian's packages lack, behind a port of loopback. It keeps everything in memory. */
export async function startPglite(): Promise<PgliteServer> {
  const db = await PGlite.create({ extensions: { vector } })
  const port = await freePort()
  const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 8 })
  await server.start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    useSchema: async (schema) => void (await db.exec(`SET search_path = "${schema}"`)),
    run: async (sql) => void (await db.exec(sql)),
    async stop() {
      await server.stop()
      await db.close()
    },
  }
}
