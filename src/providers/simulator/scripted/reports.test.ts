import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/index.ts'
import { simulatedProvider } from '../simulated-provider.ts'
import { scriptFrom } from './play-script.ts'

const text = { type: 'string' }
const user = { role: 'user', content: 'Go.' }

function tool(name: string, ...names: readonly string[]): unknown {
  const properties = Object.fromEntries(
    names.map((key) => [key, { ...text, description: 'An absolute path, or a text' }]),
  )
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required: names } } }
}

const shell = tool('bash', 'command')
const write = tool('write', 'file_path', 'content')

const steps = [
  { do: [{ run: 'pwd' }] },
  { do: [{ make: 'demo' }] },
  { do: [{ write: '{folder}/a.js', content: ['one', ''] }] },
  { do: [{ run: 'cd {folder} && node a.js' }] },
  { do: [{ edit: '{folder}/a.js', find: 'one\n', replace: 'two\n' }] },
  { report: '\\d+ passed' },
]

interface Said {
  readonly text: string
  readonly call: { readonly name: string; readonly input: JsonObject } | undefined
}

/** What the model says next, where the tools have brought back these results so far. */
async function next(results: readonly string[], tools: readonly unknown[], made = steps): Promise<Said> {
  const { fetch } = simulatedProvider({
    script: scriptFrom({ schema: 'prehend.script/1', steps: made }),
    strict: false,
  })
  const messages: unknown[] = [user]
  for (let turn = 0; ; turn += 1) {
    const response = await fetch('http://simulated/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: JSON.stringify({ model: 'm', messages, ...(tools.length > 0 && { tools }) }),
    })
    const { choices } = (await response.json()) as {
      choices: {
        message: {
          content: string | null
          tool_calls?: { id: string; function: { name: string; arguments: string } }[]
        }
      }[]
    }
    const { message } = choices[0]!
    const [made_] = message.tool_calls ?? []
    const content = results[turn]
    if (content === undefined || made_ === undefined) {
      const input = made_ && (JSON.parse(made_.function.arguments) as JsonObject)
      return { text: message.content ?? '', call: made_ && { name: made_.function.name, input: input ?? {} } }
    }
    messages.push(message, { role: 'tool', tool_call_id: made_.id, content })
  }
}

const home = '/home/me/a project'

describe('a script writes in a folder that the client has confirmed', () => {
  it('asks first, then makes a fresh folder there, then writes into it', async () => {
    const tools = [shell, write]
    expect((await next([], tools)).call?.input).toEqual({ command: 'pwd' })
    const command = (await next([home], tools)).call?.input['command']
    expect(command).toMatch(/^cd '\/home\/me\/a project' && \{ d=demo; while /)
    // Gemini CLI refuses commands that hold this.
    expect(command).not.toContain('$(')
    const written = await next([home, `Output: ${home}/demo-2\n(exit code 0)`], tools)
    expect(written.call).toEqual({ name: 'write', input: { file_path: `${home}/demo-2/a.js`, content: 'one\n' } })
    const run = await next([home, `${home}/demo-2`, 'written'], tools)
    expect(run.call?.input).toEqual({ command: `cd '${home}/demo-2' && node a.js` })
  })

  it('asks again where the shell has printed nothing', async () => {
    const tools = [shell, write]
    expect((await next([''], tools)).call?.input).toEqual({ command: 'pwd' })
    expect((await next(['', home], tools)).call?.input['command']).toMatch(/^cd '\/home\/me\/a project' && /)
    const written = await next(['', home, `${home}/demo`], tools)
    expect(written.call?.input['file_path']).toBe(`${home}/demo/a.js`)
  })

  it.each([
    ['an error', ['Error: /bin/sh: not found']],
    ['nothing, three times', ['', '', '']],
    ['the root of the file system, three times', ['/', '/', '/']],
  ])('does nothing where it is answered with %s', async (_, answers) => {
    const said = await next(answers, [shell, write])
    expect(said.call).toBeUndefined()
    expect(said.text).toContain('Nothing was written, since no tool of your client has confirmed the folder')
    expect(said.text).not.toContain('since no tool of your client does it')
  })

  it('does nothing more where no folder could be made', async () => {
    const said = await next([home, `mkdir: cannot create directory: Permission denied`], [shell, write])
    expect([said.call, said.text]).toEqual([undefined, expect.stringContaining(`no folder could be made in ${home}`)])
  })

  it.each([
    ['the working folder', ['Error: This command requires approval']],
    ['a new folder', [home, 'Error: This command requires approval']],
  ])('quotes an agent that refuses %s, and names the options that permit it', async (_, answers) => {
    const { text: said } = await next(answers, [shell, write])
    expect(said).toContain('Your agent answered: "Error: This command requires approval".')
    expect(said).toContain('`claude --permission-mode acceptEdits --allowedTools Bash Edit Write Read Grep Glob`')
    expect(said).toContain('`codex exec -s workspace-write`')
  })

  it('names no options where the shell answers, but nowhere', async () => {
    expect((await next(['/', '/', '/'], [shell, write])).text).not.toContain('--permission-mode')
  })

  it('knows the folder from its own calls where the results are shown shortened by then', async () => {
    const shortened = '[113 tokens left out: rehydrate("1")]'
    const { fetch } = simulatedProvider({ script: scriptFrom({ schema: 'prehend.script/1', steps }), strict: false })
    const commands = ['pwd', `cd '${home}' && { d=demo; while [ -e "$d" ]; do d="$d-2"; done; mkdir "$d"; }`]
    const said = [
      ...commands.map((command) => ({ name: 'bash', arguments: JSON.stringify({ command }) })),
      { name: 'write', arguments: JSON.stringify({ file_path: `${home}/demo/a.js`, content: 'one' }) },
    ]
    const messages = said.flatMap((made, index) => [
      { role: 'assistant', content: null, tool_calls: [{ id: `c${index}`, type: 'function', function: made }] },
      { role: 'tool', tool_call_id: `c${index}`, content: shortened },
    ])
    const response = await fetch('http://simulated/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: JSON.stringify({ model: 'm', messages: [user, ...messages], tools: [shell, write] }),
    })
    expect(await response.text()).toContain(`cd '${home}/demo' && node a.js`)
  })

  it('leaves out a write by a tool that wants an absolute path, where no folder is known', async () => {
    const made = [{ do: [{ write: 'notes.md', content: 'x' }] }, { report: '' }]
    const said = await next([], [write], made as unknown as typeof steps)
    expect([said.call, said.text]).toEqual([undefined, expect.stringContaining('Nothing was done, read or written')])
  })
})

