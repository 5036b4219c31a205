import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** One for a process, a thread or a tenant: it lives as long as what it closes over. */
const longLived: ReadonlySet<string> = new Set([
  'cli/io.ts',
  'gateway/http/drain.ts',
  'gateway/http/waiting-room.ts',
  'gateway/news/shared-events.ts',
  'gateway/open-gateway.ts',
  'gateway/telemetry/event-ring.ts',
  'gateway/threads/pulse.ts',
  'gateway/tools/source-catalogue.ts',
])

const accessor = /^ +(?:get|set) [\w#]+\(/m
const classBegins = /^(?:export )?(?:abstract )?class /m

/*
 * V8 makes a hidden class of its own for each object literal that has an accessor, in the old generation, and that class
 * holds the accessor and all that it closes over until the whole heap is collected: 17% of what requests had allocated,
 * and code that has seen such objects is never fast. A class has its accessors once.
 */
it('no object that is made again and again has accessors of its own', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts', '**/*.fixture.ts'] })
  expect(files.length).toBeGreaterThan(800)
  const having = files.filter((file) => {
    const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
    return accessor.test(text) && !classBegins.test(text)
  })
  expect(having.toSorted()).toEqual([...longLived])
})
