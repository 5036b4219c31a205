/**
 * The name that tables know a model by: without the route that led to it (`openrouter/anthropic/…`,
 * `us.anthropic.…-v1:0`, `models/…`), its variant (`:free`), its date, `-latest` and `-preview`,
 * and with Claude's versions written one way.
 */
export function modelName(model: string): string {
  const plain = datedName(model)
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replace(/-(?:latest|preview)$/, '')
  return plain.startsWith('claude-') ? claudeName(plain) : plain
}

const MAX_NAME_UNITS = 200

/** `claude-opus-4.5`, `claude-4-5-opus` and `claude-opus-4-5` are one model; so are `-4-0` and `-4`. */
function claudeName(name: string): string {
  const dashed = name.replaceAll('.', '-')
  const versionFirst = /^claude-(\d+)(-\d+)?-([a-z]+)$/.exec(dashed)
  const current = versionFirst !== null && Number(versionFirst[1]) > 3
  const ordered = current ? `claude-${versionFirst[3]}-${versionFirst[1]}${versionFirst[2] ?? ''}` : dashed
  return ordered.replace(/^(claude-[a-z]+-\d+)-0$/, '$1')
}

/** The name without route and variant, but with date and suffix. */
export function datedName(model: string): string {
  const route = model.trim().toLowerCase().slice(0, MAX_NAME_UNITS).split('/').at(-1) ?? ''
  return route
    .replace(/^(?:(?:us|eu|apac|jp|au|global)\.)?(?:anthropic|deepseek|openai|google)\./, '')
    .replace(/[:@].*$/, '')
    .replace(/-v\d+$/, '')
}
