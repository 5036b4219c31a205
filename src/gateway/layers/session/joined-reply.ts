import type { StreamEnd } from '../../../codecs/index.ts'
import type { HiddenRounds } from '../../hidden-rounds.ts'
import { bodyOf, isSuccess, wholeReply } from '../../outlet/reply.ts'
import type { Reply } from '../../outlet/reply.ts'
import { hiddenToolNames } from '../../rehydrate-tool.ts'
import { sumUsage } from './sum-usage.ts'
import type { Turn } from './turn.ts'

/** One whole reply out of those of all rounds, without calls of our own tool; the bytes as they came where there was none. */
export async function joinedReply(turn: Turn, rounds: HiddenRounds, first: Reply): Promise<Reply> {
  const body = await bodyOf(first)
  let end = endOf(turn, body.text)
  const same = wholeReply(body, first)
  if (!end) return same
  if (end.hiddenCalls.length === 0) return { ...same, report: usageOf([end]) }
  const texts = [body.text]
  const ends = [end]
  while (end.mustContinue) {
    const reply: Reply | undefined = await rounds.next(end)
    if (!reply) break
    if (!isSuccess(reply)) return reply
    const { text } = await bodyOf(reply)
    end = turn.codec.endOf(turn.codec.decodeReply(text), hiddenToolNames)
    texts.push(text)
    ends.push(end)
  }
  const joined = turn.codec.mergeReplies(texts, hiddenToolNames)
  await rounds.file(end)
  return wholeReply({ text: joined }, { status: first.status, headers: first.headers, report: usageOf(ends) })
}

/** What a reply says; undefined where it is not a reply that we can read, which the client may still want. */
function endOf({ codec }: Turn, text: string): StreamEnd | undefined {
  try {
    return codec.endOf(codec.decodeReply(text), hiddenToolNames)
  } catch {
    return undefined
  }
}

function usageOf(ends: readonly StreamEnd[]): NonNullable<Reply['report']> {
  const usage = sumUsage(ends.map(({ reply }) => reply.usage))
  return () => ({ ...(usage && { usage }) })
}
