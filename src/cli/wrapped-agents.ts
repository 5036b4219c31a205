import { basename } from 'node:path'

/** What points a program at a gateway, for as long as it runs. */
export interface Pointing {
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string>>
  /** Arguments before its own. */
  readonly args: readonly string[]
}

interface Agent extends Partial<Omit<Pointing, 'variables'>> {
  readonly variables?: Pointing['variables']
  /** What has to be done once, where nothing that ends with the program points it anywhere. */
  readonly once?: string
}

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
const agents: Readonly<Record<string, (url: string) => Agent>> = {
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
    args: settings({
      'model_provider': 'prehend',
      'model_providers.prehend.name': 'prehend',
      'model_providers.prehend.base_url': `${url}/v1`,
      'model_providers.prehend.wire_api': 'responses',
      'model_providers.prehend.env_key': 'OPENAI_API_KEY',
    }),
  }),
  pi: (url) => ({
    once: `name a provider with the base URL ${url}/v1 (chat) or ${url} (Anthropic) in ~/.pi/agent/models.json`,
  }),
  cline: (url) => ({ once: `run: cline auth -p openai-compatible -b ${url}/v1` }),
  cn: (url) => ({ once: `set apiBase: ${url}/v1 for its models in ~/.continue/config.yaml` }),
}

/** Codex takes settings as TOML after `-c`. */
function settings(given: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}

export function pointing(program: string, url: string): Pointing & Pick<Agent, 'once'> {
  const name = basename(program).replace(/\.(?:exe|cmd|[cm]?js)$/i, '')
  const { variables, args = [], ...more } = (Object.hasOwn(agents, name) ? agents[name]?.(url) : undefined) ?? {}
  return { variables: { ...standard(url), ...variables }, args, ...more }
}
