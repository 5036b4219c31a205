import { command } from './command.ts'
import { receiptOptions, sessionNamed, withReceipts } from './receipts.ts'
import type { Receipts } from './receipts.ts'
import { sessionTable } from './session-report.ts'
import type { SessionWithWhy } from './session-report.ts'
import type { SessionSummary } from '../stores/index.ts'

export const sessionsCommand = command({
  name: 'sessions',
  about: 'list sessions: what each cost, and what cache marks and packing saved',
  positional: { name: 'SESSION', about: 'only this one', least: 0, most: 1 },
  options: {
    ...receiptOptions,
    limit: {
      type: 'number',
      about: 'how many, those last used first',
      placeholder: 'N',
      min: 1,
      max: 1000,
      fallback: '20',
    },
  },
  examples: ['prehend sessions', 'prehend sessions my-session --json', 'prehend sessions --url http://127.0.0.1:8484'],
  async run({ options, positionals: [session], io }) {
    await withReceipts(options, io, async (receipts) => {
      const { limit = 20 } = options
      const list = session === undefined ? await receipts.sessions({ limit }) : [await sessionNamed(receipts, session)]
      const found = await Promise.all(list.map((one) => withWhy(receipts, one)))
      io.out(options.json === true ? `${JSON.stringify({ sessions: found })}\n` : sessionTable(found, io.columns))
    })
  },
})

/** A session with why its newest request was sent whole, where it was. */
async function withWhy(receipts: Receipts, session: SessionSummary): Promise<SessionWithWhy> {
  const [newest] = await receipts.list({ session: session.session, limit: 1 })
  return newest?.why === undefined ? session : { ...session, why: newest.why }
}
