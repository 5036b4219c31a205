// The command from a checkout: as installed, with the inspector's page built where the command serves it.
// usage: node scripts/run.ts COMMAND [ARGUMENTS…]
const serves = ['start', 'serve', 'wrap']

if (serves.includes(process.argv[2] ?? '')) {
  const { keepInspectorBuilt } = await import('./build-inspector.ts')
  await keepInspectorBuilt()
}
await import('../src/cli/main.ts')
