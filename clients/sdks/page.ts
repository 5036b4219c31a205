import { markdownTable } from '../../bench/markdown-table.ts'
import { replyCases } from './cases.ts'
import { newestOn, sdkGroups } from './matrix.ts'
import type { SdkGroup } from './matrix.ts'
import { unread } from './unread.ts'

const about = `# SDKs that read the replies

Written by \`npm run -s sdks -- --write\`; do not edit.

CI installs the newest release of each major that was out on ${newestOn}, from npm and, for Python, from PyPI, and asks by it for every kind of reply, whole and streamed. The simulated
provider answers, which also answers where no key is set; and a gateway answers that writes each reply in another dialect than its provider's
(*crossed*). The check compares text, thinking, calls, the reason to stop and tokens with what was written. AI SDK and OpenRouter validate replies by
schemas.

Kinds of replies: ${replyCases.map(({ name }) => name).join(', ')}.
`

/** The page of all SDKs. */
export function sdkPage(): string {
  const rows = sdkGroups.flatMap((group) => Object.entries(group.packages).flatMap((of) => rowOf(group, of)))
  const exceptions = unread.map(({ sdk, majors, language, api, isBehind, replies, why }) => ({
    SDK: `${shownAs(sdk, language)} ${majors.map((major) => `${major}.x`).join(', ')}`,
    API: api ?? 'all',
    crossed: isBehind === undefined ? 'both' : isBehind ? 'yes' : 'no',
    replies: replies.join('; '),
    why: why,
  }))
  const parts = [about, markdownTable(rows), '## What an SDK does not read', markdownTable(exceptions), '']
  return parts.join('\n\n').replaceAll(/\n{3,}/g, '\n\n')
}

function rowOf({ targets, language }: SdkGroup, [name, version]: readonly [string, string]) {
  const own = targets.filter(({ sdk }) => sdk === name)
  if (own.length === 0) return []
  const apis = (isCrossed: boolean): string => {
    const asked = own.filter(({ behind }) => (behind !== undefined) === isCrossed)
    return asked.map(({ api, model }) => `${api} (${model})`).join(', ')
  }
  return [{ package: shownAs(name, language), version, asks: apis(false), crossed: apis(true) }]
}

function shownAs(name: string, language: SdkGroup['language']): string {
  return language === 'python' ? `${name} (Python)` : name
}
