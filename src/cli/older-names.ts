import { policySettingNames, settingPath } from '../compiler/index.ts'
import { olderPrefixes, prefix } from './variables.ts'

const [older] = olderPrefixes

/** The section of docs/cli.md on names of older products. No help text has them. */
export function olderNamesMarkdown(): readonly string[] {
  const settings = policySettingNames.filter((name) => settingPath(name) !== name)
  return [
    '## Older names',
    '',
    `Names of older products still work. A variable that begins with \`${prefix}\` wins over an older one. Help texts do not name older ones.`,
    '',
    '| older name | our name |',
    '|---|---|',
    `| variables that begin with ${olderPrefixes.map((one) => `\`${one}\``).join(' or ')} | the same variable with \`${prefix}\`: \`${older}PORT\` is \`${prefix}PORT\` |`,
    ...settings.map((name) => `| setting \`${name}\` | \`${settingPath(name)}\` |`),
    '| member `bardo` of a request body | `prehend` |',
    '| reply header `x-bardo-compaction-count` | `x-prehend-compaction-count`; a reply has both |',
    '',
  ]
}
