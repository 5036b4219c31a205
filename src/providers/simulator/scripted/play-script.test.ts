import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/index.ts'
import { simulatedProvider } from '../simulated-provider.ts'
import { scriptFrom } from './play-script.ts'

interface Called {
  readonly text: string | null
  readonly calls: readonly (readonly [name: string, input: unknown])[]
}

/** One turn of an agent. */
async function asked(steps: unknown, messages: readonly unknown[], tools: readonly unknown[] = []): Promise<Called> {
  const script = scriptFrom({ schema: 'prehend.script/1', steps })
  const { fetch } = simulatedProvider({ script, strict: false })
  const response = await fetch('http://simulated/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: JSON.stringify({ model: 'm', messages, ...(tools.length > 0 && { tools }) }),
  })
  const { choices } = (await response.json()) as {
    choices: { message: { content: string | null; tool_calls?: { function: { name: string; arguments: string } }[] } }[]
  }
  const { content, tool_calls: calls = [] } = choices[0]!.message
  return { text: content, calls: calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)]) }
}

const text = { type: 'string' }

/** A tool as a client lists it; a parameter whose name ends in `?` is optional. */
function tool(name: string, parameters: Readonly<Record<string, JsonObject>>): unknown {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, schema]) => [key.replace('?', ''), schema]),
  )
  const required = Object.keys(parameters).filter((key) => !key.endsWith('?'))
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } }
}

const user = { role: 'user', content: 'Go.' }

/** A call of the assistant and its result. */
function callAndResult(id: string, command: string, result: string): readonly unknown[] {
  const made = { id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }
  return [
    { role: 'assistant', content: null, tool_calls: [made] },
    { role: 'tool', tool_call_id: id, content: result },
  ]
}

/** The folder that a prompt names is no working folder: only the client's own shell says which that is. */
const system = { role: 'system', content: 'You code. Working directory: /path/to/project' }
const placed = [
  system,
  user,
  ...callAndResult('c1', 'pwd', 'Directory: (root)\nOutput: /home/me/project\nError: (none)'),
]
const where = { do: [{ run: 'pwd' }] }

const everything = [
  { list: '.' },
  { read: 'src/a.ts' },
  { run: 'npm test' },
  { search: 'a b' },
  { write: 'n.md', content: 'x' },
  { edit: 'n.md', find: 'x', replace: 'y' },
]

const listOf = (properties: JsonObject): JsonObject => ({ type: 'array', items: { type: 'object', properties } })
const whole = (name: string) => ({ ...text, description: `${name}: an absolute path` })

