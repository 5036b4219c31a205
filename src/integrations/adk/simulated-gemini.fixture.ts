import { Gemini } from '@google/adk'

/** The framework's own class, at the address of the simulated provider. */
export class SimulatedGemini extends Gemini {
  readonly #baseUrl: string

  constructor(baseUrl: string) {
    super({ model: 'gemini-2.5-pro', apiKey: 'k' })
    this.#baseUrl = baseUrl
  }

  protected override getHttpOptions() {
    return { ...super.getHttpOptions(), baseUrl: this.#baseUrl }
  }
}
