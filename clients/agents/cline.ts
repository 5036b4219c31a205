import type { Client } from '../client.ts'

const providersWith = (model: string) => ({
  version: 1,
  lastUsedProvider: 'openai-compatible',
  modes: {},
  providers: {
    'openai-compatible': {
      settings: { provider: 'openai-compatible', apiKey: 'any', model, baseUrl: '{url}/v1' },
      updatedAt: '2026-01-05T09:00:00.000Z',
      tokenSource: 'manual',
    },
  },
})

export const cline: Client = {
  name: 'Cline CLI',
  dialect: 'openai-chat',
  packages: { cline: '3.0.65' },
  program: 'cline-cli',
  command: ['node_modules/.bin/cline'],
  args: ({ prompt }) => ['-P', 'openai-compatible', '-m', 'gpt-4o', prompt],
  // Without a daemon, which would outlive it.
  variables: { CLINE_NO_AUTO_UPDATE: '1', CLINE_SESSION_BACKEND_MODE: 'local' },
  files: { '.cline/data/settings/providers.json': JSON.stringify(providersWith('gpt-4o')) },
  demo: {
    versions: ['3.0.65'],
    args: (prompt) => ['-P', 'openai-compatible', '-m', 'gpt-5.1', prompt],
    files: { '.cline/data/settings/providers.json': JSON.stringify(providersWith('gpt-5.1')) },
  },
  pointedBy: '`cline auth -p openai-compatible -k KEY -m MODEL -b URL/v1`, once',
}
