import { basename } from 'node:path'

/** What points a program at a gateway, for as long as it runs. */
export interface Pointing {
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string>>
  /** Arguments before its own. */
  readonly args: readonly string[]
  /** What it needs besides, which neither variables nor arguments can give. */
  readonly needs?: string
  /** What has to be done once, where nothing that ends with the program points it anywhere. */
  readonly once?: string
}

type Agent = Partial<Pointing>

/** The variables that the providers' SDKs, LiteLLM and most agents read. */
function standard(url: string): Pointing['variables'] {
  return {
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_BASE: `${url}/v1`,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_BASE: url,
    GOOGLE_GEMINI_BASE_URL: url,
  }
}

/** Agents that read something else, or more, by the name of their program. */
const agents: Readonly<Record<string, (url: string, own: readonly string[]) => Agent>> = {
  goose: (url) => ({ variables: { OPENAI_HOST: url, ANTHROPIC_HOST: url, GOOGLE_HOST: url } }),
  crush: (url) => ({
    variables: { OPENAI_API_ENDPOINT: `${url}/v1`, ANTHROPIC_API_ENDPOINT: url, GEMINI_API_ENDPOINT: url },
  }),
  opencode: (url) => {
    const options = { baseURL: `${url}/v1` }
    const google = { options: { baseURL: `${url}/v1beta` } }
    const provider = { openai: { options }, anthropic: { options }, google }
    return { variables: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider }) } }
  },
  codex: (url) => ({
    args: codexSettings({
      'model_provider': 'prehend',
      'model_providers.prehend.name': 'prehend',
      'model_providers.prehend.base_url': `${url}/v1`,
      'model_providers.prehend.wire_api': 'responses',
      'model_providers.prehend.env_key': 'OPENAI_API_KEY',
    }),
  }),
  // With a base URL and no selected type it chooses one that it then refuses.
  gemini: () => ({
    needs:
      'set "security": {"auth": {"selectedType": "gemini-api-key"}} in ~/.gemini/settings.json and a GEMINI_API_KEY; without a terminal pass --skip-trust, too',
  }),
  qwen: (_, own) => (own.some((arg) => /^--auth-type(?:=|$)/.test(arg)) ? {} : { args: ['--auth-type', 'openai'] }),
  pi: (url) => ({
    once: `name a provider with the base URL ${url}/v1 (chat) or ${url} (Anthropic) in ~/.pi/agent/models.json`,
  }),
  cline: (url) => ({ once: `run: cline auth -p openai-compatible -k "$OPENAI_API_KEY" -m gpt-5.1 -b ${url}/v1` }),
  cn: (url) => ({ once: `set apiBase: ${url}/v1 for its models in ~/.continue/config.yaml` }),
}

/** Codex takes settings as TOML after `-c`. */
function codexSettings(given: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}

/** What points a program at a gateway; options that are among its own arguments are not given twice. */
export function pointing(program: string, url: string, own: readonly string[] = []): Pointing {
  const name = basename(program).replace(/\.(?:exe|cmd|[cm]?js)$/i, '')
  const agent = Object.hasOwn(agents, name) ? agents[name]?.(url, own) : undefined
  const { variables, args = [], ...more } = agent ?? {}
  return { variables: { ...standard(url), ...variables }, args, ...more }
}
