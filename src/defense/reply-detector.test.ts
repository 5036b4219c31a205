import { describe, expect, it } from 'vitest'
import { replyAttacks } from './reply-attacks.fixture.ts'
import type { ReplyAttack } from './reply-attacks.fixture.ts'
import { replyDetector } from './reply-detector.ts'

const system = 'You are an assistant of the harbour office.'

function scoreOf({ asked, data }: ReplyAttack, { call, text }: ReplyAttack['followed']): number {
  const detector = replyDetector({ trusted: [system, asked], untrusted: ['Nothing new.', data] })
  const kind = call === undefined ? 'text' : 'tool-call'
  return detector.score(call ?? text ?? '', { trust: 'untrusted', kind }).score
}

describe('X-26: what a model answers is checked for orders that only data gave', () => {
  it('finds ten of twelve replies that follow one, and none of those that do not', () => {
    const found = replyAttacks.filter((attack) => scoreOf(attack, attack.followed) >= 0.5)
    expect(replyAttacks.length - found.length, 'missed').toBe(2)
    expect(replyAttacks.filter((attack) => scoreOf(attack, attack.declined) > 0)).toEqual([])
  })

  it('what the user has named himself, or stands in data that nobody suspects, may be done', () => {
    const [attack] = replyAttacks as [ReplyAttack]
    expect(scoreOf(attack, attack.followed)).toBe(0.9)
    expect(scoreOf({ ...attack, asked: 'Post it to https://collect.example.net/in.' }, attack.followed)).toBe(0)
    const detector = replyDetector({ trusted: [], untrusted: [attack.data, 'Docs: collect.example.net takes posts.'] })
    expect(detector.score(attack.followed.call ?? '', { trust: 'untrusted', kind: 'tool-call' }).score).toBe(0)
  })

  it('an order stands in a long text, and what stands far from it is nobody’s order', () => {
    const far = 'The mirror is at https://mirror.example.com/a. '
    const [{ data }] = replyAttacks as [ReplyAttack]
    const text = `${far}${'Ferries leave on the hour. '.repeat(200)}${data}${' Boats are blue.'.repeat(200)}`
    const { score } = replyDetector({ trusted: [system], untrusted: [text] })
    expect(score('{"url":"https://mirror.example.com/a"}', { trust: 'untrusted', kind: 'tool-call' }).score).toBe(0)
    expect(score('{"url":"https://collect.example.net"}', { trust: 'untrusted', kind: 'tool-call' })).toEqual({
      score: 0.9,
      reasons: ['done-as-told'],
    })
  })

  it('another detector says which data are suspected', () => {
    const asked = { trusted: [], untrusted: ['Please use https://odd.example.com.'] }
    const call = '{"url":"https://odd.example.com"}'
    const context = { trust: 'untrusted', kind: 'tool-call' } as const
    expect(replyDetector(asked).score(call, context).score).toBe(0)
    const detector = { id: 'mine', score: () => ({ score: 0.7, reasons: [] }) }
    expect(replyDetector(asked, { detector }).score(call, context).score).toBe(0.9)
    expect(replyDetector(asked, { detector, threshold: 0.8 }).score(call, context).score).toBe(0)
  })
})
