import { once } from 'node:events'
import { command } from './command.ts'
import type { Serving } from './open-serving.ts'
import { servingLines } from './serving-lines.ts'
import { servingOptions } from './serving-options.ts'

export const serveCommand = command({
  name: 'serve',
  about: 'run the gateway on 127.0.0.1:8484, with real providers where keys are set and else the simulated provider',
  details: [
    'Keys are read from OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and DEEPSEEK_API_KEY. Without a key and without --upstream, the simulated provider answers. The store in --data lets every handle resolve after a restart.',
  ],
  options: servingOptions,
  examples: [
    'prehend serve',
    'prehend serve --script example',
    'ANTHROPIC_API_KEY=… prehend serve --mode observe',
    'prehend serve --upstream anthropic --policy thrifty',
    'prehend serve --host 0.0.0.0 --token team-a=a-long-secret',
  ],
  async run({ options, io }) {
    const { openServing, servingConfig } = await import('./open-serving.ts')
    const serving = await openServing(servingConfig(options, io), options, io)
    if (options.json === true) io.out(`${JSON.stringify(startedJson(serving))}\n`)
    else io.out(`${servingLines(serving, io.columns).join('\n')}\nCtrl-C stops it.\n`)
    io.whenHungUp(() => void serving.reload())
    if (!io.interrupted.aborted) await once(io.interrupted, 'abort')
    await serving.close()
    return 0
  },
})

function startedJson({ url, providers, extensions }: Serving): object {
  return { url, providers, ...(extensions.length > 0 && { extensions }) }
}
