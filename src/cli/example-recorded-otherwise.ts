import { percent } from '../inspect/index.ts'
import { savingsOf } from '../stores/index.ts'
import { commandName } from './command-name.ts'
import { exampleSession, sentName } from './example.ts'
import { withReceipts } from './receipts.ts'
import type { ReplayReport } from '../inspect/index.ts'
import type { Io } from './io.ts'
import type { Serving } from './open-serving.ts'

/** A gateway and a replay agree on the example to less than this; see one-figure.test.ts. */
const tolerance = 0.005

interface Recorded {
  readonly serving: Pick<Serving, 'url' | 'config'>
  readonly io: Io
  readonly token?: string
}

/** Says that the store's record of the example session is another version's; undefined where its saving is that of the replay. */
export async function exampleRecordedOtherwise(
  { strategies }: ReplayReport,
  { serving: { url, config }, io, token }: Recorded,
): Promise<string | undefined> {
  const ratio = strategies.find(({ name }) => name === `prehend:${config.policy}`)?.billRatio
  const session = sentName(exampleSession())
  const source = { url, ...(token !== undefined && { token }) }
  const [found] = await withReceipts(source, io, (receipts) => receipts.sessions({ limit: 1, session }))
  if (ratio == null || found === undefined || found.cost.observedUsd > 0) return undefined
  const { share } = savingsOf(found.cost)
  if (share === undefined || Math.abs(share - (1 - ratio)) < tolerance) return undefined
  const figures = `it saved ${percent(share)} then, and ${config.policy} saves ${percent(1 - ratio)} now`
  return `Another version or policy recorded it: ${figures}. To record it anew, start with a new folder: ${commandName()} start --data FOLDER`
}
