/**
 * What images are made with, as far as it is needed: the function that `sharp` exports fits as it is. It is handed in and never imported.
 *
 * ```ts
 * import sharp from 'sharp'
 * const session = openSession({ policy, images: sharp })
 * ```
 */
export type ImageLibrary = (image: Uint8Array) => ImageWork

export interface ImageWork {
  extract(region: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }): ImageWork
  resize(size: { readonly width: number; readonly height: number; readonly fit: 'fill' }): ImageWork
  /** Keeps which way up the image is. */
  keepExif(): ImageWork
  /** In the format in which the image came. */
  toBuffer(): Promise<Uint8Array>
}
