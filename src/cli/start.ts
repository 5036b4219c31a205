import { once } from 'node:events'
import { command } from './command.ts'
import { commandName } from './command-name.ts'
import { onFreePort } from './free-port.ts'
import { exampleAnswers, exampleFile, exampleSession, hasExample } from './example.ts'
import { servingLines } from './serving-lines.ts'
import { servingOptions } from './serving-options.ts'
import { exampleRecordedOtherwise } from './example-recorded-otherwise.ts'
import { startSummary } from './start-summary.ts'
import { version } from './version.ts'
import { hanging } from './wrap-text.ts'
import type { Io } from './io.ts'
import type { Serving } from './open-serving.ts'
import type { ServingOptions } from './serving-options.ts'

export const startCommand = command({
  name: 'start',
  about: 'replay the recorded example session, report the saving, then serve; npm start runs it in a checkout',
  options: {
    ...servingOptions,
    'no-serve': { type: 'flag', about: 'stop after the summary' },
    'once': { type: 'flag', about: 'serve, send the example session through the gateway, and stop' },
  },
  examples: ['prehend start', 'prehend start --port 9000 --policy thrifty', 'prehend start --once'],
  async run({ options, io }) {
    const quiet = options.json === true
    if (options['no-serve'] === true) {
      const summary = await toldSummary(io, quiet)
      if (quiet) io.out(`${JSON.stringify({ example: summary?.report ?? null })}\n`)
      return 0
    }
    // Before the replay, which takes seconds: a port that is taken is said at once.
    const serving = await openAnywhere(options, io)
    try {
      const summary = await toldSummary(io, quiet)
      const sent = hasExample() && serving.providers.length === 0 ? await sendExample(serving, options) : undefined
      const token = tokenOf(options)
      const otherwise =
        sent === 0 && summary !== undefined
          ? await exampleRecordedOtherwise(summary.report, { serving, io, ...(token !== undefined && { token }) })
          : undefined
      if (quiet)
        io.out(
          `${JSON.stringify({ example: summary?.report ?? null, url: serving.url, sent: sent === 'store-in-use' ? null : (sent ?? null) })}\n`,
        )
      else {
        const told = tryLines(serving, { sent, otherwise }, io.columns)
        io.out(`${[...servingLines(serving, io.columns), '', ...told].join('\n')}\n`)
      }
      if (options.once !== true && !io.interrupted.aborted) await once(io.interrupted, 'abort')
    } finally {
      await serving.close()
    }
    return 0
  },
})

/** What the example costs; undefined where there is none. */
async function toldSummary(io: Io, quiet: boolean) {
  const summary = hasExample() ? await startSummary(exampleFile, exampleSession().model, io.columns) : undefined
  if (!quiet) io.out(`Prehend ${version()}\n\n${summary?.text ?? 'There is no example session here to replay.\n'}\n`)
  return summary
}

/** Takes a free port where the usual one is in use, and says so. */
async function openAnywhere(options: ServingOptions, io: Io): Promise<Serving> {
  const { openServing, servingConfig } = await import('./open-serving.ts')
  const config = servingConfig(options, io)
  // The simulated provider answers the example as its model did, so that its bill is of those answers.
  const answers = hasExample() ? exampleAnswers(exampleSession()) : undefined
  const isNamed = options.port !== undefined || config.port !== Number(servingOptions.port.fallback)
  const open = (port: number): Promise<Serving> => openServing({ ...config, port }, options, io, { answers })
  return onFreePort({ host: config.host, port: config.port, isNamed }, open, (line) => io.err(line))
}

/** Gives the inspector something to look at; once for every store, and never beside sessions of the user's own. */
async function sendExample(serving: Serving, options: ServingOptions): Promise<number | 'store-in-use'> {
  const { sendSession } = await import('./example.ts')
  const token = tokenOf(options)
  return sendSession(exampleSession(), {
    url: serving.url,
    ...(token === undefined ? {} : { token }),
  })
}

function tokenOf({ token }: ServingOptions): string | undefined {
  return token?.[0]?.split('=').at(-1)
}

interface ExampleSent {
  /** Requests; undefined where it was not to be sent, 0 where it was there already. */
  readonly sent: number | 'store-in-use' | undefined
  /** Set where its record says other figures than the summary. */
  readonly otherwise: string | undefined
}

function tryLines({ url, inspector }: Serving, { sent, otherwise }: ExampleSent, columns?: number): readonly string[] {
  const packs =
    sent === undefined
      ? 'The receipts of its requests:'
      : sent === 0
        ? 'The example session is in its store already:'
        : sent === 'store-in-use'
          ? 'Its store holds sessions, so the example session was not sent into it. Their receipts:'
          : `The example session has just gone through it, ${sent} requests:`
  return [
    hanging(packs, columns),
    `  ${commandName()} packs`,
    '',
    ...(otherwise === undefined ? [] : [hanging(otherwise, columns), '']),
    'Send a request:',
    `  curl ${url}/v1/chat/completions \\`,
    "    -H 'content-type: application/json' \\",
    `    -d '{"model":"gpt-5.1","messages":[{"role":"user","content":"Hello"}]}'`,
    '',
    'Point an agent at it:',
    `  new OpenAI({ baseURL: '${url}/v1', apiKey: 'any' })`,
    `  new Anthropic({ baseURL: '${url}', apiKey: 'any' })`,
    '',
    'Replay your own traffic, a JSONL file of request bodies:',
    `  ${commandName()} replay traffic.jsonl`,
    '',
    'Ctrl-C stops it.',
    ...(inspector === undefined ? [] : ['', `See where the tokens go: ${inspector}`]),
  ]
}
