import { once } from 'node:events'
import { command } from './command.ts'
import type { Serving } from './open-serving.ts'
import { servingLines } from './serving-lines.ts'
import { servingOptions, workersOption } from './serving-options.ts'
import type { OptionValues } from './command.ts'
import type { Io } from './io.ts'

const serveOptions = { ...servingOptions, workers: workersOption } as const

export const serveCommand = command({
  name: 'serve',
  about: 'run the gateway on 127.0.0.1:8484, with real providers where keys are set and else the simulated provider',
  details: [
    'Keys are read from OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and DEEPSEEK_API_KEY. Without one and without --upstream the simulated provider answers (beyond loopback by --simulate). --data keeps handles over restarts.',
  ],
  options: serveOptions,
  examples: [
    'prehend serve',
    'prehend serve --script example',
    'ANTHROPIC_API_KEY=… prehend serve --mode observe',
    'prehend serve --upstream anthropic --policy thrifty',
    'prehend serve --host 0.0.0.0 --token team-a=$TOKEN',
  ],
  async run({ options, io }) {
    const { default: cluster } = await import('node:cluster')
    const count = options.workers ?? 1
    if (count === 1) return serve(options, io)
    if (cluster.isWorker) return serveAsWorker(options, io)
    const { runWorkers } = await import('./workers/run-workers.ts')
    return runWorkers(count, io, { isLogged: options.log === true })
  },
})

type ServeOptions = OptionValues<typeof serveOptions> & { readonly json?: boolean }

async function serve(options: ServeOptions, io: Io): Promise<number> {
  const { openServing, servingConfig } = await import('./open-serving.ts')
  const serving = await openServing(servingConfig(options, io), options, io)
  io.out(saidBy(serving, options, io))
  await untilInterrupted(serving, io)
  return 0
}

/** In one of several processes on a port. The one that has started it prints what it says. */
async function serveAsWorker(options: ServeOptions, io: Io): Promise<number> {
  const [{ openServing, servingConfig }, { openWorker }] = await Promise.all([
    import('./open-serving.ts'),
    import('./workers/worker.ts'),
  ])
  const worker = openWorker(io)
  const config = servingConfig(options, io)
  const parts = worker.partsFor(config, options.workers ?? 1)
  try {
    const serving = await openServing(config, options, worker.io, { parts })
    worker.serves(serving.gateway, saidBy(serving, options, io))
    await untilInterrupted(serving, worker.io)
    return 0
  } finally {
    worker.leave()
  }
}

async function untilInterrupted(serving: Serving, io: Io): Promise<void> {
  io.whenHungUp(() => void serving.reload())
  if (!io.interrupted.aborted) await once(io.interrupted, 'abort')
  await serving.close()
}

function saidBy(serving: Serving, options: ServeOptions, io: Io): string {
  if (options.json === true) return `${JSON.stringify(startedJson(serving))}\n`
  return `${servingLines(serving, io.columns).join('\n')}\nCtrl-C stops it.\n`
}

function startedJson({ url, providers, extensions }: Serving): object {
  return { url, providers, ...(extensions.length > 0 && { extensions }) }
}
