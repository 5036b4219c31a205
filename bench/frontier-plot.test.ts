import { expect, it } from 'vitest'
import { frontierPlot, frontierPoint } from './frontier-plot.ts'
import { placedLabels } from './plot-labels.ts'

const report = {
  settledAllCostRatio: 0.8,
  needleLineRecall: 0.9,
  ownCallLineRecall: 1,
  editTextRecall: 0.8,
  failuresHidden: 0,
}

it('a point has the settled cost and the mean of lines, own calls and edits', () => {
  expect(frontierPoint('careful', report)).toEqual({
    name: 'careful',
    cost: 0.8,
    recall: expect.closeTo(0.9) as number,
    hidesFailures: false,
  })
  expect(frontierPoint('careful', { ...report, editTextRecall: null })).toBeUndefined()
})

it('draws each strategy, ours apart, with a ring where it hides failures and its cost where that is off the scale', () => {
  const points = [
    frontierPoint('careful', report),
    frontierPoint('keep-last-10', { ...report, settledAllCostRatio: 1.92, failuresHidden: 3 }),
    frontierPoint('compact-9-9', { ...report, settledAllCostRatio: 1 }),
    frontierPoint('pass-through', { ...report, settledAllCostRatio: 1 }),
  ].flatMap((point) => point ?? [])
  const svg = frontierPlot([{ title: 'Coding runs <6>', points }], new Set(['careful']))
  expect(svg).toContain('>careful</text>')
  expect(svg).toContain('keep-last-10 → 1.92')
  expect(svg).toMatch(/<circle class="ours" /)
  expect(svg).toMatch(/<circle class="theirs hides" cx="860.0"/)
  expect(svg).toContain('>pass-through and 1 that come to the same</text>')
  expect(svg).toContain('Coding runs &lt;6>')
  expect(svg).toContain('prefers-color-scheme: dark')
})

it('labels cover neither each other nor a point', () => {
  const points = Array.from({ length: 6 }, (_, at) => ({ x: 200 + at, y: 100, text: `strategy-${at}` }))
  const placed = placedLabels(points, { left: 0, right: 600, top: 0, bottom: 300 })
  const boxes = placed.map(({ x, y, text }) => ({ left: x, right: x + text.length * 6.6, top: y - 11, bottom: y + 3 }))
  for (const [at, one] of boxes.entries())
    for (const other of boxes.slice(at + 1))
      expect(
        one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top,
      ).toBe(true)
})
