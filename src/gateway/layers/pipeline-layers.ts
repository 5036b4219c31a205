/** The layers that every gateway has, in the order in which a request passes them; a host's own stand between them. */
export const pipelineLayers = [
  'budget',
  'route',
  'fallback',
  'constraints',
  'collect',
  'session',
  'kept-replies',
  'count-tokens',
  'cached-contents',
  'own-models',
] as const
/** The layers that every gateway has. */
export type PipelineLayer = (typeof pipelineLayers)[number]