const agents: Readonly<Record<string, { readonly tools: readonly unknown[]; readonly calls: Called['calls'] }>> = {
  'opencode': {
    tools: [
      tool('todowrite', { todos: { type: 'array' } }),
      tool('webfetch', { url: text }),
      tool('bash', { 'command': text, 'description': text, 'timeout?': { type: 'number' } }),
      tool('edit', { filePath: whole('file'), oldString: text, newString: text }),
      tool('glob', { 'pattern': text, 'path?': text }),
      tool('grep', { 'pattern': text, 'path?': text, 'include?': text }),
      tool('read', { 'filePath': whole('file'), 'offset?': { type: 'number' } }),
      tool('write', { filePath: whole('file'), content: text }),
    ],
    calls: [
      ['glob', { path: '.', pattern: '**/*' }],
      ['read', { filePath: '/home/me/project/src/a.ts' }],
      ['bash', { command: 'npm test', description: 'a step of a script' }],
      ['grep', { pattern: 'a b', path: '.' }],
      ['write', { filePath: '/home/me/project/n.md', content: 'x' }],
      ['edit', { filePath: '/home/me/project/n.md', oldString: 'x', newString: 'y' }],
    ],
  },
  'qwen': {
    tools: [
      tool('list_directory', { path: whole('path') }),
      tool('read_file', { absolute_path: text }),
      tool('run_shell_command', { command: text, is_background: { type: 'boolean' } }),
      tool('grep_search', { pattern: text }),
      tool('write_file', { file_path: text, content: text }),
      tool('edit', { file_path: text, old_string: text, new_string: text }),
    ],
    calls: [
      ['list_directory', { path: '/home/me/project' }],
      ['read_file', { absolute_path: '/home/me/project/src/a.ts' }],
      ['run_shell_command', { command: 'npm test', is_background: false }],
      ['grep_search', { pattern: 'a b' }],
      ['write_file', { file_path: 'n.md', content: 'x' }],
      ['edit', { file_path: 'n.md', old_string: 'x', new_string: 'y' }],
    ],
  },
  'a shell alone': {
    tools: [tool('shell', { command: { type: 'array', items: text } })],
    calls: [
      ['shell', { command: ['bash', '-lc', 'ls -la .'] }],
      ['shell', { command: ['bash', '-lc', 'cat src/a.ts'] }],
      ['shell', { command: ['bash', '-lc', 'npm test'] }],
      ['shell', { command: ['bash', '-lc', "grep -rn 'a b' . | head -200"] }],
      ['shell', { command: ['bash', '-lc', "cat > n.md <<'EOF'\nx\nEOF"] }],
      ['shell', { command: ['bash', '-lc', expect.stringMatching(/^node -e '.*' n\.md x y$/)] }],
    ],
  },
  'commands in lists, and patterns': {
    tools: [
      tool('run_commands', { commands: { type: 'array', items: text } }),
      tool('search_codebase', { queries: { type: 'array', items: text } }),
    ],
    calls: [
      ['run_commands', { commands: ['ls -la .'] }],
      ['run_commands', { commands: ['cat src/a.ts'] }],
      ['run_commands', { commands: ['npm test'] }],
      ['search_codebase', { queries: ['a b'] }],
      ['run_commands', { commands: ["cat > n.md <<'EOF'\nx\nEOF"] }],
      ['run_commands', { commands: [expect.stringMatching(/^node -e '.*' n\.md x y$/)] }],
    ],
  },
  'edits in lists': {
    tools: [
      tool('bash', { command: text }),
      tool('edit', { path: text, edits: listOf({ oldText: text, newText: text }) }),
      tool('read_files', { files: listOf({ path: whole('file'), start_line: { type: 'integer' } }) }),
      tool('tool_search', { query: text }),
    ],
    calls: [
      ['bash', { command: 'ls -la .' }],
      ['read_files', { files: [{ path: '/home/me/project/src/a.ts' }] }],
      ['bash', { command: 'npm test' }],
      ['bash', { command: "grep -rn 'a b' . | head -200" }],
      ['bash', { command: "cat > n.md <<'EOF'\nx\nEOF" }],
      ['edit', { path: 'n.md', edits: [{ oldText: 'x', newText: 'y' }] }],
    ],
  },
  'files alone': {
    tools: [
      tool('getFileContents', { paths: { type: 'array', items: text } }),
      tool('str_replace_editor', { path: text, old_str: text, new_str: text }),
    ],
    calls: [
      ['getFileContents', { paths: ['src/a.ts'] }],
      ['str_replace_editor', { path: 'n.md', old_str: 'x', new_str: 'y' }],
    ],
  },
  'none of it': { tools: [tool('weather', { city: text })], calls: [] },
}

describe('what a script does is done with the tools that a client has', () => {
  it.each(Object.entries(agents))('%s', async (_, { tools, calls }) => {
    const hasShell = calls.some(([name]) => /bash|shell|commands/.test(name))
    const steps = [where, { do: everything }, { say: 'Done.' }]
    const { calls: made } = await asked(steps, hasShell ? placed : [system, user], tools)
    expect(made).toEqual(calls)
  })

  it('a tool that is called by its name is called as it is told, or not at all', async () => {
    const steps = [{ do: [{ call: 'weather', arguments: { city: 'Bern' } }] }, { say: 'Done.' }]
    const weather = tool('weather', { city: text })
    expect((await asked(steps, [user], [weather])).calls).toEqual([['weather', { city: 'Bern' }]])
    expect(await asked(steps, [user], [tool('bash', { command: text })])).toEqual({ text: 'Done.', calls: [] })
  })
})

describe('an action without a tool', () => {
  it('is told of once, and not where a request has no tools or the folder is not known', async () => {
    const told: string[] = []
    const document = {
      schema: 'prehend.script/1',
      steps: [
        { do: [{ call: 'weather', arguments: { city: 'Bern' } }] },
        { do: [{ run: 'ls' }, { make: 'sketch' }] },
        { say: 'Done.' },
      ],
    }
    const script = scriptFrom(document, undefined, { tellLeftOut: (sentence) => told.push(sentence) })
    const { fetch } = simulatedProvider({ script, strict: false })
    for (const tools of [undefined, [tool('other', { city: text })], [tool('other', { city: text })]]) {
      const body = JSON.stringify({ model: 'm', messages: [user], tools })
      const headers = { authorization: 'Bearer key' }
      const reply = await fetch('http://simulated/v1/chat/completions', { method: 'POST', headers, body })
      expect(await reply.text()).toContain('Done.')
      if (tools === undefined) expect(told).toEqual([])
    }
    expect(told).toEqual([
      'step 1 of the script has an action that is left out: the request has no tool named weather',
      'step 2 of the script has an action that is left out: the request has no tool for run',
    ])
  })
})

