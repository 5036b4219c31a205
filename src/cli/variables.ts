export const prefix = 'PREHEND_'
/** Prefixes of older products, which are still read. */
export const olderPrefixes = ['BARDO_INFERENCE_', 'CRUVERO_'] as const

/** The variable of a setting, then its aliases under the prefixes of older products. */
export function variablesOf(name: string): readonly string[] {
  return [prefix, ...olderPrefixes].map((one) => `${one}${name}`)
}

/** Those that help names: the older ones are listed in docs/cli.md. */
export function namedVariables(variables: readonly string[]): readonly string[] {
  return variables.filter((name) => !olderPrefixes.some((older) => name.startsWith(older)))
}

/** The variable that an option without another name of its own is read from. */
export function usualVariable(option: string): string {
  return `${prefix}${option.toUpperCase().replaceAll('-', '_')}`
}
