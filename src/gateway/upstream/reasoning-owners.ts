import { gatheredBytes, reasoningFamily, sealsIn } from '../../codecs/index.ts'
import { sha256 } from '../../host/index.ts'
import { isSuccess } from '../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'

/** Remembers which model of which upstream has signed or sealed a piece of reasoning, as replies bring it. */
export interface ReasoningOwners {
  /** The same reply; what it seals is noted while it passes. */
  noted(exchange: Exchange, upstream: string, reply: Reply): Reply
  /** Tells of the seals in a body whether another than this upstream and the exchange's model made them; undefined where nobody knows. */
  foreignIn(exchange: Exchange, upstream: string, body: string): Promise<(seal: string) => boolean | undefined>
}

const mostRemembered = 20_000

/**
 * Kept in memory on each thread; what a model of another family than the dialect's own has sealed is in the store, too, so that other
 * threads and the next process know it. Costs nothing where one upstream is all there is.
 */
export function reasoningOwners(parts: GatewayParts): ReasoningOwners {
  const known = new Map<string, string>()
  const remember = (key: string, owner: string): void => {
    known.delete(key)
    known.set(key, owner)
    const [oldest] = known.size > mostRemembered ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
  }
  const mayDiffer = ({ tenant }: Exchange): boolean =>
    Object.keys(settingsFor(parts.config, tenant).upstreams).length > 1

  return {
    noted(exchange, upstream, reply) {
      if (!mayDiffer(exchange) || reply.form === 'raw' || !isSuccess(reply)) return reply
      const owner = ownerOf(parts, exchange, upstream)
      const isUsual = owner.startsWith(`${exchange.codec.signs.provider} `)
      const note = async (json: string): Promise<void> => {
        const seals = sealsIn(json).map((seal) => keyOf(exchange, seal))
        for (const seal of seals) remember(seal, owner)
        if (isUsual || seals.length === 0) return
        const scope = { tenant: exchange.tenant, session: '' }
        const writes = seals.map((key) => ({ table: 'reasoning-owners', key, value: owner }) as const)
        // Without it the reply is as good; the next turn may be refused, as it was before.
        await parts.store.commit({ scope, nowMs: parts.clock(), writes }).catch(() => undefined)
      }
      return { ...reply, pieces: reply.form === 'stream' ? inStream(reply, note) : inBody(reply, note) }
    },
    async foreignIn(exchange, upstream, body) {
      if (!mayDiffer(exchange)) return () => undefined
      const owners = new Map<string, string>()
      const own = ownerOf(parts, exchange, upstream)
      for (const seal of sealsIn(body)) {
        const key = keyOf(exchange, seal)
        const found = known.get(key) ?? (await storedOwner(parts, exchange, key))
        if (found === undefined) continue
        remember(key, found)
        owners.set(seal, found)
      }
      return (seal) => {
        const owner = owners.get(JSON.stringify(seal).slice(1, -1))
        return owner === undefined ? undefined : !isSameOwner(owner, own)
      }
    },
  }
}

async function storedOwner({ store }: GatewayParts, { tenant }: Exchange, key: string): Promise<string | undefined> {
  const found = await store
    .read('reasoning-owners')
    .get(tenant, key)
    .catch(() => undefined)
  return found?.value
}

function keyOf({ tenant }: Exchange, seal: string): string {
  return sha256(`${tenant}\n${seal}`).slice(0, 32)
}

/** The family of the model, and who serves it. */
function ownerOf(
  { catalogueOf }: GatewayParts,
  { conversation: { model }, tenant }: Exchange,
  upstream: string,
): string {
  const { provider } = catalogueOf(tenant).info(model)
  return `${provider === 'other' ? reasoningFamily(model) : provider} ${upstream}`
}

/** Signatures of Claude hold wherever Claude is served. */
function isSameOwner(a: string, b: string): boolean {
  return a === b || (a.startsWith('anthropic ') && b.startsWith('anthropic '))
}

type Note = (json: string) => Promise<void>

async function* inStream({ pieces }: Reply, note: Note): AsyncGenerator<ReplyPiece> {
  for await (const piece of pieces) {
    for (const { data } of piece.events) await note(data)
    yield piece
  }
}

async function* inBody({ pieces }: Reply, note: Note): AsyncGenerator<ReplyPiece> {
  const gathered = gatheredBytes()
  for await (const piece of pieces) {
    for (const { data } of piece.events) await note(data)
    if (piece.events.length === 0 && piece.bytes) gathered.add(piece.bytes)
    yield piece
  }
  await note(new TextDecoder().decode(gathered.take()))
}
