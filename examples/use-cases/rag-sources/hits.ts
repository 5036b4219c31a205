/** What a search has found: text, address, and a score from 0 to 1. */
export interface Hit {
  readonly text: string
  readonly url: string
  readonly score: number
}

const about = (place: string, line: string): string =>
  Array.from({ length: 12 }, (_, day) => `${line} ${place} timetable, week ${day + 1}: no change.`).join(' ')

export const hits: readonly Hit[] = [
  { url: 'kb://ferries/elba', score: 0.94, text: 'The ferry to Elba leaves Piombino at seven. It carries forty cars.' },
  { url: 'kb://ferries/prices', score: 0.71, text: 'A car up to five metres costs 48 euros in July.' },
  { url: 'kb://trains/vienna', score: 0.4, text: about('Vienna', 'Night trains from Vienna reach Hamburg by nine.') },
  { url: 'kb://buses/siena', score: 0.3, text: about('Siena', 'The bus from Siena stops twice on its way.') },
  { url: 'kb://flights/pisa', score: 0.2, text: about('Pisa', 'Flights from Pisa are delayed in the fog.') },
  { url: 'kb://hotels', score: 0.1, text: about('Hotel', 'Breakfast is served from eight.') },
]
