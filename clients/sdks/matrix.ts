import { listCases } from './cases.ts'
import type { ListCase } from './cases.ts'

/** One SDK asking one API of one provider. */
export interface Target {
  /** The package, as it is imported. */
  readonly sdk: string
  readonly api: 'chat' | 'responses' | 'messages' | 'gemini'
  readonly model: string
  /** The dialect of the provider behind a gateway between the two; absent, the provider is asked itself. */
  readonly behind?: 'anthropic-messages' | 'openai-chat'
  /** Whether the SDK is shown what was thought. */
  readonly showsThinking?: boolean
  /** Whether it marks what is to be cached, as Anthropic's API wants it. */
  readonly marks?: boolean
  /** The major of the framework that a package is for. */
  readonly major?: number
  readonly lists?: readonly ListCase[]
}

/** Packages that are installed together, at their newest release of a major that was out on `asOf`. */
export interface SdkGroup {
  readonly name: string
  /** The file in `readers` that asks by them. */
  readonly reader: string
  /** Where absent, JavaScript: the packages are those of npm, the reader runs on Node. */
  readonly language?: 'python'
  readonly packages: Readonly<Record<string, string>>
  readonly targets: readonly Target[]
}

/** The day on which these were the newest. */
export const newestOn = '2026-11-26'

const models = {
  chat: 'gpt-4o',
  responses: 'gpt-5.1',
  messages: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
} as const

type Asked = Pick<Target, 'sdk'> & Partial<Target>

/** A package at each of its APIs: asking the provider, and asking one that speaks another dialect through a gateway. */
function both(asked: Asked, apis: readonly Target['api'][]): readonly Target[] {
  return apis.flatMap((api): readonly Target[] => {
    const isClaude = api === 'messages'
    const direct = { api, model: models[api], showsThinking: isClaude || api === 'gemini', marks: isClaude, ...asked }
    const { lists: _, ...crossing } = asked
    const other = isClaude
      ? ({ behind: 'openai-chat', model: 'deepseek-reasoner', showsThinking: true } as const)
      : ({ behind: 'anthropic-messages', model: models.messages } as const)
    return [direct, { ...crossing, ...other, api }]
  })
}

interface AiSdkVersions {
  readonly ai: string
  readonly openai: string
  readonly anthropic: string
  readonly google: string
  readonly deepseek: string
  readonly compatible: string
  readonly openrouter: string
  readonly zod: string
}

function aiSdk(major: number, versions: AiSdkVersions): SdkGroup {
  const of = (sdk: string): Asked => ({ sdk, major })
  return {
    name: `ai-sdk-${major}`,
    reader: 'ai-sdk',
    packages: {
      'ai': versions.ai,
      '@ai-sdk/openai': versions.openai,
      '@ai-sdk/anthropic': versions.anthropic,
      '@ai-sdk/google': versions.google,
      '@ai-sdk/deepseek': versions.deepseek,
      '@ai-sdk/openai-compatible': versions.compatible,
      '@openrouter/ai-sdk-provider': versions.openrouter,
      'zod': versions.zod,
    },
    targets: [
      ...both(of('@ai-sdk/openai'), ['chat', 'responses']),
      ...both(of('@ai-sdk/anthropic'), ['messages']),
      ...both(of('@ai-sdk/google'), ['gemini']),
      { ...of('@ai-sdk/deepseek'), api: 'chat', model: 'deepseek-reasoner', showsThinking: true },
      ...both(of('@ai-sdk/openai-compatible'), ['chat']),
      {
        ...of('@openrouter/ai-sdk-provider'),
        api: 'chat',
        model: 'google/gemini-3.5-flash',
        showsThinking: true,
      },
    ],
  }
}

interface Plain {
  readonly sdk: string
  readonly reader: string
  readonly apis: readonly Target['api'][]
  readonly lists?: readonly ListCase[]
}

function plain(version: string, { sdk, reader, apis, lists = listCases }: Plain): SdkGroup {
  const [major] = version.split('.')
  const name = `${reader}-${major}`
  return { name, reader, packages: { [sdk]: version }, targets: both({ sdk, lists }, apis) }
}

/** An SDK from PyPI. */
function python(version: string, { sdk, reader, apis, lists = listCases }: Plain): SdkGroup {
  const [major] = version.split('.')
  const targets = both({ sdk, lists }, apis)
  return { name: `${reader}-python-${major}`, reader, language: 'python', packages: { [sdk]: version }, targets }
}

