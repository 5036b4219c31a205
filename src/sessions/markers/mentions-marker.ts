/** Whether a text may have a marker of ours in it: what every form says, however it is escaped. */
export function mentionsMarker(text: string): boolean {
  return words.test(text)
}

const words = /folded|rehydrate|lines? as in |not shown: |repeats lines |left out[:,] /
