import { rewriteReply } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { FilterChain } from './filter-chain.ts'
import { filterRefusal } from './filter-refusal.ts'
import type { Reply, ReplyReport } from './reply.ts'

/** A body that is no stream, as its filters let it out. */
export function filterBody(
  codec: Codec,
  { form }: Pick<Reply, 'form'>,
  { chain, text }: { readonly chain: FilterChain; readonly text: string },
): Promise<string> {
  return form === 'whole' ? rewriteReply(codec.textPlaces, chain, text) : filterRefusal(chain, text)
}

/** What such a body says was used, unless somebody knows better. */
export function bodyReport(codec: Codec, { form, report }: Pick<Reply, 'form' | 'report'>, text: string): ReplyReport {
  if (report) return report()
  const usage = form === 'whole' ? codec.usageOf(text) : undefined
  return { ...(usage && { usage }) }
}
