import type { InjectionDetector, ToolDefinition } from '../../core/index.ts'
import { callable, objectLike, shape, situationShape, stepLimitsShape, withMethods } from '../../core/index.ts'
import type { PolicyChoice } from '../../compiler/index.ts'
import type { HostStep, Store } from '../../stores/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { HiddenTool } from '../tools/hidden-tool.ts'
import type { RequestOptions, SessionOptions } from './open-session.ts'

const { flag, list, name, object, oneOf, optional, text } = shape

const hiddenToolShape = object<HiddenTool>({
  definition: object<ToolDefinition>({ name, description: text, schema: objectLike('a JSON Schema') }),
  bringsBack: optional(flag),
  answer: callable(),
})

export const sessionOptionsShape = object<SessionOptions>({
  policy: optional<PolicyChoice>({ about: 'a policy', schema: {}, problem: () => undefined }),
  situation: optional(situationShape),
  store: optional(withMethods<Store>('a store', ['commit', 'session', 'original', 'value', 'setValue'])),
  id: optional(name),
  tenant: optional(name),
  catalogue: optional(withMethods<ModelCatalogue>('a catalogue', ['info'])),
  detector: optional(withMethods<InjectionDetector>('a detector', ['score'])),
  hiddenTools: optional(list(hiddenToolShape)),
  rehydrate: optional(flag),
  steadyInstructions: optional(flag),
  record: optional(oneOf(['decisions', 'content'])),
  onFailure: optional(callable()),
  onEvent: optional(callable()),
  summaries: optional(callable()),
  images: optional(callable()),
  tracing: optional(withMethods<Tracing>('tracing', ['begin'])),
  clock: optional(callable()),
})

export const requestOptionsShape = object<RequestOptions>({
  id: optional(name),
  rehydrate: optional(flag),
  situation: optional(situationShape),
  step: optional(
    object<HostStep>({ taskId: optional(name), stepId: optional(name), limits: optional(stepLimitsShape) }),
  ),
})
