import { describe, expect, it } from 'vitest'
import { joinedNews, newsQueue } from './joined-news.ts'
import type { ThreadNews } from './messages.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const head = { status: 200, headers: { a: 'b' } }

describe('joinedNews', () => {
  it('pieces of one answer are one piece, in its place; other news of the request keep their order', () => {
    const news: ThreadNews[] = [
      { kind: 'sent', id: 1 },
      { kind: 'answer', part: { id: 1, head, streams: true, bytes: bytes('one ') } },
      { kind: 'answer', part: { id: 2, bytes: bytes('other') } },
      { kind: 'answer', part: { id: 1, bytes: bytes('two ') } },
      { kind: 'answer', part: { id: 1, bytes: bytes('three'), isLast: true } },
      { kind: 'over', id: 1 },
      { kind: 'cut', id: 2 },
    ]
    const joined = joinedNews(news)
    expect(joined).toEqual([
      { kind: 'sent', id: 1 },
      { kind: 'answer', part: { id: 1, head, streams: true, bytes: bytes('one two three'), isLast: true } },
      { kind: 'answer', part: { id: 2, bytes: bytes('other') } },
      { kind: 'over', id: 1 },
      { kind: 'cut', id: 2 },
    ])
  })

  it('a head alone stays one that is flushed alone, and an end without bytes an end', () => {
    const alone: ThreadNews[] = [{ kind: 'answer', part: { id: 1, head } }]
    expect(joinedNews(alone)).toEqual(alone)
    const ended: ThreadNews[] = [...alone, { kind: 'answer', part: { id: 1, isLast: true } }]
    expect(joinedNews(ended)).toEqual([{ kind: 'answer', part: { id: 1, head, isLast: true } }])
  })

  it('counts of the same name and labels are added up; values of histograms and lines of the log stay apart', () => {
    const labels = { kind: 'input', family: 'openai' }
    const value = { to: 'metrics', name: 'overhead', by: 0.1, isValue: true } as const
    const line = { to: 'log', level: 'info', event: 'request' } as const
    const tokens = (by: number, more = labels): ThreadNews => ({
      kind: 'told',
      told: [{ to: 'metrics', name: 'tokens', labels: more, by }],
    })
    const joined = joinedNews([
      tokens(3),
      { kind: 'told', told: [value, line] },
      tokens(4),
      tokens(5, { ...labels, kind: 'output' }),
      { kind: 'told', told: [value, line] },
    ])
    expect(joined).toEqual([
      {
        kind: 'told',
        told: [
          { to: 'metrics', name: 'tokens', labels, by: 7 },
          value,
          line,
          { to: 'metrics', name: 'tokens', labels: { ...labels, kind: 'output' }, by: 5 },
          value,
          line,
        ],
      },
    ])
  })
})

it('newsQueue: one message for a turn of the loop, and at once what must be told before something else', async () => {
  const posted: { readonly all: readonly ThreadNews[]; readonly bytes: readonly number[] }[] = []
  const { say, flush } = newsQueue((all, handedOver) =>
    posted.push({ all, bytes: handedOver.map(({ byteLength }) => byteLength) }),
  )
  const piece = (text: string): ThreadNews => ({ kind: 'answer', part: { id: 1, bytes: bytes(text) } })
  say(piece('one '))
  say(piece('two'))
  expect(posted).toEqual([])
  await new Promise((done) => void setImmediate(done))
  expect(posted).toEqual([{ all: [piece('one two')], bytes: [7] }])
  say({ kind: 'sent', id: 1 })
  flush()
  expect(posted.length).toBe(2)
  await new Promise((done) => void setImmediate(done))
  expect(posted.length).toBe(2)
})
