/** Milliseconds in each unit, the largest first. */
export const units = [
  ['w', 604800000],
  ['d', 86400000],
  ['h', 3600000],
  ['m', 60000],
  ['s', 1000],
  ['ms', 1],
]

export const millisecondsIn = Object.fromEntries(units)
