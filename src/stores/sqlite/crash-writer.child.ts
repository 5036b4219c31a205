// Writes commits into the store at argv[2] until it is killed; prints each one that was acknowledged. With `thread` as argv[4]
// the store works on a thread of its own.
import type { Manifest, OverlayPart } from '../../core/index.ts'
import { sqliteStore } from './sqlite-store.ts'
import { threadedSqliteStore } from './thread/threaded-sqlite-store.ts'

const [, , path = '', run = '0', kind] = process.argv
const store = kind === 'thread' ? await threadedSqliteStore({ path }) : sqliteStore({ path })

const manifest: Manifest = {
  schema: 'prehend.manifest/1',
  packHash: '',
  inputHash: '',
  policyId: '',
  policyVersion: '',
  tokenizerId: '',
  layout: 'messages',
  outcome: 'ok',
  windowTokens: 0,
  reserveTokens: 0,
  overheadTokens: 0,
  originalTokens: 0,
  packTokens: 0,
  utilisation: 0,
  signals: {},
  sections: [],
  decisions: [],
  truncations: [],
}

const nothingHidden = {
  visibleCallIds: [],
  visibleBlocks: 0,
  assistantIndex: 0,
  rounds: [],
  calls: [],
  results: [],
}

/** One session, commit after commit; each writes to every table that a request writes to. */
async function write(session: string): Promise<never> {
  const overlay: OverlayPart[] = []
  for (let turn = 1; ; turn += 1) {
    const id = `${session}-${turn}`
    overlay.push({ kind: 'hidden-turn', turn: { ...nothingHidden, visibleText: id } })
    await store.commit({
      scope: { tenant: 'acme', session },
      nowMs: turn,
      writes: [
        { table: 'receipts', receipt: { requestId: id, packId: id, dialect: 'openai-chat', mode: 'on', manifest } },
        {
          table: 'sessions',
          ledger: {
            schema: 'prehend.ledger/2',
            layout: 'messages',
            epoch: 1,
            policyId: '',
            entries: Array.from({ length: turn }, (_, index) => ({
              key: `${session}-${index + 1}`,
              rung: 'pointer' as const,
              tokens: 1,
              originalTokens: 10,
              handle: `${session}-${index + 1}`,
            })),
            turns: turn,
            lastTokens: 0,
            lastOriginalTokens: 0,
            account: { passThrough: 0, actual: 0 },
            rehydrations: 0,
            regret: 0,
          },
          overlay: [...overlay],
        },
        { table: 'originals', originals: [{ handle: id, text: `${id} `.repeat(500) }] },
      ],
    })
    process.stdout.write(`${session} ${turn}\n`)
  }
}

await Promise.all(['a', 'b', 'c'].map((name) => write(`${name}${run}`)))
