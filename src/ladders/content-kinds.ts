/** What kind of text a tool returned; how it is trimmed depends on it. */
export const contentKinds = [
  'json',
  'table',
  'log',
  'test-output',
  'build-output',
  'diff',
  'search-results',
  'directory-listing',
  'source-code',
  'config',
  'html',
  'mail',
  'blob',
  'prose',
] as const
export type ContentKind = (typeof contentKinds)[number]
