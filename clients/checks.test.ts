import { expect, it } from 'vitest'
import type { ReceiptSummary } from '../src/stores/index.ts'
import { outcomeOf } from './checks.ts'
import type { Played } from './play.ts'
import type { Exchanged } from './recorded.ts'

const turn: Exchanged = {
  method: 'POST',
  path: '/v1/messages',
  status: 200,
  type: 'text/event-stream',
  sent: '{"tools":[{"name":"read"}]}',
  received: 'data: {}\n\n',
}
const played: Played = {
  code: 0,
  output: '',
  exchanges: Array.from({ length: 20 }, () => turn),
  requests: [],
  files: { 'prehend-demo.md': 'a' },
}
const result: ReceiptSummary['result'] = {
  status: 200,
  rehydrations: 1,
  markersWritten: 1,
  upstreamMs: 1,
  overheadMs: 1,
}
const receipts = Array.from({ length: 20 }, (_, index): ReceiptSummary => {
  const head = { requestId: `req_${index}`, packId: '', session: 's', createdMs: 0, dialect: 'openai-chat' } as const
  return {
    ...head,
    mode: 'on',
    sequence: index,
    lane: '',
    policyId: 'careful',
    outcome: 'ok',
    epoch: 1,
    originalTokens: 2,
    packTokens: 1,
    result,
  }
})
const kept = { receipts, problems: [] }

function problemsOf(
  packed: Partial<Played>,
  of: Partial<Parameters<typeof outcomeOf>[2]> = {},
  without: Partial<Played> = {},
) {
  return outcomeOf({ ...played, ...without }, { ...played, ...packed }, { ...kept, ...of }).problems
}

function someTurns(change: Partial<Exchanged>): Pick<Played, 'exchanges'> {
  return { exchanges: [...played.exchanges.slice(1), { ...turn, ...change }] }
}

function everyReceipt(change: Partial<ReceiptSummary>): { readonly receipts: ReceiptSummary[] } {
  return { receipts: receipts.map((receipt) => ({ ...receipt, ...change })) }
}

it('a job that went as it should has no problems', () => {
  expect(problemsOf({})).toEqual([])
})

it.each([
  ['an exit code', problemsOf({ code: 3, output: 'no model' }), 'with Prehend, it ended with 3:\nno model'],
  ['an end of its time', problemsOf({}, {}, { code: -1 }), 'without Prehend, it did not end in time:\n'],
  ['a turn that was not streamed', problemsOf(someTurns({ type: 'application/json' })), 'not every turn was streamed'],
  ['other files', problemsOf({ files: { 'prehend-demo.md': 'b' } }), 'other files at the end: prehend-demo.md'],
  [
    'an exchange that was lost',
    problemsOf({}, { receipts: [...receipts.slice(1), { ...receipts[0]!, result: { ...result, hiddenLost: 1 } }] }),
    'what our calls had brought back was lost before 1 requests',
  ],
  [
    'a call of ours in a reply',
    problemsOf(someTurns({ received: '"name":"rehydrate"' })),
    'the client saw a call of ours',
  ],
  [
    'a call of ours in a request',
    problemsOf(someTurns({ sent: '{"tools":["rehydrate"]}' })),
    'the client saw a call of ours',
  ],
  [
    'no call of ours',
    problemsOf({}, everyReceipt({ result: { ...result, rehydrations: 0 } })),
    'no call of ours was answered',
  ],
  [
    'no shortened text in a file',
    problemsOf({}, everyReceipt({ result: { ...result, markersWritten: 0 } })),
    'nothing that was shown shortened was written into a file',
  ],
  ['nothing packed', problemsOf({}, everyReceipt({ packTokens: 2 })), 'nothing was packed'],
  ['no epoch', problemsOf({}, everyReceipt({ epoch: 0 })), 'no epoch was begun'],
  ['a turn without a receipt', problemsOf({}, { receipts: receipts.slice(1) }), '19 receipts of 20 turns'],
])('%s is one', (_, problems, wanted) => {
  expect(problems).toEqual([wanted])
})

it('too few turns, and fewer than without Prehend, are problems', () => {
  expect(problemsOf(someTurns({ status: 500 }))).toEqual([
    '19 turns, and not 20',
    '20 turns without Prehend, 19 with it',
  ])
})

it('a job without a file is a problem, though both are the same', () => {
  expect(problemsOf({ files: {} }, {}, { files: {} })).toEqual(['no file was written'])
})

it('what is wrong with a receipt is a problem', () => {
  expect(problemsOf({}, { problems: ['receipt req_1 does not verify'] as never[] })).toEqual([
    'receipt req_1 does not verify',
  ])
})

it('what a client has seen that packs its own calls is what it prints, and its turns are those with a receipt', () => {
  const exchanges = Array.from({ length: 22 }, () => ({ ...turn, sent: '{"tools":[{"name":"rehydrate"}]}' }))
  const problems = (output: string) => problemsOf({ exchanges, output }, { isInProcess: true })
  expect(problems('{"path":"prehend-demo.md"}')).toEqual([])
  expect(problems('"rehydrate" "prehend-demo.md"')).toEqual(['the client saw a call of ours'])
  expect(problems('Done.')).toEqual(['the client does not print the calls that it sees'])
})
