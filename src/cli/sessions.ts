import { invalidInput } from '../core/index.ts'
import { command } from './command.ts'
import { receiptOptions, sessionNamed, withReceipts } from './receipts.ts'
import type { CompactionAsked, Receipts } from './receipts.ts'
import { compactionText, handoffText, sessionTable } from './session-report.ts'
import type { SessionWithWhy } from './session-report.ts'
import type { SessionSummary } from '../stores/index.ts'

const options = {
  ...receiptOptions,
  'limit': {
    type: 'number',
    about: 'how many, those last used first',
    placeholder: 'N',
    min: 1,
    max: 1000,
    fallback: '20',
  },
  'preserve-recent': {
    type: 'number',
    about: 'of compact: newest messages that stay as they are; 6 unless told',
    placeholder: 'N',
    min: 0,
  },
  'summary-budget': {
    type: 'number',
    about: 'of compact and handoff: tokens of the brief; 2000 unless told',
    placeholder: 'TOKENS',
    min: 50,
  },
  'instructions': {
    type: 'text',
    about: 'of handoff: for the model that writes the briefing, where the gateway at --url has one',
    placeholder: 'TEXT',
  },
} as const

export const sessionsCommand = command({
  name: 'sessions',
  about: 'list sessions: what each cost, and what cache marks and packing saved; compact one, or hand it over',
  details: [
    'prehend sessions [SESSION]: all of them, or one.',
    'prehend sessions compact SESSION: old messages become a brief in its next request.',
    'prehend sessions handoff SESSION: a new session begins with a briefing of this one; name it in x-session-id to go on there.',
  ],
  positional: { name: 'SESSION', about: 'only this one; or compact or handoff, and the session', least: 0, most: 2 },
  options,
  examples: [
    'prehend sessions',
    'prehend sessions my-session --json',
    'prehend sessions compact my-session --preserve-recent 10',
    'prehend sessions handoff my-session --url http://127.0.0.1:8484',
  ],
  async run({ options: given, positionals: [first, second], io }) {
    const { limit = 20, json = false } = given
    const told = (value: object, text: string): void => io.out(json ? `${JSON.stringify(value)}\n` : text)
    const asked = askedIn(given)
    await withReceipts(given, io, async (receipts) => {
      if (second !== undefined) return acted(receipts, { action: first, session: second, asked, told })
      const list = first === undefined ? await receipts.sessions({ limit }) : [await named(receipts, first)]
      const found = await Promise.all(list.map((one) => withWhy(receipts, one)))
      told({ sessions: found }, sessionTable(found, io.columns))
    })
  },
})

type Given = Pick<
  { readonly 'preserve-recent'?: number; readonly 'summary-budget'?: number; readonly 'instructions'?: string },
  'preserve-recent' | 'summary-budget' | 'instructions'
>

function askedIn(given: Given): CompactionAsked {
  const {
    'preserve-recent': preserveRecent,
    'summary-budget': summaryBudget,
    'instructions': customInstructions,
  } = given
  return {
    ...(preserveRecent !== undefined && { preserveRecent }),
    ...(summaryBudget !== undefined && { summaryBudget }),
    ...(customInstructions !== undefined && { customInstructions }),
  }
}

interface Act {
  readonly action: string | undefined
  readonly session: string
  readonly asked: CompactionAsked
  told(value: object, text: string): void
}

async function acted(receipts: Receipts, { action, session, asked, told }: Act): Promise<void> {
  if (action !== 'compact' && action !== 'handoff')
    throw invalidInput(
      'SESSION',
      `${action} is not compact or handoff`,
      'Name one session, or compact SESSION, or handoff SESSION.',
    )
  await sessionNamed(receipts, session)
  if (action === 'compact') {
    const result = await receipts.compact(session, asked)
    return told(result, compactionText(result))
  }
  const result = await receipts.handOver(session, asked)
  told(result, handoffText(result))
}

/** Whoever names nothing but what is to be done has forgotten the session. */
async function named(receipts: Receipts, session: string): Promise<SessionSummary> {
  if (session !== 'compact' && session !== 'handoff') return sessionNamed(receipts, session)
  const [found] = await receipts.sessions({ limit: 1, session })
  if (found !== undefined) return found
  throw invalidInput('SESSION', 'is missing', `Name it: prehend sessions ${session} SESSION.`)
}

/** A session with why its newest request was sent whole, where it was. */
async function withWhy(receipts: Receipts, session: SessionSummary): Promise<SessionWithWhy> {
  const [newest] = await receipts.list({ session: session.session, limit: 1 })
  return newest?.why === undefined ? session : { ...session, why: newest.why }
}
