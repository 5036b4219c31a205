import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { PassingMap } from './passing-map.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

function oldGenerationBytes(): number {
  const isYoung = (name: string): boolean => name === 'new_space' || name === 'new_large_object_space'
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !isYoung(name))
    .reduce((total, { space_used_size: used }) => total + used, 0)
}

describe('PassingMap', () => {
  it('is a map in the order in which its keys came', () => {
    const map = new PassingMap<string, number>()
    for (const [key, value] of [
      ['b', 1],
      ['a', 2],
      ['b', 3],
      ['c', 4],
    ] as const)
      map.set(key, value)
    expect([...map.keys()]).toEqual(['b', 'a', 'c'])
    expect([...map.values()]).toEqual([3, 2, 4])
    map.delete('b')
    map.delete('nothing')
    expect([map.get('b'), map.get('a'), map.size]).toEqual([undefined, 2, 2])
    map.set('b', 5)
    expect([...map.keys()]).toEqual(['a', 'c', 'b'])
    map.clear()
    expect([map.size, [...map.values()]]).toEqual([0, []])
  })

  it('what has passed through does not pile up in the old generation', () => {
    const map = new PassingMap<number, readonly number[]>()
    collect()
    const before = oldGenerationBytes()
    // 80 MB pass through, 32 entries at a time.
    for (let index = 0; index < 20_000; index += 1) {
      map.set(
        index,
        Array.from({ length: 500 }, () => index),
      )
      map.delete(index - 32)
      if (index % 1000 === 0) collect({ type: 'minor' })
    }
    expect(map.size).toBe(32)
    expect(oldGenerationBytes() - before).toBeLessThan(8_000_000)
  })
})
