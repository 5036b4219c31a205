import { execSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fakeIo } from './fake-io.fixture.ts'
import type { FakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-scripted-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Waits until a command has said something; the first one loads everything. */
async function written(io: FakeIo): Promise<void> {
  await expect.poll(() => io.written.out + io.written.err, { timeout: 30_000 }).not.toBe('')
}

/** Runs a server of the command line as long as a work takes. */
async function served<Result>(argv: readonly string[], work: (url: string) => Promise<Result>): Promise<Result> {
  const io = fakeIo()
  const done = runCli([...argv, '--port', '0', '--json'], io)
  await written(io)
  try {
    return await work((JSON.parse(io.written.out) as { url: string }).url)
  } finally {
    io.interrupt()
    expect(await done).toBe(0)
  }
}

/** A copy of the example repository to work in. */
function project(): string {
  const path = mkdtempSync(join(folder, 'project-'))
  cpSync(new URL('../../examples/repo', import.meta.url), path, { recursive: true })
  return path
}

type Input = Readonly<Record<string, string>>

/** What an agent's tools do, really. */
function doing(path: string) {
  const at = (file = ''): string => (isAbsolute(file) ? file : join(path, file))
  return {
    list: (file?: string) => readdirSync(at(file)).join('\n'),
    read: (file?: string) => readFileSync(at(file), 'utf8'),
    write: (file?: string, content = '') => {
      writeFileSync(at(file), content)
      return 'written'
    },
    edit: (file?: string, from = '', to = '') => {
      writeFileSync(at(file), readFileSync(at(file), 'utf8').replace(from, to))
      return 'edited'
    },
    shell: (command = '') =>
      execSync(`${command}\ntrue`, { cwd: path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    search: (pattern = '') => execSync(`grep -rn ${pattern} . || true`, { cwd: path, encoding: 'utf8' }),
  }
}

const text = { type: 'string' }

function schemaOf(names: readonly string[], more: Record<string, unknown> = {}) {
  return {
    type: 'object' as const,
    properties: { ...Object.fromEntries(names.map((name) => [name, text])), ...more },
    required: [...names, ...Object.keys(more)],
  }
}

interface Played {
  /** Names of the tools that were called, in order. */
  readonly calls: readonly string[]
  readonly savedTokens: readonly number[]
  readonly last: string
}

/** An agent on the OpenAI SDK, with tools in snake case. */
async function openaiAgent(url: string, path: string): Promise<Played> {
  const { list, read, write, edit, shell, search } = doing(path)
  const tools: Record<string, readonly [readonly string[], (input: Input) => string]> = {
    list_directory: [['path'], (input) => list(input['path'])],
    read_file: [['path'], (input) => read(input['path'])],
    write_file: [['path', 'content'], (input) => write(input['path'], input['content'])],
    str_replace: [['path', 'old_str', 'new_str'], (input) => edit(input['path'], input['old_str'], input['new_str'])],
    run_shell_command: [['command'], (input) => shell(input['command'])],
    grep_search: [['pattern'], (input) => search(input['pattern'])],
  }
  const offered = Object.entries(tools).map(([name, [names]]): OpenAI.ChatCompletionTool => {
    return { type: 'function', function: { name, parameters: schemaOf(names) } }
  })
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Do the job.' }]
  const played = { calls: [] as string[], savedTokens: [] as number[], last: '' }
  for (let turn = 0; turn < 60 && played.last === ''; turn += 1) {
    const asked = { model: 'an-agents-own-model', messages, tools: offered, max_tokens: 64_000 }
    const { data, response } = await client.chat.completions.create(asked).withResponse()
    const { message } = data.choices[0]!
    messages.push(message)
    played.savedTokens.push(Number(response.headers.get('x-prehend-saved-tokens')))
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function') continue
      played.calls.push(call.function.name)
      const content = tools[call.function.name]![1](JSON.parse(call.function.arguments) as Input)
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
    if (!message.tool_calls) played.last = message.content ?? ''
  }
  return played
}

/** An agent on the Anthropic SDK, streaming, with tools in capitals that want whole paths and reasons. */
async function anthropicAgent(url: string, path: string): Promise<Played> {
  const { list, read, write, edit, shell, search } = doing(path)
  const whole = { file_path: { type: 'string', description: 'The absolute path of the file.' } }
  const tools: Record<string, readonly [ReturnType<typeof schemaOf>, (input: Input) => string]> = {
    Bash: [schemaOf(['command', 'description']), (input) => shell(input['command'])],
    Glob: [schemaOf(['pattern']), () => list('.')],
    Grep: [schemaOf(['pattern']), (input) => search(input['pattern'])],
    Read: [schemaOf([], whole), (input) => read(requireWhole(input['file_path']))],
    Edit: [
      schemaOf(['old_string', 'new_string'], whole),
      (input) => edit(input['file_path'], input['old_string'], input['new_string']),
    ],
    Write: [schemaOf(['content'], whole), (input) => write(requireWhole(input['file_path']), input['content'])],
  }
  const offered = Object.entries(tools).map(([name, [schema]]): Anthropic.Tool => ({ name, input_schema: schema }))
  const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Do the job.' }]
  const played = { calls: [] as string[], savedTokens: [] as number[], last: '' }
  const system = 'You are an agent.\nWorking directory: /path/to/project\n'
  for (let turn = 0; turn < 60 && played.last === ''; turn += 1) {
    const asked = { model: 'an-agents-own-model', max_tokens: 64_000, system, messages, tools: offered }
    const { data: stream, response } = await client.messages.stream(asked).withResponse()
    const { content } = await stream.finalMessage()
    messages.push({ role: 'assistant', content })
    played.savedTokens.push(Number(response.headers.get('x-prehend-saved-tokens')))
    const uses = content.filter((block) => block.type === 'tool_use')
    played.calls.push(...uses.map(({ name }) => name))
    const results = uses.map(({ id, name, input }): Anthropic.ToolResultBlockParam => {
      return { type: 'tool_result', tool_use_id: id, content: tools[name]![1](input as Input) }
    })
    if (results.length > 0) messages.push({ role: 'user', content: results })
    else played.last = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  }
  return played
}

function requireWhole(path = ''): string {
  if (!isAbsolute(path)) throw new Error(`${path} is no absolute path`)
  return path
}

describe('the scripted coding job', () => {
  it.each([
    [
      'OpenAI',
      openaiAgent,
      ['run_shell_command', 'run_shell_command', 'write_file', 'run_shell_command', 'list_directory'],
      'str_replace',
    ],
    ['Anthropic', anthropicAgent, ['Bash', 'Bash', 'Write', 'Bash', 'Glob'], 'Edit'],
  ] as const)(
    'plays to the end with the tools of an %s agent, which sees its requests packed',
    async (_, agent, first, edits) => {
      const path = project()
      const before = readdirSync(path)
      const played = await served(['serve', '--script', 'example', '--data', join(folder, 'store')], (url) =>
        agent(url, path),
      )
      expect(played.calls.slice(0, 5)).toEqual(first)
      expect(played.calls.filter((name) => name === edits)).toHaveLength(5)
      expect(played.savedTokens).toHaveLength(50)
      expect(played.last).toContain('wrote 3 files, edited files 5 times. The last tests said: 308 passed, 0 failed.')
      expect(played.last).toContain(`Everything that was written is in ${realpathSync(path)}/prehend-demo.`)
      expect(readdirSync(path)).toEqual([...before, 'prehend-demo'].toSorted())
      expect(readFileSync(join(path, 'prehend-demo/src/weight.mjs'), 'utf8')).toContain('limit >= grams')
      expect(played.savedTokens.at(-1)).toBeGreaterThan(10_000)
      expect(played.savedTokens[0]).toBeLessThanOrEqual(0)
    },
  )

  it('is played by the simulated provider alone, too, beside what is there already', async () => {
    const path = project()
    mkdirSync(join(path, 'prehend-demo'))
    const played = await served(['simulate', '--script', 'example'], (url) => openaiAgent(url, path))
    expect(played.last).toContain(`${realpathSync(path)}/prehend-demo-2.`)
    expect(readdirSync(join(path, 'prehend-demo'))).toEqual([])
    expect(played.savedTokens.every((saved) => saved === 0)).toBe(true)
  })
})

describe('a script of one’s own', () => {
  const file = (steps: unknown): string => {
    const path = join(folder, 'own.script.json')
    writeFileSync(path, JSON.stringify({ schema: 'prehend.script/1', steps }))
    return path
  }
  const said = async (url: string): Promise<string | null> => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
    const { choices } = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    return choices[0]!.message.content
  }

  it('is played whatever keys are set', async () => {
    const io = fakeIo({ environment: { OPENAI_API_KEY: 'a key' } })
    const done = runCli(
      ['serve', '--script', file([{ say: 'My words.' }]), '--data', join(folder, 'own'), '--port', '0', '--json'],
      io,
    )
    await written(io)
    expect(await said((JSON.parse(io.written.out) as { url: string }).url)).toBe('My words.')
    io.interrupt()
    expect(await done).toBe(0)
  })

  it.each([
    [[{ sya: 'x' }], 'steps[0].sya'],
    [[{}], 'steps[0]: does nothing'],
    [[{ do: [{ read: 'a', run: 'b' }] }], 'steps[0].do[0]: does not say one thing to do'],
    [[{ do: [{ write: 'a' }] }], 'steps[0].do[0].content: is missing'],
    [[{ do: [{ read: 'a', content: 'b' }] }], 'steps[0].do[0].content: does not go with read'],
    ['none', 'steps: is not a list'],
  ])('that is wrong is refused by the place that is: %j', async (steps, message) => {
    const io = fakeIo()
    expect(await runCli(['simulate', '--port', '0', '--script', file(steps)], io)).toBe(2)
    expect(io.written.err).toContain(message)
  })

  it('that is not there is refused by its name', async () => {
    const io = fakeIo()
    expect(await runCli(['serve', '--port', '0', '--script', join(folder, 'none.json'), '--data', folder], io)).toBe(4)
    expect(io.written.err).toContain('none.json')
  })
})

it('simulate is strict where that is asked for', async () => {
  const ask = (url: string): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: JSON.stringify({ model: 'nobodys', messages: [{ role: 'user', content: 'Hi' }] }),
    })
  expect((await served(['simulate', '--strict'], ask)).status).toBe(404)
  expect((await served(['simulate'], ask)).status).toBe(200)
})