describe('a report says what came of it, by the results', () => {
  const results = [home, `${home}/demo`, 'written', '1 passed\n2 failed', 'edited /home']

  it('counts what was done, and what failed', async () => {
    const said = await next(results, [shell, write])
    expect(said.text).toMatch(/^What came of it: ran 2 commands, made 1 folder, wrote 1 file, edited files 1 time\. /)
    expect(said.text).toContain(`The last tests said: 1 passed. Everything that was written is in ${home}/demo.`)
    const failed = await next(
      [home, `${home}/demo`, 'Error: disk full', 'x', '[command failed with code 1]'],
      [shell, write],
    )
    expect(failed.text).toContain('wrote 0 files (1 failed), edited files 0 times (1 failed).')
    expect(failed.text).not.toContain('The last tests')
  })

  it('names the tools that are offered where none of them will do', async () => {
    const said = await next([], [tool('weather', 'city'), tool('tool_search', 'query')])
    expect(said.text).toMatch(/^Nothing was done, read or written: none of the tools .*\(weather, tool_search\)/)
    expect(said.text).toContain('`qwen --yolo`')
    expect((await next([], [])).text).not.toContain('`qwen --yolo`')
    expect((await next([], [])).text).toMatch(/^Nothing was done, read or written: your client offers no tools\./)
  })
})

describe('a request beside the work of an agent', () => {
  const schema = {
    type: 'OBJECT',
    properties: { reason: text, score: { type: 'INTEGER' } },
    required: ['reason', 'score'],
  }
  const post = async (path: string, body: JsonObject): Promise<string> => {
    const { fetch } = simulatedProvider({ script: scriptFrom({ schema: 'prehend.script/1', steps }), strict: false })
    const headers = { 'x-goog-api-key': 'k', 'authorization': 'Bearer k', 'x-api-key': 'k' }
    return (await fetch(`http://simulated${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }

  it('that wants JSON of a schema gets it, and no step of the script', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'How hard is it?' }] }]
    const generationConfig = { responseMimeType: 'application/json', responseJsonSchema: schema }
    const gemini = await post('/v1beta/models/gemini-2.5-flash:generateContent', { contents, generationConfig })
    expect(gemini).toContain(JSON.stringify(JSON.stringify({ reason: '', score: 0 })))
    const format = { type: 'json_schema', name: 'score', schema }
    const responses = await post('/v1/responses', { model: 'm', input: 'How hard is it?', text: { format } })
    expect(responses).toContain(JSON.stringify(JSON.stringify({ reason: '', score: 0 })))
  })
})
