import { composePolicy } from '../compiler/index.ts'
import type { DefensePolicy, InjectionDetector, Item, ReplySaid, SecurityFinding, UserAction } from '../core/index.ts'
import { PrehendError, jsonReadings, textMemo } from '../core/index.ts'
import { heuristicDetector, replyDetector, trustOf } from '../defense/index.ts'
import type { Asked } from './refused-for.ts'

/** What is done about a reply that follows orders in data: a note of it, unless a policy with a defense says otherwise. */
export function replyAction(asked: Asked): UserAction {
  const defense = defenseOf(asked)
  return defense === undefined ? 'off' : (defense.replies ?? 'log')
}

/** Tells what a reply to a request is suspected of; undefined where nothing is. */
export type ReplyGuard = (asked: Asked, items: readonly Item[], said: ReplySaid) => SecurityFinding | undefined

/** Results of tools come again with every request of a conversation: they are scored once. */
export function replyGuard(detector: InjectionDetector = heuristicDetector): ReplyGuard {
  const scores = textMemo((text) => detector.score(text, { trust: 'untrusted' }), rememberedCharacters)
  const remembering: InjectionDetector = { id: detector.id, score: (text) => scores.get(text) }
  return (asked, items, { texts, calls }) => {
    const threshold = defenseOf(asked)?.threshold
    if (replyAction(asked) === 'off' || threshold === undefined) return undefined
    const { score } = replyDetector(groundOf(items), { detector: remembering, threshold })
    const found = [
      ...texts.map((text) => score(text, { trust: 'untrusted', kind: 'text' })),
      ...calls.flatMap(jsonReadings).map((text) => score(text, { trust: 'untrusted', kind: 'tool-call' })),
    ]
    const worst = found.toSorted((a, b) => b.score - a.score)[0]
    return worst === undefined || worst.score === 0 || worst.score < threshold
      ? undefined
      : { itemId: 'reply', ...worst, action: 'logged' }
  }
}

const rememberedCharacters = 2_000_000

function defenseOf({ policy, situation }: Asked): DefensePolicy | undefined {
  return (situation === undefined ? policy : composePolicy(policy, situation).policy).defense
}

function groundOf(items: readonly Item[]) {
  const untrusted: string[] = []
  const trusted: string[] = []
  for (const item of items) {
    const trust = trustOf(item)
    if (trust === 'untrusted') untrusted.push(item.text)
    else if (trust !== 'own') trusted.push(item.text)
  }
  return { untrusted, trusted }
}

/** Says what is wrong with a reply, but nothing of what it says. */
export function replyRefused({ reasons }: SecurityFinding): PrehendError<'reply-refused'> {
  const remedy = 'Ask again without the data that hold orders, or set policy.defense.replies to log.'
  const message = `The model's answer was withheld: it does or says what only suspected data ask for (${reasons.join(', ')}). ${remedy}`
  return new PrehendError('reply-refused', message, { constraints: ['orders-in-data'], remedy })
}
