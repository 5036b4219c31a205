import { invalidInput } from '../core/index.ts'
import { permittingText, providerEndpoints, providerNames } from '../providers/index.ts'
import { command } from './command.ts'
import { ownRequests } from './own-requests.ts'
import { withReceipts } from './receipts.ts'
import { servingOptions } from './serving-options.ts'
import { runSummary } from './wrap-summary.ts'
import { pointing } from './wrapped-agents.ts'
import type { Io } from './io.ts'
import type { ServingOptions } from './serving-options.ts'
import type { Pointing } from './wrapped-agents.ts'

const { fallback: _fallback, ...portOption } = servingOptions.port
const { 'host': _host, 'token': _token, 'allow-host': _hosts, 'allow-origin': _origins, ...ownOptions } = servingOptions

export const wrapCommand = command({
  name: 'wrap',
  about: 'start an agent with a gateway of its own; when it ends, say what was saved',
  details: [
    'The gateway listens on a free port, and the agent finds it by the variables and arguments that --print shows: nothing of its configuration is changed, and nothing is left behind. What it sends goes to OpenAI, Anthropic, Google and DeepSeek with the credentials that it brings, unless --upstream, --config or --script say otherwise.',
    `--script example needs an agent that may run commands and write files without asking. Options that permit it: ${permittingText()}. opencode, pi and Cline need none.`,
    'Everything from the name of the program on is its own. Its exit code is ours.',
  ],
  positional: { name: 'CMD', about: 'the program to start, and its arguments', least: 1, most: Infinity, rest: true },
  options: {
    ...ownOptions,
    port: { ...portOption, about: 'port to listen on; without it, a free one, and 8484 with --print' },
    print: { type: 'flag', about: 'show what the program would be given, for a gateway that runs already' },
  },
  examples: [
    'prehend wrap claude',
    'prehend wrap --policy thrifty aider --model openai/gpt-5.1',
    'prehend wrap --print opencode',
    'prehend wrap --script example claude -p go --permission-mode acceptEdits --allowedTools Bash Edit Write Read Grep Glob',
    'prehend wrap --script example -- node my-agent.js',
  ],
  async run({ options, positionals: [program = '', ...args], io }) {
    if (options.print === true) return printed([program, ...args], options, io)
    const { once } = pointing(program, usualAddress())
    if (once !== undefined) throw needsConfiguration(program, once)
    const { openServing, servingConfig } = await import('./open-serving.ts')
    const config = servingConfig({ ...options, ...upstreamsFor(options), port: options.port ?? 0 }, io)
    if (config.tokens.length > 0)
      throw invalidInput(
        'tokens',
        'cannot be given to the program',
        'Leave them out: only this machine reaches the gateway',
      )
    const requests = ownRequests()
    const serving = await openServing(config, options, io, { listener: requests.logger })
    try {
      const given = pointing(program, serving.url, args)
      const behind = behindText(program, serving.providers, { options, io })
      io.err(
        `prehend: ${program} goes through ${serving.url} to ${behind}; mode ${config.mode}, policy ${config.policy}\n`,
      )
      const keys = serving.providers.length === 0 ? missingKeys(io.environment) : {}
      const code = await io.runProgram(program, [...given.args, ...args], { ...keys, ...given.variables })
      const run = { program, needs: given.needs, code, requests, store: serving.store }
      const told = await withReceipts({ url: serving.url }, io, (receipts) => runSummary(receipts, run))
      io.err(`prehend: ${told}\n`)
      return code
    } finally {
      await serving.close()
    }
  },
})

interface Given {
  readonly options: ServingOptions
  readonly io: Pick<Io, 'environment'>
}

/** The providers that were named; of those that are there by themselves, the ones that the environment has a key for. */
function behindText(program: string, providers: readonly string[], { options, io }: Given): string {
  if (providers.length === 0) return 'the simulated provider'
  if (upstreamsFor(options).upstream === undefined) return providers.join(', ')
  const keyed = providerNames.filter((name) => io.environment[providerEndpoints[name].keyVariable])
  return keyed.length > 0 ? keyed.join(', ') : `the provider that ${program} is logged in to`
}

/** Many programs stop where no key is set. The simulated provider takes any. */
function missingKeys(environment: Io['environment']): Readonly<Record<string, string>> {
  const names = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY']
  return Object.fromEntries(names.filter((name) => !environment[name]).map((name) => [name, 'simulated']))
}

/** An agent that is worth wrapping brings its own key, or has logged in. */
function upstreamsFor({ upstream, simulate, script, config }: ServingOptions): Pick<ServingOptions, 'upstream'> {
  const isTold = upstream !== undefined || simulate === true || script !== undefined || config !== undefined
  return isTold ? {} : { upstream: providerNames }
}

function needsConfiguration(program: string, once: string): Error {
  return invalidInput(
    program,
    'reads where its models are from its own configuration',
    `Start prehend serve, then ${once}`,
  )
}

/** Where a gateway is that runs already. */
function usualAddress(port: number | string = servingOptions.port.fallback): string {
  return `http://127.0.0.1:${port}`
}

/** For a shell to read, or as JSON. */
function printed(
  [program = '', ...own]: readonly string[],
  options: ServingOptions & { readonly json?: boolean },
  io: Io,
): number {
  const given = pointing(program, usualAddress(options.port), own)
  if (options.json === true) io.out(`${JSON.stringify(given)}\n`)
  else io.out(`${[...shellLines(given, program), ...remark(given.needs), ...remark(given.once)].join('\n')}\n`)
  return 0
}

function shellLines({ variables, args }: Pointing, program: string): readonly string[] {
  const quoted = (text: string): string =>
    /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
  return [
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`),
    ...(args.length > 0 ? [`# ${program} ${args.map(quoted).join(' ')}`] : []),
  ]
}

function remark(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`# ${text}`]
}
