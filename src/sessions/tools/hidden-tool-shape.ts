import type { ToolDefinition } from '../../core/index.ts'
import { callable, objectLike, shape } from '../../core/index.ts'
import type { HiddenTool } from './hidden-tool.ts'

const { flag, name, object, optional, text } = shape

export const hiddenToolShape = object<HiddenTool>({
  definition: object<ToolDefinition>({
    name,
    namespace: optional(name),
    description: text,
    schema: objectLike('a JSON Schema'),
  }),
  findsTools: optional(flag),
  bringsBack: optional(flag),
  takesMasked: optional(flag),
  boundsTime: optional(flag),
  failureText: optional(text),
  offer: optional(callable()),
  answer: callable(),
})
