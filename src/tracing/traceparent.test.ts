import { expect, it } from 'vitest'
import { readTraceparent, writeTraceparent } from './traceparent.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const span = 'b7ad6b7169203331'

it('reads and writes the header of W3C Trace Context', () => {
  expect(readTraceparent(`00-${trace}-${span}-01`)).toEqual({ traceId: trace, spanId: span, traceFlags: 1 })
  expect(readTraceparent(`00-${trace}-${span}-00`)?.traceFlags).toBe(0)
  // A later version may have more after it.
  expect(readTraceparent(`01-${trace}-${span}-01-more`)?.spanId).toBe(span)
  expect(writeTraceparent({ traceId: trace, spanId: span, traceFlags: 1 })).toBe(`00-${trace}-${span}-01`)
  expect(writeTraceparent({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 })).toBeUndefined()
})

it.each([
  undefined,
  '',
  `00-${trace}-${span}`,
  `ff-${trace}-${span}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
])('takes %j for none', (text) => {
  expect(readTraceparent(text)).toBeUndefined()
})
