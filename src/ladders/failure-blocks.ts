import type { FailureBlock, Reading, Taken } from './failure-reading.ts'
import { messageBlock } from './failure-messages.ts'
import { titledBlock } from './failure-titles.ts'
import { tracebackBlock } from './failure-tracebacks.ts'

/** The failures that a result states, in order. Linear: what is looked at around a line is bounded. */
export function failureBlocks(reading: Reading): readonly FailureBlock[] {
  const { lines, roles } = reading
  const blocks: FailureBlock[] = []
  let free = 0
  for (let at = 0; at < lines.length;) {
    const role = roles[at]
    if (role === undefined || role === 'summary') {
      at++
      continue
    }
    const { block, next } = taken(reading, at, free)
    const before = blocks.at(-1)
    if (block !== undefined && before !== undefined && closes(reading, block, before)) {
      blocks[blocks.length - 1] = { ...before, lines: [...before.lines, at], title: at }
    } else if (block !== undefined) {
      blocks.push(block)
    }
    if (block !== undefined) free = next
    at = Math.max(at + 1, next)
  }
  return blocks
}

/** `free` is the first line that no block before this one has. */
function taken(reading: Reading, at: number, free: number): Taken {
  const role = reading.roles[at]
  if (role === 'title' || role === 'heading') return titledBlock(reading, at, free)
  if ((reading.lines[at] ?? '').includes('Traceback (most')) return tracebackBlock(reading, at)
  return messageBlock(reading, at, free)
}

const closingReach = 12

/** Whether a block is only the name of what the block before it tells of: some runners name a test below its error. */
function closes({ lines, roles }: Reading, block: FailureBlock, before: FailureBlock): boolean {
  const { title } = block
  if (title === undefined || before.title !== undefined || !/^\s*(?:\(fail\)|--- FAIL)/.test(lines[title] ?? ''))
    return false
  const last = Math.max(...before.lines)
  return title - last <= closingReach && !roles.slice(last + 1, title).some((role) => role !== undefined)
}
