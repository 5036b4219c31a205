import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { underwayRoom, waitingRoom } from './waiting-room.ts'

const overloaded = expect.objectContaining({
  code: 'unavailable',
  data: expect.objectContaining({ retryAfterMs: 1000 }),
})

describe('waitingRoom', () => {
  it('refuses what is one request or one byte too many, and has room again when somebody leaves', () => {
    const room = waitingRoom({ waitingRequests: 2, waitingBytes: 10 })
    const [first, second, third] = [room.enter(), room.enter(), room.enter()]
    first.hold(6)
    second.hold(4)
    expect(() => second.hold(1)).toThrow(overloaded)
    first.queue()
    second.queue()
    expect(() => third.queue()).toThrow(overloaded)
    first.leave()
    first.leave()
    third.hold(6)
    third.queue()
    expect([room.requests, room.bytes]).toEqual([2, 10])
  })

  it('lets one request in that is alone, however long it is', () => {
    const room = waitingRoom({ waitingRequests: 1, waitingBytes: 10 })
    const place = room.enter()
    place.hold(100)
    expect(() => room.enter().hold(1)).toThrow(overloaded)
    place.leave()
    expect(room.bytes).toBe(0)
  })

  it('counts bytes alone where what is under way is bounded, in rooms within one another, too', () => {
    const ofAll = underwayRoom(10)
    const own = underwayRoom(6)
    const [first, second, third] = [ofAll.enter(), ofAll.enter(), ofAll.enter()]
    first.also(own)
    second.also(own)
    first.hold(4)
    expect(() => second.hold(3)).toThrow('limits.underwayBytes')
    third.hold(6)
    expect(() => third.hold(1)).toThrow(overloaded)
    first.leave()
    expect([ofAll.bytes, own.bytes]).toEqual([6, 0])
  })

  it('is empty when all have left, whatever happened in between', () => {
    const steps = fc.array(
      fc.record({ who: fc.nat(4), does: fc.constantFrom('hold', 'queue', 'leave'), bytes: fc.nat(8) }),
    )
    fc.assert(
      fc.property(steps, (all) => {
        const room = waitingRoom({ waitingRequests: 3, waitingBytes: 20 })
        const places = Array.from({ length: 5 }, () => room.enter())
        for (const { who, does, bytes } of all) {
          try {
            if (does === 'hold') places[who]?.hold(bytes)
            else if (does === 'queue') places[who]?.queue()
            else places[who]?.leave()
          } catch (error) {
            expect(error).toEqual(overloaded)
          }
          expect(room.requests).toBeLessThanOrEqual(3)
        }
        for (const place of places) place.leave()
        expect([room.requests, room.bytes]).toEqual([0, 0])
      }),
    )
  })
})
