import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'

/** What attributes such as `PREFIX.0.role` and `PREFIX.0.tool_calls.1.name` say together: a list of objects. */
export function numberedMembers(attributes: JsonObject, prefix: string): readonly JsonObject[] {
  const root: Tree = new Map()
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith(`${prefix}.`)) put(root, name.slice(prefix.length + 1).split('.'), value)
  }
  const list = valueOf(root)
  return Array.isArray(list) ? list.filter((one): one is JsonObject => isJsonObject(one)) : []
}

type Tree = Map<string, Tree | JsonValue>

function put(tree: Tree, [name = '', ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length === 0) {
    tree.set(name, value)
    return
  }
  const inner = tree.get(name)
  const next: Tree = inner instanceof Map ? inner : new Map()
  tree.set(name, next)
  put(next, rest, value)
}

function valueOf(tree: Tree): JsonValue {
  const members = Array.from(tree, ([name, inner]): [string, JsonValue] => [
    name,
    inner instanceof Map ? valueOf(inner) : inner,
  ])
  if (!members.every(([name]) => /^\d+$/.test(name))) return Object.fromEntries(members)
  return members.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value)
}
