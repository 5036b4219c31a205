// What a folder's git says, for the model: a source, a ladder, a layer, a route and a command in one extension.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ConfigShape, Extension, ExtensionHost, Layer, OwnLadder, Source } from 'prehend/extension'

interface Config {
  /** The working tree that is looked at. */
  readonly folder: string
}

const run = promisify(execFile)

async function statusOf({ folder }: Config, signal?: AbortSignal): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, 'status', '--short', '--branch'], { ...(signal && { signal }) })
  return stdout.trimEnd()
}

/** Any schema by Standard Schema will do, such as one of zod; this one is written by hand. */
const config: ConfigShape<Config> = {
  '~standard': {
    validate(value) {
      const { folder = '.' } = value as { readonly folder?: unknown }
      if (typeof folder === 'string') return { value: { folder } }
      return { issues: [{ message: 'is not the path of a folder', path: ['folder'] }] }
    },
  },
}

/** Asked once for each of the user's turns: what has changed in the folder. */
function changes(own: Config): Source {
  return {
    id: 'git-status',
    async collect({ signal }) {
      const text = await statusOf(own, signal)
      return [{ id: 'git-status', section: 'evidence', kind: 'text', text: `Changes in the working tree:\n${text}` }]
    },
  }
}

const isStatus = /^## \S+(?:\n(?:[ MADRCU?!]{2} [^\n]+))+$/

/** Shows an old `git status` without its untracked files, which are most of a long one. */
const shorterStatus: OwnLadder = (item, { count, handle }) => {
  if (!isStatus.test(item.text)) return undefined
  const full = { rung: 'full', text: item.text, tokens: count(item.text), fidelity: 1 } as const
  const lines = item.text.split('\n')
  const tracked = lines.filter((line) => !line.startsWith('?? '))
  const untracked = lines.length - tracked.length
  const text = [...tracked, `[${untracked} untracked files: rehydrate("${handle}")]`].join('\n')
  const tokens = count(text)
  return tokens < full.tokens ? [full, { rung: 'trimmed', text, tokens, fidelity: 0.8, handle }] : [full]
}

/** Counts requests by the branch that their agent works on. */
function countBranches(own: Config, { count, clock }: ExtensionHost<Config>): Layer {
  let branch = { name: 'unknown', readMs: -Infinity }
  const read = async (): Promise<void> => {
    if (clock() - branch.readMs < 10_000) return
    const name = /^## (\S+?)(?:\.\.\.|$)/m.exec(await statusOf(own))?.[1] ?? 'unknown'
    branch = { name, readMs: clock() }
  }
  return {
    name: 'git-branch',
    failure: 'open',
    limitMs: 500,
    appliesTo: ({ kind }) => kind === 'messages',
    async handle(exchange, next) {
      await read()
      count('requests', { branch: branch.name })
      return next(exchange)
    },
  }
}

export default {
  name: 'git-status',
  specificationVersion: 1,
  config,
  open: (host) => ({
    sources: [changes(host.config)],
    ladders: [shorterStatus],
    layers: [countBranches(host.config, host)],
    metrics: { requests: { help: 'Requests by the branch of the folder.', labels: ['branch'] } },
    routes: [{ method: 'get', path: '/', answer: async () => ({ text: await statusOf(host.config) }) }],
    commands: [
      {
        name: 'git-status',
        about: 'what the source of the example tells a model',
        run: async ({ out }) => out(`${await statusOf(host.config)}\n`),
      },
    ],
  }),
} satisfies Extension<Config>
