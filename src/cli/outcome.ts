import { PrehendError, invalidInput } from '../core/index.ts'
import { mostNoteChars, outcomeSources } from '../stores/index.ts'
import type { OutcomeSource, RecordedOutcome } from '../stores/index.ts'
import { command } from './command.ts'
import { outcomeText } from './outcome-text.ts'
import { receiptOptions, sessionNamed, withReceipts } from './receipts.ts'

export const outcomeCommand = command({
  name: 'outcome',
  about: 'record how good a request or a whole session turned out, from 0 (bad) to 1 (good)',
  details: [
    'One outcome is kept for each source of a request, or of the whole session. The same quality again changes nothing; another one needs --replace. prehend packs PACK shows the outcomes.',
  ],
  positional: {
    name: 'SESSION',
    about: 'the name of the session; then the quality, a number from 0 to 1',
    least: 2,
    most: 2,
  },
  options: {
    ...receiptOptions,
    request: { type: 'text', about: 'rate this request, and not the whole session', placeholder: 'ID' },
    source: {
      type: 'text',
      about: 'where the quality comes from',
      placeholder: 'SOURCE',
      choices: outcomeSources,
      fallback: 'person',
    },
    note: { type: 'text', about: `why, in ${mostNoteChars} characters at most`, placeholder: 'TEXT' },
    replace: { type: 'flag', about: 'replace an earlier quality of the same source' },
  },
  examples: [
    'prehend outcome my-session 1',
    'prehend outcome my-session 0.8 --request req_0123 --source test --note "8 of 10 tests pass"',
    'prehend outcome my-session 0 --replace --url http://127.0.0.1:8484',
  ],
  async run({ options, positionals: [session = '', text = ''], io }) {
    const quality = qualityIn(text)
    const { request: requestId, source, note, replace, json = false } = options
    const given = {
      quality,
      requestId,
      source: source as OutcomeSource | undefined,
      note,
      replace,
    }
    const recorded = await withReceipts(options, io, async (receipts): Promise<RecordedOutcome> => {
      const outcome = await receipts.outcome(session, given)
      if (outcome !== undefined) return outcome
      await sessionNamed(receipts, session)
      throw noSuchRequest(requestId, session)
    })
    io.out(json ? `${JSON.stringify({ session, ...recorded })}\n` : `recorded: ${outcomeText(recorded)}\n`)
  },
})

function qualityIn(text: string): number {
  const quality = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (quality >= 0 && quality <= 1) return quality
  throw invalidInput('QUALITY', `${JSON.stringify(text)} is no number from 0 to 1`, 'Give one such as 0.8.')
}

function noSuchRequest(requestId: string | undefined, session: string): PrehendError<'not-found'> {
  const what = `request ${requestId} in session ${session}`
  const remedy = `List its requests with prehend packs --session ${JSON.stringify(session)}.`
  return new PrehendError('not-found', `There is no ${what}. ${remedy}`, { what, remedy })
}
