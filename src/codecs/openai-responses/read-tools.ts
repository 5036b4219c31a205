import { member, rawText, stringAt } from '../../core/index.ts'
import { functionDefinition } from '../function-definition.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import { optionalString, requiredString } from '../read-field.ts'
import type { ToolReading } from '../request-reader.ts'
import { textToolOf } from '../text-tools/text-tool.ts'
import { toolItem } from '../wire-item.ts'

/** Its tools are called by their own names, without a namespace. */
export const plainNamespace = 'functions'

/** A tool, or a tool of a namespace. */
export function readTool(field: Field, id: string): ToolReading {
  const [, list = ''] = /^t(\d+)\./.exec(id) ?? []
  const outer = list === '' ? undefined : member(field.tree, field.tree.root, 'tools')?.children[Number(list)]
  return withNamespace(readToolAlone(field, id), stringAt(field.tree, outer, 'name'))
}

/** A tool of a namespace, which OpenAI calls by two names. */
export function withNamespace(reading: ToolReading, namespace: string | undefined): ToolReading {
  if (namespace === undefined) return reading
  const { items, definition } = reading
  return {
    ...reading,
    items: items.map((item) => ({ ...item, toolNamespace: namespace })),
    ...(definition && { definition: { ...definition, namespace } }),
  }
}

export function readToolAlone(field: Field, id: string): ToolReading {
  const type = requiredString(field, 'type')
  const isFunction = type === 'function'
  const name = isFunction ? requiredString(field, 'name') : optionalString(field, 'name')
  const frozen = !isFunction && type !== 'custom'
  const text = rawText(field.tree, field.node)
  const item = toolItem({ id, kind: 'tool-schema', text, ...optional('toolName', name), frozen })
  const reading = { items: [item], markers: [] }
  if (name === undefined || frozen) return reading
  if (!isFunction) return { ...reading, textTool: textToolOf(field, name) }
  return { ...reading, definition: functionDefinition(field, name) }
}

/** The namespace of the tool that a call calls. */
export function namespaceIn({ tree, node }: Field): string | undefined {
  const namespace = stringAt(tree, node, 'namespace')
  return namespace === '' || namespace === plainNamespace ? undefined : namespace
}
