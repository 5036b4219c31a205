import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openGateway, parseConfig } from '../src/gateway/index.ts'
import { simulatedProvider } from '../src/providers/index.ts'
import type { ScriptEntry, SimulatedRequest } from '../src/providers/index.ts'
import { memoryStore } from '../src/stores/index.ts'
import type { Client, TellsMcp } from './client.ts'
import { baseVariables, commitAll, foldersIn, pointed, prehend } from './play.ts'
import { programIn } from './program-in.ts'
import { runProcess } from './run-process.ts'

/** What came of an agent that has the tools of a gateway by `prehend mcp` over standard input and output. */
export interface McpOutcome {
  /** What the agent calls the tools of the server by. */
  readonly names: readonly string[]
  readonly problems: readonly string[]
}

interface Settings {
  readonly installed: string
  /** An empty folder of its own. */
  readonly place: string
  readonly timeoutMs: number
}

const tools = ['search_tools', 'get_tool_schema', 'execute_tool', 'rehydrate'] as const
const prompt = 'Greet Ada by a tool of the registry, and say what it answered.'
const answer = 'Good day, Ada, says the registry'
const last = 'The registry has greeted Ada.'

/** A model that looks for a tool of the registry, calls it, and says so. Requests without these tools, for titles and the like, get words. */
function greeting({ body }: SimulatedRequest): ScriptEntry {
  const [search, , execute] = tools.map((tool) => nameIn(body, tool))
  if (search === undefined || execute === undefined) return 'A title.'
  if (body.includes(answer)) return last
  const call = (name: string, given: object) => ({ type: 'tool-call' as const, name, arguments: given as never })
  // The line that a search answers with.
  if (body.includes('greet(name: string)'))
    return { parts: [call(execute, { toolName: 'greet', params: { name: 'Ada' } })] }
  return { parts: [call(search, { query: 'greet somebody' })] }
}

/** What an agent calls a tool of a server by: agents put the server before it. */
function nameIn(body: string, tool: string): string | undefined {
  return new RegExp(`"name":"(\\w+_${tool})"`).exec(body)?.[1]
}

/** Has an agent use a tool of a gateway's registry by `prehend mcp`; the model is asked through the same gateway. */
export async function playMcp(client: Client, mcp: TellsMcp, settings: Settings): Promise<McpOutcome> {
  const { installed, place, timeoutMs } = settings
  const greeted: unknown[] = []
  const greet = {
    name: 'greet',
    description: 'Greets somebody by name.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    run: ({ name }: { readonly name?: unknown }) => {
      greeted.push(name)
      return `Good day, ${String(name)}, says the registry`
    },
  }
  const provider = simulatedProvider({ script: greeting, strict: false })
  const server = await provider.listen()
  const upstreams = {
    openai: { baseUrl: server.url },
    anthropic: { baseUrl: server.url },
    google: { baseUrl: server.url },
  }
  // Sessions are not offered the registry a second time.
  const gateway = await openGateway(parseConfig({ port: 0, upstreams, policy: 'careful' }), {
    store: memoryStore(),
    tools: [greet],
  })
  try {
    const { home, folder, bin } = foldersIn(place)
    const env = { ...baseVariables(home, bin), ...client.variables }
    commitAll(folder, env)
    symlinkSync(programIn(client, installed), join(bin, client.program))
    const command = { command: process.execPath, args: [prehend, 'mcp', '--url', gateway.url] }
    for (const [name, text] of Object.entries(mcp.files(command))) {
      mkdirSync(dirname(join(home, name)), { recursive: true })
      writeFileSync(join(home, name), text)
    }
    const [program, { args, variables }] = pointed(client, gateway.url, mcp.args(prompt), env)
    const ended = await runProcess(program, args, { cwd: folder, timeoutMs, env: { ...env, ...variables } })
    writeFileSync(join(place, 'output.txt'), ended.output)
    return outcomeOf(ended, provider.requests, greeted)
  } finally {
    await gateway.close()
    await server.close()
  }
}

function outcomeOf(
  { code, output }: { readonly code: number; readonly output: string },
  requests: readonly SimulatedRequest[],
  greeted: readonly unknown[],
): McpOutcome {
  const bodies = requests.map(({ body }) => body)
  const found = tools.map((tool) => bodies.flatMap((body) => nameIn(body, tool) ?? [])[0])
  const names = found.flatMap((name) => name ?? [])
  const wrong: readonly (readonly [boolean, string])[] = [
    [code !== 0, `it ended with ${code}:\n${output.slice(-3000)}`],
    [names.length < tools.length, `it has ${names.join(', ') || 'none'} of the tools ${tools.join(', ')}`],
    [greeted.length !== 1 || greeted[0] !== 'Ada', `the tool was called with ${JSON.stringify(greeted)}`],
    [!bodies.some((body) => body.includes(answer)), 'the answer of the tool did not come back to the model'],
    [!output.includes(last), 'it does not say what the model said last'],
  ]
  return { names, problems: wrong.flatMap(([is, what]) => (is ? [what] : [])) }
}
