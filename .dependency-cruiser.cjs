// What each room may import, by front door. The table is the one in docs/architecture.md.
const pure = ['core', 'knowledge', 'tools', 'ladders', 'defense', 'compiler', 'governor']

const table = {
  core: [],
  host: [],
  tracing: ['core'],
  tokens: ['core', 'host'],
  ladders: ['core'],
  defense: ['core'],
  compiler: ['core', 'ladders', 'defense', 'knowledge'],
  sessions: [
    'core',
    'host',
    'tracing',
    'tokens',
    'knowledge',
    'tools',
    'ladders',
    'defense',
    'compiler',
    'codecs',
    'providers',
    'stores',
  ],
  knowledge: ['core'],
  tools: ['core', 'knowledge'],
  governor: ['core', 'compiler'],
  inspect: [
    'core',
    'host',
    'tokens',
    'codecs',
    'knowledge',
    'tools',
    'ladders',
    'defense',
    'compiler',
    'sessions',
    'providers',
    'governor',
  ],
  codecs: ['core'],
  providers: ['core', 'host', 'tokens'],
  stores: ['core', 'host', 'knowledge'],
  embedders: ['core'],
  gateway: [
    'core',
    'host',
    'tracing',
    'tokens',
    'ladders',
    'compiler',
    'defense',
    'sessions',
    'knowledge',
    'tools',
    'governor',
    'inspect',
    'codecs',
    'providers',
    'stores',
    'embedders',
  ],
  integrations: ['core', 'sessions'],
  testing: ['core', 'codecs', 'providers', 'stores', 'gateway'],
}

/** Of each room, what `src/entries` publishes of several under one name, and of the parts of `providers`, `inspect` and `stores` that load a package, or nothing of Node, where others do not. */
const doors = [
  '^src/entries/[^/]+[.]ts$',
  '^src/[^/]+/index[.]ts$',
  '^src/gateway/extensions/index[.]ts$',
  '^src/providers/(?:pool|breakpoints)/index[.]ts$',
  '^src/inspect/packs/index[.]ts$',
  '^src/stores/remote/index[.]ts$',
]

const test = '[.](?:test|child|fixture)[.]ts$'
const roomsExcept = (names) => `^src/(?!(?:${names.join('|')})/)[^/]+/`

const tableRules = Object.entries(table).map(([room, allowed]) => ({
  name: `imports-of-${room}`,
  comment: `src/${room} may import ${allowed.length === 0 ? 'no other room' : allowed.join(', ')}.`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: test },
  to: { path: roomsExcept([room, ...allowed]) },
}))

module.exports = {
  forbidden: [
    ...tableRules,
    {
      name: 'front-door-only',
      comment: 'Another room is imported by its index.ts, never by a file inside it; tests included.',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/', pathNot: ['^src/$1/', ...doors] },
    },
    {
      name: 'front-door-only-from-outside',
      comment:
        'The root entry, bench and scripts see rooms by their front doors; what is measured may be what is tested.',
      severity: 'error',
      from: { path: '^(?:src/[^/]+$|bench/|scripts/)' },
      to: { path: '^src/[^/]+/', pathNot: [...doors, '[.]fixture[.]ts$', '^src/cli/main[.]ts$'] },
    },
    {
      name: 'root-is-the-top-floor',
      comment: 'What lies in src itself stands above all rooms; only the command line stands above it.',
      severity: 'error',
      from: { path: '^src/(?!cli/)[^/]+/' },
      to: { path: '^src/[^/]+[.]ts$' },
    },
    {
      name: 'known-rooms-only',
      comment: 'A new room gets its row in the table first.',
      severity: 'error',
      from: {
        path: '^src/[^/]+/',
        pathNot: `^src/(?:${[...Object.keys(table), 'integrations', 'entries', 'cli'].join('|')})/`,
      },
      to: {},
    },
    {
      name: 'nothing-imports-the-cli',
      severity: 'error',
      from: { pathNot: ['^src/cli/', '^scripts/run[.]ts$'] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'inspector-alone',
      comment: 'The page is a client of the gateway over HTTP; nothing of either is in the other.',
      severity: 'error',
      from: { path: '^inspector/' },
      to: { path: '^(?:src|bench|browser|clients|scripts|site)/' },
    },
    {
      name: 'nothing-imports-the-inspector',
      severity: 'error',
      from: { path: '^(?:src|bench|browser|clients|scripts|site)/' },
      to: { path: '^inspector/' },
    },
    {
      name: 'pure-rooms',
      comment: 'core, knowledge, ladders, defense, compiler and governor use nothing of Node and no package.',
      severity: 'error',
      from: { path: `^src/(?:${pure.join('|')})/`, pathNot: test },
      to: { pathNot: '^src/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-tests-in-code',
      severity: 'error',
      from: { pathNot: [test, '^bench/'] },
      to: { path: test },
    },
    {
      name: 'no-development-packages-in-code',
      comment: 'What whoever uses an integration brings along is a peer, and here a development package, too.',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // The agents of frameworks run where those are installed.
    exclude: {
      path: '^(?:dist|coverage|clients/\\.installed|site/dist|site/node_modules)/|^clients/(?:frameworks|sdks/readers)/.+\\.mjs$',
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
