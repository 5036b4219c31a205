/** What a client is told to do, and where. */
export interface Job {
  readonly prompt: string
  /** The repository that it works on. */
  readonly folder: string
}

/** How people run an agent: with the model that it takes by itself, or where it has none, a usual one. */
export interface Demo {
  /** Exact versions: the newest that installs, and older ones that are still in use. */
  readonly versions: readonly string[]
  readonly args: (prompt: string) => readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  /** Files in its home folder; `{url}` becomes the address of the gateway. */
  readonly files?: Readonly<Record<string, string>>
  /** Why no newer version is here. */
  readonly notNewer?: string
}

/** How an agent is told of a program that is an MCP server. */
export interface TellsMcp {
  readonly args: (prompt: string) => readonly string[]
  /** Files in its home folder. */
  readonly files: (server: {
    readonly command: string
    readonly args: readonly string[]
  }) => Readonly<Record<string, string>>
}

/** A real client from the npm registry: an agent, or a small one written with an SDK or a framework. */
export interface Client {
  readonly name: string
  readonly dialect: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'
  /** Where absent, JavaScript: its packages are those of npm; otherwise of PyPI. */
  readonly language?: 'python'
  /** Exact versions by name; the first is the client itself. */
  readonly packages: Readonly<Record<string, string>>
  /** By this name `prehend wrap` starts it. */
  readonly program: string
  /** The file that is run, in the folder where it is installed, and what runs it where it is no program by itself. */
  readonly command: readonly string[]
  readonly args: (job: Job) => readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  /** Files in its home folder; `{url}` becomes the address that it is to ask. */
  readonly files?: Readonly<Record<string, string>>
  /** What its tools say that is never the same twice; left out where the model has written it into a file. */
  readonly volatile?: RegExp
  /** Whether it does not work without what its packages run when they are installed. */
  readonly needsInstallScripts?: boolean
  /** The integration by which it packs its calls itself, where others are started by `prehend wrap`. */
  readonly inProcess?: 'adk' | 'ai-sdk' | 'langchain' | 'mastra' | 'openai-agents' | 'pi'
  /** What the gateway packs by; absent, `masked`. */
  readonly policy?: 'masked' | 'thrifty'
  /** What it took to point it here. */
  readonly pointedBy: string
  /** How people run it; absent for what is no agent by itself. */
  readonly demo?: Demo
  /** How it takes `prehend mcp`; absent where that is not tried. */
  readonly mcp?: TellsMcp
  /** Why it cannot be run at all. */
  readonly notRun?: string
  /** Why it fails, where that is known; if it does not, that is a failure. */
  readonly fails?: string
}

/** A small agent on an SDK or a framework: `frameworks/NAME.agent.mjs`, run where its packages are installed. */
export function framework(
  name: string,
  { variables, ...own }: Pick<Client, 'name' | 'dialect' | 'packages' | 'pointedBy' | 'variables'> & Partial<Client>,
): Client {
  return {
    program: name,
    command: ['node', `${name}.agent.mjs`],
    args: ({ prompt, folder }) => [prompt, folder],
    ...own,
    ...(variables && { variables }),
  }
}

/** A small agent on an SDK for Python: `frameworks/SDK_python_agent.py`, run in a virtual environment. */
export function pythonAgent(sdk: string, own: Pick<Client, 'name' | 'dialect' | 'packages' | 'pointedBy'>): Client {
  return {
    language: 'python',
    program: `${sdk}-python`,
    command: ['venv/bin/python', `${sdk}_python_agent.py`],
    args: ({ prompt, folder }) => [prompt, folder],
    ...own,
  }
}