describe('which step is next', () => {
  const bash = tool('bash', { command: text })
  const steps = [
    { say: 'One.' },
    { do: [{ edit: 'a', find: 'b', replace: 'c' }] },
    { say: 'Two.', do: [{ run: 'ls' }] },
    { say: 'Three.' },
  ]

  it('is told by what the assistant has said and called, without the steps that cannot be played', async () => {
    const saidAfter = async (messages: readonly unknown[]): Promise<string | null> =>
      (await asked(steps, [user, ...messages], [bash])).text
    const one = { role: 'assistant', content: 'One.' }
    const two = callAndResult('c', 'ls', 'a')
    const edited = callAndResult('e', 'node -e …', 'edited a')
    const turns = [
      [],
      [one, ...edited],
      [one, ...edited, ...two],
      [one, ...edited, ...two, { role: 'assistant', content: 'Three.' }],
    ]
    expect(await Promise.all(turns.map(saidAfter))).toEqual(['One.', 'Two.', 'Three.', 'You said: a'])
    const noShell = tool('weather', { city: text })
    expect((await asked(steps, [user, one, user], [noShell])).text).toBe('Three.')
  })

  it('is not moved by what a client has put into the mouth of the assistant', async () => {
    const greeted = [user, { role: 'assistant', content: 'Got it. Thanks for the context!' }, user]
    expect((await asked([where, { say: 'Done.' }], greeted, [bash])).calls).toEqual([['bash', { command: 'pwd' }]])
  })

  it('two agents at a time do not disturb each other', async () => {
    const script = scriptFrom({ schema: 'prehend.script/1', steps: [{ say: 'One.' }, { say: 'Two.' }] })
    const { fetch } = simulatedProvider({ script })
    const say = async (messages: readonly unknown[]): Promise<string> => {
      const body = JSON.stringify({ model: 'gpt-4o', messages })
      const response = await fetch('http://simulated/v1/chat/completions', {
        method: 'POST',
        headers: { 'x-api-key': 'k' },
        body,
      })
      return response.text()
    }
    for (const expected of ['One.', 'One.']) expect(await say([user])).toContain(expected)
    expect(await say([user, { role: 'assistant', content: 'One.' }, user])).toContain('Two.')
  })
})

describe('a conversation whose old turns a request leaves out', () => {
  const commands = ['pwd', 'ls a', 'ls b', 'ls c', 'ls d']
  const tools = [tool('bash', { command: text })]
  const turn = (command: string, folder: string) =>
    callAndResult(`${command} ${folder}`, command, command === 'pwd' ? folder : `${folder}/x`)

  /** What the model calls next, of any number of agents. */
  function playing(): (messages: readonly unknown[]) => Promise<string> {
    const steps = [where, ...commands.slice(1).map((run) => ({ do: [{ run }] })), { say: 'Done.' }]
    const { fetch } = simulatedProvider({ script: scriptFrom({ schema: 'prehend.script/1', steps }), strict: false })
    return async (messages) => {
      const body = JSON.stringify({ model: 'm', messages: [user, ...messages], tools })
      const headers = { authorization: 'Bearer key' }
      const response = await fetch('http://simulated/v1/chat/completions', { method: 'POST', headers, body })
      const { choices } = (await response.json()) as {
        choices: { message: { content: string; tool_calls?: { function: { arguments: string } }[] } }[]
      }
      const { content, tool_calls: [call] = [] } = choices[0]!.message
      return call === undefined ? content : (JSON.parse(call.function.arguments) as { command: string }).command
    }
  }

  it('goes on, also where the request is repeated', async () => {
    const next = playing()
    for (let at = 0; at < 3; at += 1)
      expect(await next(commands.slice(0, at).flatMap((command) => turn(command, '/a')))).toBe(commands[at])
    for (let at = 3; at < 5; at += 1) {
      const shown = commands.slice(at - 2, at).flatMap((command) => turn(command, '/a'))
      for (const _ of ['first', 'again']) expect(await next(shown)).toBe(commands[at])
    }
    expect(await next([...turn('ls c', '/a'), ...turn('ls d', '/a')])).toBe('Done.')
  })

  it('is no agent that is not as far yet', async () => {
    const next = playing()
    for (let at = 0; at < 5; at += 1) await next(commands.slice(0, at).flatMap((command) => turn(command, '/a')))
    for (let at = 0; at < 5; at += 1)
      expect(await next(commands.slice(0, at).flatMap((command) => turn(command, '/b')))).toBe(commands[at])
  })
})

