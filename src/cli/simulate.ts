import { once } from 'node:events'
import { command } from './command.ts'
import { listening } from './listening.ts'
import { givenScript, scriptOption } from './script-option.ts'

export const simulateCommand = command({
  name: 'simulate',
  about:
    'run the simulated provider alone: OpenAI, Anthropic, Google, DeepSeek and OpenRouter, with their caches and bills',
  details: [
    'It answers by echoing, or plays a script, and caches and bills as the provider does. Any API key will do; keys do not share caches. It takes any model and any parameters, and says in every answer what it is; with --strict it refuses what the provider refuses, in its words.',
  ],
  options: {
    'port': {
      type: 'number',
      about: 'port to listen on; 0 takes a free one',
      placeholder: 'PORT',
      min: 0,
      max: 65_535,
      fallback: '8485',
    },
    'host': {
      type: 'text',
      about: 'address to listen on',
      placeholder: 'HOST',
      fallback: '127.0.0.1',
    },
    'script': scriptOption,
    'strict': { type: 'flag', about: 'refuse the models and parameters that the provider refuses' },
    'first-byte-ms': {
      type: 'number',
      about: 'from a request to the first byte of its answer',
      placeholder: 'MS',
      min: 0,
    },
    'tokens-per-second': { type: 'number', about: 'pace of answers', placeholder: 'N', min: 0.001 },
    'miss-rate': {
      type: 'number',
      about: 'share of requests that miss the cache for no reason',
      placeholder: 'X',
      min: 0,
      max: 1,
    },
    'seed': { type: 'number', about: 'seed of --miss-rate: it chooses these requests', placeholder: 'N' },
  },
  examples: ['prehend simulate --port 8485 --tokens-per-second 50', 'prehend simulate --script example'],
  async run({ options, io }) {
    const { simulatedProvider } = await import('../providers/index.ts')
    const script = await givenScript(options.script, io)
    const provider = simulatedProvider({
      strict: options.strict === true,
      ...(script && { script }),
      ...(options['first-byte-ms'] === undefined ? {} : { firstByteMs: options['first-byte-ms'] }),
      ...(options['tokens-per-second'] === undefined ? {} : { tokensPerSecond: options['tokens-per-second'] }),
      ...(options['miss-rate'] === undefined ? {} : { missRate: options['miss-rate'] }),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
    })
    const { port = 8485, host = '127.0.0.1' } = options
    const server = await listening({ host, port }, () => provider.listen(port, host))
    if (options.json === true) io.out(`${JSON.stringify({ url: server.url })}\n`)
    else
      io.out(
        `simulated provider on ${server.url} (OpenAI: ${server.url}/v1, Anthropic: ${server.url}); Ctrl-C stops it\n`,
      )
    if (!io.interrupted.aborted) await once(io.interrupted, 'abort')
    await server.close()
    return 0
  },
})
