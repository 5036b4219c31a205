import { expect, it } from 'vitest'
import { careful, summaryBlocks } from '../../compiler/index.ts'
import type { GivenSummary } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { openSession } from './open-session.ts'

const policy = { ...careful, sections: [{ section: 'history', max: 1500 }], summaries: {} }

const body = (turns: number) => ({
  model: 'gpt-5.1',
  messages: Array.from({ length: turns }, (_, at) => [
    {
      role: 'user',
      content: `${at === 1 ? 'Never deploy on Fridays. ' : ''}Question ${at}: ${'what of it all? '.repeat(12)}`,
    },
    { role: 'assistant', content: `Answer ${at}: ${'it is as it was. '.repeat(12)}` },
  ])
    .flat()
    .slice(0, -1),
})

it('a session in process shows summaries, and those that its host has had written in place of extracts (X-20, C-016)', async () => {
  const session = openSession({
    policy,
    summaries(items): readonly GivenSummary[] {
      const blocks = summaryBlocks({ items, policy: {}, hash: sha256 })
      return blocks.map(({ key }) => ({ key, writer: 'model/own/1', prose: 'They asked and answered.' }))
    },
  })
  const { request } = await session.pack(body(30))
  const text = JSON.stringify(request)
  expect(text).toContain('They asked and answered.')
  expect(text).toContain('2 user, must hold: Never deploy on Fridays.')
  expect(text).toContain('Question 29')
  expect(text).not.toContain('Question 3:')
})
