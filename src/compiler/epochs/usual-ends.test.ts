import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Item, Ledger } from '../../core/index.ts'
import { ladderFor, saysEnds } from '../../ladders/index.ts'
import { careful, thrifty } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const count = (text: string): number => Math.ceil(text.length / 4)
const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }

/** Calls of a shell whose harness puts every result into the same envelope; long results first, which are shortened first. */
function session(steps: number): readonly Item[] {
  const task: Item = { id: 'task', section: 'query', kind: 'text', role: 'user', text: 'Find out why the build fails.' }
  const shared = { section: 'history', toolName: 'bash' } as const
  return [
    task,
    ...Array.from({ length: steps }, (_step, step): Item[] => {
      const toolCallId = `call-${step}`
      const lines = Array.from(
        { length: step % 3 === 0 ? 60 : 2 },
        (_line, at) => `${step}: made part_${step}_${at} of it`,
      )
      const text = `<returncode>0</returncode>\n<folder>/home/dev/shop/packages/till</folder>\n<output>\n${lines.join('\n')}\n</output>`
      return [
        {
          ...shared,
          id: `c${step}`,
          kind: 'tool-call',
          role: 'assistant',
          text: `{"command":"run ${step}"}`,
          toolCallId,
        },
        { ...shared, id: `r${step}`, kind: 'tool-result', role: 'tool', text, toolCallId },
      ]
    }).flat(),
  ]
}

describe.each([{ policy: careful, offerTokens: 58 }, { policy: careful }, { policy: thrifty }])(
  'what results usually begin and end with, $policy.id',
  ({ policy, offerTokens }) => {
    it('is said before the first result that lacks it, also when what said it has been shortened', () => {
      const open = conversationPlanner({ ladders: ladderFor, itemTokens: (_, text) => count(text), hash })
      let ledger: Ledger | undefined
      let begun = 0
      let shownIn = 0
      for (let steps = 1; steps <= 30; steps++) {
        const items = session(steps)
        const tokens = items.map((item) => count(item.text))
        const input = {
          items,
          tokens,
          overheadTokens: 0,
          policy,
          prices,
          handleKey: 'key',
          rehydration: true,
          ledger,
          offerTokens,
        }
        // Every seventh request comes when the cache is cold.
        const plan = open({ ...input, nowMs: steps * 1000 + Math.floor(steps / 7) * 3_600_000 }).plan({
          limitTokens: 1_000_000,
        })
        ledger = plan.ledger
        if (plan.epoch.decision === 'begin') begun++
        const shown = plan.renditions.map(({ text }) => text)
        const bare = shown.findIndex((text) => /^\d+: made/.test(text))
        const says = shown.findIndex(saysEnds)
        if (bare !== -1) expect([steps, says !== -1 && says < bare]).toEqual([steps, true])
        const [, step] = /see step (\d+)\]/.exec(shown[says] ?? '') ?? []
        if (step === undefined) continue
        shownIn += 1
        // A call and its result for each step, after the task.
        expect(shown[2 * Number(step)]).toBe(items[2 * Number(step)]?.text)
      }
      expect(begun).toBeGreaterThan(1)
      expect(shownIn > 0).toBe(offerTokens !== undefined)
    })
  },
)
