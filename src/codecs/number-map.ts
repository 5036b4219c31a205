/** A map by number of which older versions stay as they are: to set a value copies three small parts, not all that is known. */
export type NumberMap<Value> = ReadonlyMap<number, ReadonlyMap<number, ReadonlyMap<number, Value>>>

const width = 64

export function valueAt<Value>(map: NumberMap<Value>, key: number): Value | undefined {
  return map.get(wide(key))?.get(near(key))?.get(key)
}

export function withValue<Value>(map: NumberMap<Value>, key: number, value: Value): NumberMap<Value> {
  const outer = map.get(wide(key))
  const inner = new Map(outer?.get(near(key))).set(key, value)
  return new Map(map).set(wide(key), new Map(outer).set(near(key), inner))
}

function near(key: number): number {
  return Math.floor(key / width)
}

function wide(key: number): number {
  return Math.floor(key / width ** 2)
}
