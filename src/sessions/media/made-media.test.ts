import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { codecFor, codecs } from '../../codecs/index.ts'
import { careful } from '../../compiler/index.ts'
import type { CompileInput, JsonObject, KnownDialect, MediaPolicy, Policy } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { mediaTokens, shippedCatalogue } from '../../tokens/index.ts'
import { compileAgain } from '../compilers.ts'
import { openSession } from '../in-process/open-session.ts'
import { screenRequests } from '../screens.fixture.ts'
import { verifyReceipt } from '../verify-receipt.ts'
import type { ImageLibrary } from './image-library.ts'
import { bytesOf, pictureOf, pictureRequest } from './pictures.fixture.ts'

const dialects = codecs.map(({ dialect }) => dialect as KnownDialect)
const most = 700
const policyOf = (media: MediaPolicy): Policy => ({ ...careful, id: 'small', media })
const policy = policyOf({ images: { mostTokens: most } })

/** The pictures of a request, with their bytes and the words right behind each. */
function shownIn(dialect: KnownDialect, request: object) {
  const codec = codecFor(dialect)
  const exchange = codec.decode({ body: JSON.stringify(request) })
  const { items } = exchange.conversation
  return items.flatMap((item, index) =>
    item.kind === 'media'
      ? [{ media: item.media!, url: codec.mediaUrl(exchange, item.id)!, behind: items[index + 1]?.text ?? '' }]
      : [],
  )
}

const digestOf = (value: unknown): string => sha256(JSON.stringify(value))

/** A library that counts what it is asked for. */
function counting(): { readonly images: ImageLibrary; readonly made: () => number } {
  let made = 0
  const images: ImageLibrary = (bytes) => {
    made += 1
    return sharp(bytes)
  }
  return { images, made: () => made }
}

const picture = await pictureOf(1600, 1200)
const note = /^\[Image: attached, 1600x1200, shown as (?<width>\d+)x(?<height>\d+)\] rehydrate\("(?<handle>\d{12})"\)$/

describe.each(dialects)('P-091: pictures are made smaller as they come in, %s', (dialect) => {
  it('B-52: a picture that costs more than the policy gives is sent in the size that was reckoned with, and no token is off', async () => {
    const session = openSession({ policy, images: sharp })
    const packed = await session.pack(pictureRequest(dialect, [picture]))
    const [shown] = shownIn(dialect, packed.request)
    const said = note.exec(shown!.behind)?.groups
    const { width, height, format } = await sharp(bytesOf(shown!.url)).metadata()
    expect([`${width}`, `${height}`, format]).toEqual([said?.['width'], said?.['height'], 'png'])
    const info = shippedCatalogue.info(String(packed.request['model']))
    const cost = mediaTokens({ type: 'image', width, height }, info)
    const decision = packed.receipt?.manifest.decisions.find(({ handle }) => handle === said?.['handle'])
    expect(decision).toMatchObject({ rung: 'trimmed' })
    expect(decision!.tokens).toBeLessThanOrEqual(most)
    expect(decision!.tokens - cost).toBeGreaterThan(5)
    expect(decision!.tokens - cost).toBeLessThan(60)
    expect(decision!.originalTokens).toBe(mediaTokens({ type: 'image', width: 1600, height: 1200 }, info))
  })

  it('the same bytes go out with every later request, are made once, and once more by nobody after a restart', async () => {
    const store = memoryStore()
    const { images, made } = counting()
    const session = openSession({ policy, images, store, id: 's', record: 'content' })
    const first = await session.pack(pictureRequest(dialect, [picture]))
    const second = await session.pack(pictureRequest(dialect, [picture, await pictureOf(1600, 1200, { seed: 2 })]))
    expect(made()).toBe(2)
    const [before] = shownIn(dialect, first.request)
    expect(digestOf(shownIn(dialect, second.request)[0])).toBe(digestOf(before))
    const none: ImageLibrary = () => {
      throw new Error('nothing is made again')
    }
    const later = openSession({ policy, images: none, store, id: 's' })
    const third = await later.pack(pictureRequest(dialect, [picture, await pictureOf(1600, 1200, { seed: 2 })]))
    expect(digestOf(shownIn(dialect, third.request))).toBe(digestOf(shownIn(dialect, second.request)))
    for (const { requestId } of await store.read('receipts').list('default', { limit: 2 })) {
      const receipt = await store.read('receipts').get('default', requestId)
      if (receipt?.input === undefined) continue
      const compile = (input: CompileInput) => compileAgain(input, receipt.manifest)
      expect(verifyReceipt({ receipt, input: receipt.input, compile }).differences).toEqual([])
    }
  })

  it('the original is behind the handle, byte for byte', async () => {
    const store = memoryStore()
    const session = openSession({ policy, images: sharp, store })
    const packed = await session.pack(pictureRequest(dialect, [picture]))
    const handle = note.exec(shownIn(dialect, packed.request)[0]!.behind)?.groups?.['handle'] ?? ''
    const original = await store.read('originals').get({ tenant: 'default' }, handle)
    expect(original?.text === picture).toBe(true)
  })

  it('where nothing can be asked for it is made smaller all the same, and says so without a handle', async () => {
    const session = openSession({ policy, images: sharp })
    const packed = await session.pack(pictureRequest(dialect, [picture], false))
    const [shown] = shownIn(dialect, packed.request)
    const { width, height } = await sharp(bytesOf(shown!.url)).metadata()
    expect(shown?.behind).toBe(`(image, 1600x1200, shown as ${width}x${height})`)
    expect(packed.receipt?.manifest.packTokens).toBeLessThan(most + 100)
  })

  it('without a library, and where the library fails, it is sent as it came', async () => {
    const told: string[] = []
    const failing: ImageLibrary = () => {
      throw new Error('no such format')
    }
    for (const images of [undefined, failing]) {
      const session = openSession({ policy, ...(images && { images }), onFailure: (stage) => void told.push(stage) })
      const packed = await session.pack(pictureRequest(dialect, [picture]))
      expect(shownIn(dialect, packed.request).map(({ url }) => url === picture)).toEqual([true])
      expect(packed.receipt?.manifest.outcome).toBe('ok')
    }
    expect(told).toEqual(['media'])
  })

  it('a library alone changes nothing: the policy asks', async () => {
    const request = pictureRequest(dialect, [picture, picture])
    const [one, other] = [openSession({ images: sharp }), openSession({})]
    expect(digestOf((await one.pack(request)).body)).toBe(digestOf((await other.pack(request)).body))
  })
})

