/** Two square WebP files without metadata. */
export interface EncodedPicture {
  /** The picture with sides of `largeSide` pixels. */
  large: Buffer
  /** The picture with sides of `smallSide` pixels. */
  small: Buffer
}

/** The fit of a picture: `cover` fills the square and cuts off the margins; `contain` shows a logo completely, on white. */
export type Fit = 'cover' | 'contain'

/** A file that is not accepted, with the reason as a template of a validation message. */
export class RefusedPicture extends Error {}

export const maxFileBytes = 5 * 1024 * 1024
const maxPixels = 25_000_000
const largeSide = 256
const smallSide = 64

export const wrongFile = 'The :attribute must be a JPEG, PNG or WebP file.'
export const tooLarge = 'The :attribute must be a file of at most 5 MB.'
export const damaged = 'The :attribute is damaged. Choose another file.'
const tooManyPixels = 'The :attribute must have at most 25 megapixels.'
const animated = 'The :attribute must not be animated.'

/** Loads the library on first use. Only three decoders can run: others, such as that of SVG, would read files that a picture contains. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] })
  return sharp
}

/**
 * Encodes a file again, rotated according to its metadata. Throws `RefusedPicture`. The service calls it in a separate process
 * (encoder.ts): decoding needs up to 200 MB, of which the C library would keep a part for each thread.
 */
export async function encodePicture(file: Uint8Array, fit: Fit): Promise<EncodedPicture> {
  if (file.length === 0) throw new RefusedPicture(wrongFile)
  if (file.length > maxFileBytes) throw new RefusedPicture(tooLarge)
  const sharp = await loadSharp()
  // This call reads only the header.
  const {
    pages = 1,
    width,
    height,
  } = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw new RefusedPicture(wrongFile, { cause })
    })
  if (pages > 1) throw new RefusedPicture(animated)
  if (width * height > maxPixels) throw new RefusedPicture(tooManyPixels)
  try {
    const large = await sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .resize(largeSide, largeSide, { fit, background: 'white' })
      .flatten({ background: 'white' })
      .webp({ quality: 80 })
      .toBuffer()
    return { large, small: await shrink(large) }
  } catch (cause) {
    throw new RefusedPicture(damaged, { cause })
  }
}

/** Creates the small file from a large one. Its quality is lower: a list of 50 people must stay small. */
async function shrink(large: Uint8Array): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(large).resize(smallSide, smallSide).webp({ quality: 40, effort: 6 }).toBuffer()
}

/**
 * Returns a large file unchanged, with its small one, if this service has encoded it: a WebP file (RFC 9649) of one lossy image of the
 * right size and nothing else. Null for any other file. It is for imports: encoding it again would change it with every export and import.
 */
export async function keepEncoded(file: Buffer): Promise<EncodedPicture | null> {
  const isOurs =
    file.length >= 30 &&
    file.toString('latin1', 0, 4) === 'RIFF' &&
    file.readUInt32LE(4) + 8 === file.length &&
    file.toString('latin1', 8, 16) === 'WEBPVP8 ' &&
    file.readUInt32LE(16) + 20 + (file.readUInt32LE(16) % 2) === file.length &&
    file.readUInt16LE(26) === largeSide &&
    file.readUInt16LE(28) === largeSide
  if (!isOurs) return null
  // A file that cannot be decoded is refused like any other file.
  const small = await shrink(file).catch(() => null)
  return small && { large: file, small }
}
