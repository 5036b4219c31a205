import { expect, it } from 'vitest'
import { inProcessHot } from '../../stores/index.ts'
import type { Hot } from '../../stores/index.ts'
import { eventRing } from '../telemetry/event-ring.ts'
import { openPost } from './post.ts'
import type { Post } from './post.ts'
import { shareCalibration } from './shared-calibration.ts'
import { sharedEvents } from './shared-events.ts'
import type { CalibrationKeeper, Observation } from '../upkeep/calibration-keeper.ts'

const settled = () => new Promise((done) => void setTimeout(done, 5))

function postOf(hot: Hot, process: string): Post {
  return openPost({
    hot,
    process,
    wait: () => new Promise((done) => void setImmediate(done)),
    failed(error) {
      throw error
    },
  })
}

function processOf(hot: Hot, run: string) {
  return sharedEvents(eventRing({ clock: () => 7, run }), postOf(hot, run))
}

const epoch = (tenant: string, session: string) => ({
  tenant,
  session,
  event: { type: 'context:gauge', tokens: 1 } as never,
})

it('whoever reads the events of a tenant hears of all processes, in one order and once', async () => {
  const hot = inProcessHot()
  const [one, other] = [processOf(hot, 'one'), processOf(hot, 'other')]
  const place = one.newest('acme')
  one.tell(epoch('acme', 'here'))
  other.tell(epoch('acme', 'there'))
  other.tell(epoch('umbrella', 'not for acme'))
  await settled()
  const seen = [one.after('acme', place), one.after('acme', place + 1), one.after('acme', place + 2)]
  expect(seen.map((event) => event?.session)).toEqual(['here', 'there', undefined])
  expect(seen.map((event) => event?.id)).toEqual(['one-1', 'other-1', undefined])
})

it('a reader that comes back to another process goes on behind the event that it saw last', async () => {
  const hot = inProcessHot()
  const [one, other] = [processOf(hot, 'one'), processOf(hot, 'other')]
  one.newest('acme')
  other.newest('acme')
  one.tell(epoch('acme', 'first'))
  one.tell(epoch('acme', 'second'))
  await settled()
  expect(other.after('acme', other.numberOf('acme', 'one-1')!)?.session).toBe('second')
  expect(other.numberOf('acme', 'gone-1')).toBeUndefined()
})

it('listeners of one process, such as extensions, hear only of that process', async () => {
  const hot = inProcessHot()
  const [one, other] = [processOf(hot, 'one'), processOf(hot, 'other')]
  const heard: unknown[] = []
  one.newest('acme')
  one.hear(({ session }) => void heard.push(session))
  other.tell(epoch('acme', 'there'))
  one.tell(epoch('acme', 'here'))
  await settled()
  expect(heard).toEqual(['here'])
})

it('what is posted at once is one message, and what others write on the channel is passed over', async () => {
  const plain = inProcessHot()
  const sent: string[] = []
  const hot: Hot = {
    ...plain,
    publish(channel, message) {
      sent.push(message)
      return plain.publish(channel, message)
    },
  }
  const heard: unknown[] = []
  postOf(hot, 'other').hear('c', (news) => void heard.push(news))
  const post = postOf(hot, 'one')
  for (const number of [1, 2, 3]) post.send('c', number, 1)
  await settled()
  for (const text of ['no JSON', '7', '{"news":7}', 'null']) await hot.publish('c', text)
  await settled()
  expect(heard).toEqual([1, 2, 3])
  expect(sent.filter((text) => text.includes('"news":['))).toHaveLength(1)
})

it('what one process learns of counts the others learn once, and do not send back', async () => {
  const hot = inProcessHot()
  const keeper = (learnt: Observation[]) => {
    const hears: ((seen: Observation, origin?: object) => void)[] = []
    const learn = (seen: Observation, origin?: object): void => {
      learnt.push(seen)
      for (const each of hears) each(seen, origin)
    }
    const whenLearnt: CalibrationKeeper['whenLearnt'] = (heard) => void hears.push(heard)
    return { keeper: { learn, whenLearnt } as unknown as CalibrationKeeper, learn }
  }
  const all: Observation[][] = [[], [], []]
  const keepers = all.map((learnt) => keeper(learnt))
  const stops = keepers.map((each, index) => shareCalibration(each.keeper, postOf(hot, `p${index}`)))
  const seen = { model: 'gpt-5.1', estimated: 100, actual: 110 }
  keepers[0]!.learn(seen)
  await settled()
  await hot.publish('calibration', JSON.stringify({ process: 'x', news: [{ model: 7 }, 'odd', null] }))
  await settled()
  expect(all).toEqual([[seen], [seen], [seen]])
  stops[1]!()
  keepers[2]!.learn(seen)
  await settled()
  expect(all.map(({ length }) => length)).toEqual([2, 1, 2])
})