function langchain(major: number, packages: Readonly<Record<string, string>>): SdkGroup {
  const of = (sdk: string): Asked => ({ sdk, major })
  return {
    name: `langchain-${major}`,
    reader: 'langchain',
    packages,
    targets: [
      ...both(of('@langchain/openai'), ['chat', 'responses']),
      ...both(of('@langchain/anthropic'), ['messages']),
      ...both(of('@langchain/google-genai'), ['gemini']),
    ],
  }
}

const openai: Plain = { sdk: 'openai', reader: 'openai', apis: ['chat', 'responses'] }
const anthropic: Plain = { sdk: '@anthropic-ai/sdk', reader: 'anthropic', apis: ['messages'] }
const google: Plain = { sdk: '@google/genai', reader: 'google-genai', apis: ['gemini'] }

export const sdkGroups: readonly SdkGroup[] = [
  plain('4.104.0', { ...openai, lists: ['models', 'model'] }),
  plain('5.23.2', { ...openai, lists: ['models', 'model'] }),
  plain('6.49.0', openai),
  plain('7.57.0', openai),
  plain('0.137.0', anthropic),
  plain('1.14.0', anthropic),
  python('2.54.0', openai),
  python('3.22.1', openai),
  python('1.13.0', { ...anthropic, sdk: 'anthropic' }),
  plain('1.52.0', google),
  plain('2.32.0', google),
  plain('3.3.0', google),
  {
    name: 'openrouter-1',
    reader: 'openrouter',
    packages: { '@openrouter/sdk': '1.3.19' },
    targets: [
      {
        sdk: '@openrouter/sdk',
        api: 'chat',
        model: 'google/gemini-3.5-flash',
        showsThinking: true,
        lists: ['models'],
      },
    ],
  },
  aiSdk(4, {
    ai: '4.3.19',
    openai: '1.3.24',
    anthropic: '1.2.12',
    google: '1.2.22',
    deepseek: '0.2.16',
    compatible: '0.2.16',
    openrouter: '0.7.5',
    zod: '3.25.76',
  }),
  aiSdk(5, {
    ai: '5.0.277',
    openai: '2.0.131',
    anthropic: '2.0.112',
    google: '2.0.108',
    deepseek: '1.0.60',
    compatible: '1.0.61',
    openrouter: '1.5.4',
    zod: '4.6.7',
  }),
  aiSdk(6, {
    ai: '6.0.326',
    openai: '3.0.141',
    anthropic: '3.0.140',
    google: '3.0.141',
    deepseek: '2.0.69',
    compatible: '2.0.92',
    openrouter: '2.10.0',
    zod: '4.6.7',
  }),
  aiSdk(7, {
    ai: '7.0.173',
    openai: '4.0.118',
    anthropic: '4.0.105',
    google: '4.0.121',
    deepseek: '3.0.56',
    compatible: '3.0.92',
    openrouter: '3.1.0',
    zod: '4.6.7',
  }),
  langchain(0, {
    '@langchain/core': '0.3.80',
    '@langchain/openai': '0.6.17',
    '@langchain/anthropic': '0.3.34',
    '@langchain/google-genai': '0.2.18',
  }),
  langchain(1, {
    '@langchain/core': '1.2.13',
    '@langchain/openai': '1.6.0',
    '@langchain/anthropic': '1.5.11',
    '@langchain/google-genai': '2.3.2',
  }),
  {
    name: 'openai-agents',
    reader: 'openai-agents',
    packages: { '@openai/agents': '0.20.0', 'zod': '4.6.7' },
    targets: both({ sdk: '@openai/agents', marks: false }, ['chat', 'responses']),
  },
  {
    name: 'llamaindex',
    reader: 'llamaindex',
    packages: {
      'llamaindex': '0.12.1',
      '@llamaindex/openai': '0.4.23',
      '@llamaindex/anthropic': '0.3.27',
    },
    targets: [
      ...both({ sdk: '@llamaindex/openai' }, ['chat']),
      ...both({ sdk: '@llamaindex/anthropic', showsThinking: false }, ['messages']),
    ],
  },
  {
    name: 'mastra',
    reader: 'mastra',
    packages: { '@mastra/core': '1.71.0', 'zod': '4.6.7' },
    targets: both({ sdk: '@mastra/core' }, ['chat']),
  },
  {
    name: 'adk',
    reader: 'adk',
    packages: { '@google/adk': '2.0.0', 'zod': '4.6.7' },
    targets: both({ sdk: '@google/adk' }, ['gemini']),
  },
]