describe('a conversation in another dialect', () => {
  const steps = [{ say: 'One.' }, { do: [{ read: '{file:1}' }] }]
  const schema = { type: 'object', properties: { path: text }, required: ['path'] }
  const post = async (path: string, body: JsonObject): Promise<string> => {
    const { fetch } = simulatedProvider({ script: scriptFrom({ schema: 'prehend.script/1', steps }), strict: false })
    const headers = { 'x-goog-api-key': 'k' }
    return (await fetch(`http://simulated${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }

  it('of Gemini is played on by what has been said, and offered', async () => {
    const said = (role: string, words: string) => ({ role, parts: [{ text: words }] })
    const path = '/v1beta/models/gemini-2.5-pro:generateContent'
    const tools = [{ functionDeclarations: [{ name: 'read_file', parameters: { ...schema, type: 'OBJECT' } }] }]
    expect(await post(path, { tools, contents: [said('user', 'Go.')] })).toContain('"One."')
    const contents = [said('user', 'Go.'), said('model', 'It is '), said('model', 'src/a.ts.'), said('user', 'So?')]
    expect(await post(path, { tools, contents })).toContain('"args":{"path":"src/a.ts"}')
  })

  it('of Responses too', async () => {
    const tools = [{ type: 'function', name: 'read_file', parameters: schema }]
    const input = [user, { role: 'assistant', content: 'It is src/a.ts.' }, user]
    expect(await post('/v1/responses', { model: 'm', tools, input })).toContain('src/a.ts')
  })
})

describe('files that results have named', () => {
  const read = tool('read', { path: text })
  const listed = (content: string) => [
    user,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content },
  ]
  const steps = [{ say: 'x' }, { do: [{ read: '{file:1}' }, { read: '{file:2}' }, { read: '{file:3}' }] }]

  it.each([
    ['./src/a.ts\n./README.md\nnode_modules/x/y.js', ['src/a.ts', 'README.md', 'src/a.ts']],
    ['src/a.ts:3: import "./b.js"\nsrc/a.ts:4', ['src/a.ts', 'b.js', 'src/a.ts']],
    ['nothing', ['README.md', 'README.md', 'README.md']],
  ])('stand for their number: %j', async (content, paths) => {
    expect((await asked(steps, listed(content), [read])).calls.map(([, input]) => input)).toEqual(
      paths.map((path) => ({ path })),
    )
  })
})

describe('a script for clients of Responses', () => {
  it('goes on where the conversation is, sent whole or kept by the provider', async () => {
    const script = scriptFrom({
      schema: 'prehend.script/1',
      steps: [{ say: 'One.', do: [{ run: 'ls' }] }, { say: 'Two.' }, { say: 'Three.' }],
    })
    const { fetch } = simulatedProvider({ script, strict: false })
    const { responses } = new OpenAI({ baseURL: 'http://simulated/v1', apiKey: 'key', fetch })
    const parameters = { type: 'object', properties: { command: text }, required: ['command'] }
    const offer = { model: 'm', tools: [{ type: 'function' as const, name: 'bash', parameters, strict: false }] }
    const go = { role: 'user' as const, content: 'Go.' }
    const first = await responses.create({ ...offer, input: [go] })
    expect(first.output_text).toBe('One.')
    const called = first.output.find((item) => item.type === 'function_call')
    const result = { type: 'function_call_output' as const, call_id: called?.call_id ?? '', output: 'a.ts' }
    const output = first.output as OpenAI.Responses.ResponseInputItem[]
    const sentWhole = await responses.create({ ...offer, input: [go, ...output, result] })
    const kept = await responses.create({ ...offer, previous_response_id: first.id, input: [result] })
    expect([sentWhole.output_text, kept.output_text]).toEqual(['Two.', 'Two.'])
    const last = await responses.create({ ...offer, previous_response_id: kept.id, input: 'And?' })
    expect(last.output_text).toBe('Three.')
  })
})
