const aliases = { GR: 'EL', UK: 'GB' }

/** The code under which our tables know a country. */
export function normalCountry(code) {
  const upper = code.trim().toUpperCase()
  return aliases[upper] ?? upper
}
