import { afterEach, describe, expect, it } from 'vitest'
import { policies } from '../../compiler/index.ts'
import { sentBy, steps, wires } from './agent-wires.fixture.ts'
import type { Step } from './agent-wires.fixture.ts'
import { anHourMs, closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const { balanced } = policies
const { compaction } = balanced.epochs
/** Nothing but compactions, so that a short session has some. */
const policy = {
  ...balanced,
  id: 'compacting',
  epochs: {
    ...balanced.epochs,
    patience: 1_000_000,
    compaction: { ...compaction!, patience: 1, newestSteps: 4, newestTokens: 500 },
  },
}

const handleOf = (body: string): string | undefined =>
  /\[Steps \d+-\d+ left out, \d+ tokens\][^"]*rehydrate\(\\*"(\d+)/.exec(body)?.[1]

/** As an agent sends them: one request after each result. */
const requests = (made: readonly Step[]): readonly (readonly Step[])[] =>
  Array.from({ length: made.length / 2 }, (_, at) => made.slice(0, 2 * at + 2))

describe.each(wires)('a brief: $name', (wire) => {
  it('the provider gets a brief in the place of old steps, and the same one until the next', async () => {
    const gateway = await testGateway({ config: { policy }, script: () => 'done' })
    const handles: string[] = []
    for (const part of requests(steps(70, 30))) {
      const { status, outcome, sent } = await sentBy(gateway, wire, wire.body(part))
      expect([status, outcome]).toEqual([200, 'ok'])
      handles.push(handleOf(sent) ?? '')
    }
    const briefs = new Set(handles.filter((handle) => handle !== ''))
    expect(briefs.size).toBeGreaterThan(0)
    expect(briefs.size).toBeLessThan(6)
    // What was compacted stays so.
    expect(handles.slice(handles.findIndex((handle) => handle !== ''))).not.toContain('')
    const { sent } = await sentBy(gateway, wire, wire.body(steps(70, 30)))
    expect(sent).toContain('Find why the worker fails.')
    expect(sent).toContain('"part-69"')
    expect(sent).not.toContain('"part-30"')
    // The file list of the brief names what was read.
    expect(sent).toContain(String.raw`part-30\n read 31`)
  })
  it('a client that goes back to a step that was left out gets no brief of later ones', async () => {
    const gateway = await testGateway({ config: { policy }, script: () => 'done' })
    const made = steps(40, 30)
    await sentBy(gateway, wire, wire.body(made.slice(0, 8)))
    await gateway.clock.advance(anHourMs)
    expect(handleOf((await sentBy(gateway, wire, wire.body(made))).sent)).toBeDefined()
    const { sent } = await sentBy(gateway, wire, wire.body(made.slice(0, 12)))
    expect(sent).toContain('"part-11"')
    expect(sent).toContain(`handled request ${31 * 20}`)
    expect(sent).not.toContain('part-12')
  })
})
