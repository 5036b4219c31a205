/**
 * What images are made with, as far as it is needed: the function that `sharp` exports fits as it is. It is handed in and never imported.
 *
 * ```ts
 * import sharp from 'sharp'
 * const session = openSession({ policy, images: sharp })
 * ```
 */
export type ImageLibrary = (image: Uint8Array) => ImageWork

/** An image that is being changed, as `sharp` has it. */
export interface ImageWork {
  /** Cuts a region out; all figures are in pixels. */
  extract(region: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }): ImageWork
  /** Scales to this size, in pixels. */
  resize(size: { readonly width: number; readonly height: number; readonly fit: 'fill' }): ImageWork
  /** Keeps which way up the image is. */
  keepExif(): ImageWork
  /** In the format in which the image came. */
  toBuffer(): Promise<Uint8Array>
}
