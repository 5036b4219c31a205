import { volatileValues } from '../../core/index.ts'
import type { ToolDefinition, ToolLevel } from '../../core/index.ts'

/** The parts of a prompt by how many share them: all agents, all sessions of one agent, one session. */
export const prefixLayers = ['global', 'tenant', 'session'] as const
/** The parts of a prompt by how many share them: all agents, all sessions of one agent, one session. */
export type PrefixLayer = (typeof prefixLayers)[number]

/** A tool of a prompt, with the level that decides when a model sees it. */
export interface LayeredTool extends Pick<ToolDefinition, 'name' | 'description'> {
  /** `core` by default. */
  readonly level?: ToolLevel
}

/** What all sessions of one agent begin with. */
export interface TenantPrompt {
  readonly role: string
  readonly tools?: readonly LayeredTool[]
  readonly memory?: string
}

/** The input of `assemblePrompt`: the texts that the layers are made of. */
export interface PromptParts {
  /** Identity, behaviour, safety, format: the same bytes for every agent. */
  readonly global: string
  readonly tenant: TenantPrompt
  /** What is this session's alone; may be absent where messages say it. */
  readonly session?: string
}

/** The text of one layer. */
export interface PromptLayer {
  readonly layer: PrefixLayer
  readonly content: string
  /** Where a provider's cache is to end; as Anthropic takes it. */
  readonly cacheControl?: { readonly type: 'ephemeral' }
}

/** The layers of a prompt, with the tokens that sessions share. */
export interface AssembledPrompt {
  /** In the order in which they are sent: global, tenant, session. */
  readonly layers: readonly PromptLayer[]
  /** Of the layers that sessions share. */
  readonly stablePrefixTokens: number
  /** What will cost more than it need, in words for people. */
  readonly warnings: readonly string[]
}

/** Tokens that a layer is usually between; what lies outside is told, not refused. */
const usualTokens: Readonly<Record<'global' | 'tenant', readonly [least: number, most: number]>> = {
  global: [2000, 4000],
  tenant: [1000, 10_000],
}

/**
 * A prompt in layers, the most widely shared first, so that agents share the cache of the first and the sessions of an agent that of
 * the first two; those two carry a cache mark each. Pure: the same parts give the same bytes.
 */
export function assemblePrompt(
  { global, tenant, session }: PromptParts,
  { count }: { readonly count: (text: string) => number },
): AssembledPrompt {
  const shared = [
    { layer: 'global', content: global },
    { layer: 'tenant', content: tenantText(tenant) },
  ] as const
  const measured = shared.map((each) => ({ ...each, tokens: count(each.content) }))
  return {
    layers: [
      ...shared.map((each): PromptLayer => ({ ...each, cacheControl: { type: 'ephemeral' } })),
      ...(session === undefined || session === '' ? [] : [{ layer: 'session' as const, content: session }]),
    ],
    stablePrefixTokens: measured.reduce((total, { tokens }) => total + tokens, 0),
    warnings: measured.flatMap(({ layer, content, tokens }) => [
      ...sizeWarnings(layer, tokens),
      ...volatileWarnings(layer, content),
    ]),
  }
}

/** The layers as the `system` blocks of Anthropic Messages; other providers take the contents joined by blank lines. */
export function systemBlocks({ layers }: AssembledPrompt): readonly {
  readonly type: 'text'
  readonly text: string
  readonly cache_control?: { readonly type: 'ephemeral' }
}[] {
  return layers.map(({ content, cacheControl }) => ({
    type: 'text',
    text: content,
    ...(cacheControl && { cache_control: cacheControl }),
  }))
}

/** By id and never by relevance: another order would be another prefix. */
function tenantText({ role, tools = [], memory = '' }: TenantPrompt): string {
  const core = tools.filter(({ level = 'core' }) => level === 'core')
  const listed = core.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const blocks = [
    block('agent_role', role),
    block('available_tools', listed.map(({ name, description }) => `${name}: ${description}`).join('\n')),
    ...(memory.trim() === '' ? [] : [block('agent_memory', memory)]),
  ]
  return blocks.join('\n\n')
}

/** No text closes or opens a block of its own. */
function block(tag: string, text: string): string {
  const inert = text.replaceAll(/<(?=\/?(?:agent_role|available_tools|agent_memory)>)/g, '&lt;')
  return `<${tag}>\n${inert}\n</${tag}>`
}

function sizeWarnings(layer: 'global' | 'tenant', tokens: number): readonly string[] {
  const [least, most] = usualTokens[layer]
  if (tokens >= least && tokens <= most) return []
  const why = tokens < least ? 'a provider may not cache so little' : 'every request pays for it'
  return [`The ${layer} layer has ${tokens} tokens, usual are ${least} to ${most}: ${why}.`]
}

function volatileWarnings(layer: 'global' | 'tenant', content: string): readonly string[] {
  return volatileValues(content).map(({ start, end }) => {
    const value = JSON.stringify(content.slice(start, end))
    return `The ${layer} layer says ${value}: where that changes, the cache of everything after it is lost. Say it in the session.`
  })
}
