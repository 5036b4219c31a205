import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, ScriptEntry } from '../../providers/index.ts'
import { waysToAsk } from '../seams/ask.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import { oddServer, removeFolders, toolFile } from './tool-registry.fixture.ts'

afterEach(closeTestGateways)
afterEach(removeFolders)

const echoes = (text: string | number): AnswerPart => ({ type: 'tool-call', name: 'echo', arguments: { text } })
const tools = { sources: { odd: oddServer('well') }, core: ['odd::echo'] }

describe.each(waysToAsk)('core tools of the registry are hidden tools of sessions: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect

  it('one is offered by its name, run here, and the client sees nothing of it', async () => {
    const script: ScriptEntry[] = [{ parts: [echoes('hello')] }, 'It says hello.']
    const gateway = await testGateway({ config: { tools }, script })
    const { text, calls } = await ask(gateway, fixture.body(1), stream)
    expect([text, calls]).toEqual(['It says hello.', []])
    const [asked, answered] = gateway.provider.requests
    expect(asked!.body).toContain('"echo"')
    expect(asked!.body).not.toContain('"write"')
    expect(answered!.body).toContain('heard hello')
    const list = (await (await fetch(`${gateway.url}/v1/tools`)).json()) as { data: { id: string; usage: object }[] }
    expect(list.data.find(({ id }) => id === 'odd::echo')?.usage).toMatchObject({ offered: 1, called: 1, failed: 0 })
  })

  it('wrong arguments are answered by what is wrong with them', async () => {
    const script: ScriptEntry[] = [{ parts: [echoes(7)] }, { parts: [echoes('x')] }, 'Done.']
    const gateway = await testGateway({ config: { tools }, script })
    const { text } = await ask(gateway, fixture.body(1), stream)
    expect(text).toBe('Done.')
    expect(gateway.provider.requests[1]!.body).toContain('`text` must be a text; given: the number 7.')
    expect(gateway.provider.requests[2]!.body).toContain('heard x')
  })
})

describe('which tools a session is offered', () => {
  const { dialect, stream } = waysToAsk[0]!
  const echo = { name: 'say', description: 'Says.', level: 'core', inputSchema: { type: 'object' } }

  it('those of its tenant alone', async () => {
    const sources = { files: { file: toolFile([echo]), tenants: ['somebody'] } }
    const gateway = await testGateway({ config: { tools: { sources } }, script: ['done'] })
    await dialect.ask(gateway, dialect.fixture.body(1), stream)
    expect(gateway.provider.requests[0]!.body).not.toContain('"say"')
  })

  it('a client’s own tool of the same name is the client’s', async () => {
    const sources = { files: { file: toolFile([{ ...echo, name: 'read' }]) } }
    const gateway = await testGateway({ config: { tools: { sources } }, script: ['done'] })
    await dialect.ask(gateway, dialect.fixture.body(1), stream)
    expect(gateway.provider.requests[0]!.body).not.toContain('Says.')
  })

  it('permuted sources give the same bytes', async () => {
    const files = { file: toolFile([echo, { ...echo, name: 'hear' }]) }
    const bodies: string[] = []
    for (const sources of [
      { a: files, odd: oddServer('well') },
      { odd: oddServer('well'), a: files },
    ]) {
      const gateway = await testGateway({ config: { tools: { sources, core: ['odd::echo'] } }, script: ['done'] })
      await dialect.ask(gateway, dialect.fixture.body(1), stream)
      bodies.push(gateway.provider.requests[0]!.body)
    }
    expect(bodies[0]).toContain('"hear"')
    expect(bodies[0]).toBe(bodies[1])
  })
})
