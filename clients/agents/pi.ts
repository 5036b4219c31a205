import type { Client } from '../client.ts'

const models = {
  providers: {
    prehend: {
      baseUrl: '{url}/v1',
      api: 'openai-completions',
      apiKey: 'any',
      models: [{ id: 'gpt-4o', contextWindow: 128_000, maxTokens: 16_000 }],
    },
  },
}

/** What `prehend/pi` is in a home folder: a file that pi finds by itself. */
const extension = `
import { join } from 'node:path'

const { PREHEND_SOURCE: source, PREHEND_DATA: data } = process.env

export default async function (pi) {
  if (data === undefined) return
  const { prehendExtension } = await import(join(source, 'integrations/pi/index.ts'))
  const { sqliteStore } = await import(join(source, 'stores/index.ts'))
  const store = sqliteStore({ path: join(data, 'prehend.sqlite') })
  prehendExtension({ store, policy: 'masked', record: 'content' })(pi)
}
`
const args = ['--offline', '--no-approve', '--provider', 'prehend', '--model', 'gpt-4o']

const usual = {
  ...models.providers.prehend,
  models: [{ id: 'gpt-5.1', contextWindow: 272_000, maxTokens: 16_000 }],
}

export const pi: Client = {
  name: 'pi',
  dialect: 'openai-chat',
  packages: { '@earendil-works/pi-coding-agent': '0.87.1' },
  program: 'pi-agent',
  command: ['node_modules/.bin/pi'],
  args: ({ prompt }) => [...args, '-p', prompt],
  files: { '.pi/agent/models.json': JSON.stringify(models) },
  demo: {
    versions: ['0.87.1', '0.74.2'],
    args: (prompt) => ['--offline', '--provider', 'prehend', '--model', 'gpt-5.1', '-p', prompt],
    files: { '.pi/agent/models.json': JSON.stringify({ providers: { prehend: usual } }) },
    notNewer: '1.6.0 asks for a version of @earendil-works/pi-agent-core that was not on the registry on that day',
  },
  pointedBy: 'a provider with `baseUrl` in `~/.pi/agent/models.json`',
}

const { demo: _, ...piAlone } = pi

export const piInProcess: Client = {
  ...piAlone,
  name: 'pi, in process',
  inProcess: 'pi',
  args: ({ prompt }) => [...args, '--mode', 'json', prompt],
  files: { ...pi.files, '.pi/agent/extensions/prehend.ts': extension },
  pointedBy: '`prehendExtension()` of `prehend/pi` in `~/.pi/agent/extensions`',
}
