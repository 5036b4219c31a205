/** What variables say, as a layer. */
export function environmentLayer(environment, prefix) {
  const values = {}
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(prefix)) continue
    const path = variable.slice(prefix.length).toLowerCase().split('_')
    let place = values
    for (const name of path.slice(0, -1)) place = place[name] ??= {}
    place[path.at(-1)] = JSON.parse(text)
  }
  return { name: 'environment', values }
}
