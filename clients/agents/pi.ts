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

export const pi: Client = {
  name: 'pi',
  dialect: 'openai-chat',
  packages: { '@earendil-works/pi-coding-agent': '0.87.1' },
  program: 'pi-agent',
  command: ['node_modules/.bin/pi'],
  args: ({ prompt }) => ['--offline', '--no-approve', '--provider', 'prehend', '--model', 'gpt-4o', '-p', prompt],
  files: { '.pi/agent/models.json': JSON.stringify(models) },
  pointedBy: 'a provider with `baseUrl` in `~/.pi/agent/models.json`',
}
