import type { Item } from '../../core/index.ts'
import { factReader } from '../../ladders/index.ts'
import { stepNumbers } from '../items/step-numbers.ts'
import { fileWork } from './file-work.ts'

/** The files that the calls of a conversation have read or changed and not removed, the last one worked on first. */
export function filesAtWork(items: readonly Item[]): readonly string[] {
  const gone = Array.from(items.keys())
  const works = fileWork({ items, steps: stepNumbers(items), gone, facts: factReader() })
  const left = works.filter(({ deeds }) => deeds.length > 0 && deeds.at(-1)?.what !== 'remove')
  return left.map(({ path }) => path).toReversed()
}
