import { invalidInput } from '../core/index.ts'
import { command } from './command.ts'
import { receiptOptions, sessionNamed, withReceipts } from './receipts.ts'
import type { CompactionAsked, Receipts } from './receipts.ts'
import { compactionText, handoffText, sessionTable } from './session-report.ts'
import { costRow, unreadSession, whyMore } from '../sessions/index.ts'
import { turnLogText } from './turn-log-text.ts'
import type { SessionWithWhy } from './session-report.ts'
import type { SessionSummary } from '../stores/index.ts'

const mostListed = 1000

const options = {
  ...receiptOptions,
  'limit': {
    type: 'number',
    about: 'how many, those last used first',
    placeholder: 'N',
    min: 1,
    max: mostListed,
    fallback: '20',
  },
  'preserve-recent': {
    type: 'number',
    about: 'of compact: newest messages that stay as they are',
    placeholder: 'N',
    min: 0,
    fallback: 'as configured, else 6',
  },
  'summary-budget': {
    type: 'number',
    about: 'of compact and handoff: the most tokens of the brief or briefing',
    placeholder: 'TOKENS',
    min: 50,
    fallback: 'as configured, else 2000',
  },
  'search': {
    type: 'text',
    about: 'of log: words to find; the best turns stand first',
    placeholder: 'WORDS',
  },
  'from': { type: 'number', about: 'of log: the first turn', placeholder: 'N', min: 1 },
  'to': { type: 'number', about: 'of log: the last turn', placeholder: 'N', min: 1 },
  'instructions': {
    type: 'text',
    about:
      'of handoff: instructions for the model that writes the briefing, if the gateway at --url has one configured',
    placeholder: 'TEXT',
  },
} as const

export const sessionsCommand = command({
  name: 'sessions',
  about:
    'list sessions: what each cost, and what cache marks and packing saved; read the log of a session, compact it, or hand it over to a new one',
  details: [
    'prehend sessions [SESSION]: the cost of all sessions, or of one.',
    'prehend sessions log SESSION: the conversation, turn by turn, with what the client has dropped since.',
    'prehend sessions compact SESSION: shortens the old messages of its next request to a brief.',
    'prehend sessions handoff SESSION: begins a new session with a briefing of this one. To go on there, send its name in the header x-session-id.',
  ],
  positional: {
    name: 'SESSION',
    about: 'only this session; or log, compact or handoff, and SESSION',
    least: 0,
    most: 2,
  },
  options,
  examples: [
    'prehend sessions',
    'prehend sessions my-session --json',
    'prehend sessions log my-session --search "deadline of the release"',
    'prehend sessions compact my-session --preserve-recent 10',
    'prehend sessions handoff my-session --url http://127.0.0.1:8484',
  ],
  async run({ options: given, positionals: [first, second], io }) {
    const { limit = 20, json = false } = given
    const told = (value: object, text: string): void => io.out(json ? `${JSON.stringify(value)}\n` : text)
    const asked = askedIn(given)
    await withReceipts(given, io, async (receipts) => {
      if (second !== undefined && first === 'log') return logged(receipts, second, { given, told, columns: io.columns })
      if (second !== undefined) return acted(receipts, { action: first, session: second, asked, told })
      // One more says whether there are more, and one may be hidden; a gateway lists no more than the most at once.
      const asks = Math.min(limit + 2, mostListed)
      const list =
        first === undefined
          ? (await receipts.sessions({ limit: asks })).filter(isShown)
          : [await named(receipts, first)]
      const found = await Promise.all(list.slice(0, limit).map((one) => withWhy(receipts, one)))
      const outcomes = first === undefined || !json ? [] : await receipts.outcomes(first)
      const more = list.length > limit ? `\nThe ${limit} last used are shown. More: prehend sessions --limit N\n` : ''
      told({ sessions: found, ...(outcomes.length > 0 && { outcomes }) }, `${sessionTable(found, io.columns)}${more}`)
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
      `${action} is not log, compact or handoff`,
      'Name one session, or log SESSION, compact SESSION, or handoff SESSION.',
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
  if (session !== 'log' && session !== 'compact' && session !== 'handoff') return sessionNamed(receipts, session)
  const [found] = await receipts.sessions({ limit: 1, session })
  if (found !== undefined) return found
  throw invalidInput('SESSION', 'is missing', `Name it: prehend sessions ${session} SESSION.`)
}

interface LogAsked {
  readonly given: {
    readonly search?: string
    readonly from?: number
    readonly to?: number
    readonly limit?: number
  }
  told(value: object, text: string): void
  readonly columns: number | undefined
}

async function logged(receipts: Receipts, session: string, { given, told, columns }: LogAsked): Promise<void> {
  const { search: q, from, to, limit = 20 } = given
  await sessionNamed(receipts, session)
  const log = await receipts.turns(session, { q, from, to, limit })
  told(log, turnLogText(log, columns))
}

function isShown({ session, cost }: SessionSummary): boolean {
  return session !== unreadSession || cost.requests > 0
}

/** Receipts in which the reason of a session's cost is looked for, and newest ones among which one has ended. */
const mostReceipts = 1000
const mostOpen = 3

/** A session with why its newest request was sent whole, where it was, and why it costs more, where it does. */
async function withWhy(receipts: Receipts, summary: SessionSummary): Promise<SessionWithWhy> {
  const { session, cost } = summary
  const isMore = cost.priced > 0 && cost.usd > cost.clientUsd
  const newest = await receipts.list({ session, limit: isMore ? mostReceipts : mostOpen })
  const { why, leftTools, mode } = newest[0] ?? {}
  const leavesTools = mode === 'on' && leftTools !== undefined && leftTools.left > 0
  const ended = newest.find(({ result }) => result !== undefined)
  const more = isMore ? whyMore(newest.map(costRow)) : undefined
  return {
    ...summary,
    ...(why && { why }),
    ...(leavesTools && { leftTools }),
    ...(more !== undefined && { whyMore: more }),
    ...(ended?.result?.simulated === true && { simulated: true }),
  }
}