describe('P-091: parts of pictures', () => {
  const dialect = 'anthropic-messages'
  const region = { x: 200, y: 100, width: 400, height: 300 }

  it('what a policy says of images of a tool is cut out, pixel for pixel', async () => {
    const session = openSession({ policy: policyOf({ images: { crop: [region] } }), images: sharp })
    const packed = await session.pack(pictureRequest(dialect, [picture]))
    const [shown] = shownIn(dialect, packed.request)
    expect(shown?.behind).toContain('1600x1200, shown as 400x300-at-200-100]')
    const cut = await sharp(bytesOf(shown!.url)).raw().toBuffer()
    const { x: left, y: top, width, height } = region
    expect(cut.equals(await sharp(bytesOf(picture)).extract({ left, top, width, height }).raw().toBuffer())).toBe(true)
  })

  it('a part that is larger than the picture, or another tool’s, is none', async () => {
    for (const crop of [
      { ...region, width: 1500 },
      { ...region, tool: 'camera' },
    ]) {
      const session = openSession({ policy: policyOf({ images: { crop: [crop] } }), images: sharp })
      const packed = await session.pack(pictureRequest(dialect, [picture]))
      expect(shownIn(dialect, packed.request).map(({ url }) => url === picture)).toEqual([true])
    }
  })

  it('a part that costs too much is made smaller as well', async () => {
    const wide = { x: 0, y: 0, width: 1600, height: 600 }
    const session = openSession({
      policy: policyOf({ images: { crop: [wide], mostTokens: 400, leastSide: 200 } }),
      images: sharp,
    })
    const packed = await session.pack(pictureRequest(dialect, [picture]))
    const [shown] = shownIn(dialect, packed.request)
    const { width, height } = await sharp(bytesOf(shown!.url)).metadata()
    expect(shown?.behind).toContain(`shown as ${width}x${height}-of-1600x600-at-0-0]`)
    expect(width / height).toBeCloseTo(1600 / 600, 1)
    expect(Math.ceil(width / 28) * Math.ceil(height / 28)).toBeLessThanOrEqual(400)
  })

  it('which way up a photo is stays with it', async () => {
    const photo = await pictureOf(1600, 1200, { format: 'jpeg', orientation: 6 })
    const session = openSession({ policy, images: sharp })
    const packed = await session.pack(pictureRequest(dialect, [photo]))
    const [shown] = shownIn(dialect, packed.request)
    expect(shown?.url === photo).toBe(false)
    expect(await sharp(bytesOf(shown!.url)).metadata()).toMatchObject({ format: 'jpeg', orientation: 6 })
  })
})

describe('P-091: screens that a tool points at', () => {
  const size = { width: 1920, height: 1080 }
  const small = policyOf({ images: { mostTokens: 900 } })
  const pointing = (request: JsonObject): JsonObject =>
    JSON.parse(JSON.stringify(request).replaceAll('"action"', '"coordinate"')) as JsonObject
  const sizesIn = (request: object) =>
    shownIn('anthropic-messages', request).map(({ media: { width, height } }) => `${width}x${height}`)

  it('stay as they came, since a model would point elsewhere; where nothing points they do not, nor where the policy says so', async () => {
    const request = screenRequests(size)['anthropic-messages'](2)
    const packed = async (asked: JsonObject, own: Policy) =>
      sizesIn((await openSession({ policy: own, images: sharp }).pack(asked)).request)
    expect(await packed(pointing(request), small)).toEqual(['1920x1080', '1920x1080'])
    expect(new Set(await packed(request, small)).has('1920x1080')).toBe(false)
    const anyway = policyOf({ images: { mostTokens: 900, pointedAt: true } })
    expect(new Set(await packed(pointing(request), anyway)).has('1920x1080')).toBe(false)
  })

  it('P-090: Gemini counts all sizes alike, so that nothing is made smaller for it', async () => {
    const session = openSession({ policy: small, images: sharp })
    const packed = await session.pack(screenRequests(size)['gemini'](2))
    expect(shownIn('gemini', packed.request).map(({ media }) => media.width)).toEqual([1920, 1920])
  })
})
