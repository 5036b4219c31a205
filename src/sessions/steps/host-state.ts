import {
  boardShape,
  evidence,
  instruction,
  invalidInput,
  itemShape,
  jsonTextOf,
  memory,
  objectLike,
  said,
  shape,
  stableJson,
  tool,
} from '../../core/index.ts'
import type { Item, JsonValue, Role, TaskBoard, ToolDefinition } from '../../core/index.ts'
import { toolIn } from '../../tokens/index.ts'

/** What was said in a session of the host. */
export interface HostEvent {
  readonly id: string
  readonly role: Exclude<Role, 'tool' | 'system' | 'developer'>
  readonly text: string
}

/** What the host remembers, and when it learnt it. */
export interface MemoryHit {
  readonly id: string
  readonly text: string
  /** ISO-8601. */
  readonly learntAt: string
}

/** An artifact in the state of a host, by its URI. */
export interface HostArtifact {
  readonly uri: string
  readonly text: string
  readonly title?: string
}

/** What a host keeps of a session: plain data, and all that a pack of one of its steps is made of. */
export interface HostState {
  readonly plan: { readonly instructions: string; readonly board: TaskBoard }
  readonly tools: readonly ToolDefinition[]
  readonly knowledge: { readonly memory: readonly MemoryHit[]; readonly artifacts: readonly HostArtifact[] }
  /** Oldest first. */
  readonly events: readonly HostEvent[]
}

const { list, object, oneOf, optional } = shape

export const hostStateShape = object<HostState>({
  plan: object<HostState['plan']>({ instructions: shape.text, board: boardShape }),
  tools: list(
    object<ToolDefinition>({
      name: shape.name,
      namespace: optional(shape.name),
      description: shape.text,
      schema: objectLike('a JSON Schema'),
    }),
  ),
  knowledge: object<HostState['knowledge']>({
    memory: list(object<MemoryHit>({ id: shape.name, text: shape.text, learntAt: shape.text })),
    artifacts: list(object<HostArtifact>({ uri: shape.name, text: shape.text, title: optional(shape.text) })),
  }),
  events: list(object<HostEvent>({ id: shape.name, role: oneOf(['user', 'assistant']), text: shape.text })),
})
const itemsShape = list(itemShape)

function canonicalJson(value: JsonValue, field: string): JsonValue {
  return JSON.parse(stableJson(JSON.parse(jsonTextOf(value, field)))) as JsonValue
}

const hostPlaces = ['plan', 'tools', 'knowledge.memory', 'knowledge.artifacts', 'events'] as const
/** Where in the state of its host each item stands. */
export type HostPlace = (typeof hostPlaces)[number]

/** The state of a host as items, each of which says where it stands there; tools in the order of their names, and their schemas as canonical JSON. */
export function hostItems(state: HostState): readonly Item[] {
  shape.check(hostStateShape, state, 'state')
  const { plan, tools, knowledge, events } = state
  const from = (place: HostPlace) => ({ sourceId: place })
  return [
    instruction(plan.instructions, { id: 'plan/instructions', provenance: from('plan') }),
    ...tools
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ schema, ...definition }) =>
        tool(
          { ...definition, schema: canonicalJson(schema, `state.tools.${definition.name}.schema`) },
          { id: `tools/${definition.name}`, provenance: from('tools') },
        ),
      ),
    ...knowledge.memory.map(({ id, text, learntAt }) =>
      memory(text, { id: `memory/${id}`, provenance: { ...from('knowledge.memory'), retrievedAt: learntAt } }),
    ),
    ...knowledge.artifacts.map(({ uri, text, title }) =>
      evidence(
        text,
        { ...from('knowledge.artifacts'), uri, ...(title !== undefined && { title }) },
        { id: `artifacts/${uri}` },
      ),
    ),
    ...events.map(({ id, role, text }) => said(role, text, { id: `events/${id}`, provenance: from('events') })),
  ]
}

/** The state that items were made of; what stands in no place of a host's is left out. */
export function hostStateOf(items: readonly Item[], board: TaskBoard): HostState {
  shape.check(itemsShape, items, 'items')
  shape.check(boardShape, board, 'board')
  const at = (place: HostPlace): readonly Item[] => items.filter(({ provenance }) => provenance?.sourceId === place)
  const nameIn = ({ id }: Item): string => id.slice(id.indexOf('/') + 1)
  return {
    plan: { instructions: at('plan')[0]?.text ?? '', board },
    tools: at('tools').map(({ text }) => {
      const definition = toolIn(text)
      if (definition === undefined)
        throw invalidInput('items', 'have a tool without a definition', 'Give the items that hostItems made.')
      const { name: toolName, description = '', schema = {} } = definition
      return { name: toolName, description, schema }
    }),
    knowledge: {
      memory: at('knowledge.memory').map((item) => ({
        id: nameIn(item),
        text: item.text,
        learntAt: item.provenance?.retrievedAt ?? '',
      })),
      artifacts: at('knowledge.artifacts').map((item) => {
        const { title } = item.provenance ?? {}
        return { uri: nameIn(item), text: item.text, ...(title !== undefined && { title }) }
      }),
    },
    events: at('events').map((item) => ({
      id: nameIn(item),
      role: item.role === 'assistant' ? 'assistant' : 'user',
      text: item.text,
    })),
  }
}
