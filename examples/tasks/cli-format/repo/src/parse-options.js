export class UsageError extends Error {}

/**
 * Splits arguments into options and words. `known` has the options by name: `{ project: { short: 'p', value: 'NAME', about: '...' } }`; one
 * without `value` is a switch.
 */
export function parseOptions(argv, known) {
  const options = {}
  const words = []
  const left = [...argv]
  while (left.length > 0) {
    const argument = left.shift()
    if (argument === '--') return { options, words: [...words, ...left] }
    if (!argument.startsWith('-') || argument === '-') {
      words.push(argument)
      continue
    }
    const name = nameOf(argument, known)
    if (name === undefined) throw new UsageError(`unknown option "${argument}"`)
    if (known[name].value === undefined) options[name] = true
    else options[name] = left.shift()
  }
  return { options, words }
}

function nameOf(argument, known) {
  if (argument.startsWith('--')) {
    const name = argument.slice(2)
    return Object.hasOwn(known, name) ? name : undefined
  }
  return Object.keys(known).find((name) => known[name].short === argument.slice(1))
}
