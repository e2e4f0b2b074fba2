import sharp from 'sharp'

// Files of pictures, as users choose them.

const types = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', gif: 'image/gif' }
type Format = keyof typeof types

/** An image like a photo: areas of different colours with soft edges. */
async function photo(width: number, height: number) {
  const spots = {
    width: 14,
    height: 10,
    channels: 3 as const,
    background: '#000',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
  }
  const image = await sharp({ create: spots }).png().toBuffer()
  return sharp(image).resize(width, height, { fit: 'fill' })
}

/** The bytes of an image. `metadata` adds a place (GPS), an author and a colour profile; the image is then lying on its side. */
export async function imageBytes(format: Format, { width = 640, height = 480, metadata = false } = {}): Promise<Buffer> {
  const image = await photo(width, height)
  if (!metadata) return image[format]().toBuffer()
  const exif = {
    IFD0: { Artist: 'Ada Secret', Copyright: 'Ada Secret' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
  }
  return image.withMetadata({ orientation: 6, exif, icc: 'p3' })[format]().toBuffer()
}

/** A file as the field of a form. */
export const fileOf = (bytes: Uint8Array | string, name = 'me.jpg', type = 'image/jpeg') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

/** Files that are no acceptable pictures, with the message for each. */
export async function badFiles(): Promise<Record<string, { file: File; message: string }>> {
  const format = 'Picture must be a JPEG, PNG or WebP file.'
  const isDamaged = 'Picture is damaged. Choose another file.'
  const [jpeg, png, webp] = await Promise.all([imageBytes('jpeg'), imageBytes('png'), imageBytes('webp')])
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const animated = await sharp(frames, { join: { animated: true } })
    .webp({ delay: [100, 100] })
    .toBuffer()
  const flat = { width: 6000, height: 6000, channels: 3 as const, background: '#fff' }
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  return {
    'an empty file': { file: fileOf(''), message: format },
    'a text that is named as an image': { file: fileOf('no image', 'me.png', 'image/png'), message: format },
    'an SVG file': { file: fileOf(svg, 'me.svg', 'image/svg+xml'), message: format },
    'a GIF file': { file: fileOf(await imageBytes('gif', { width: 9, height: 9 }), 'me.gif', 'image/gif'), message: format },
    'a file of 6 MB': { file: fileOf(Buffer.concat([jpeg, Buffer.alloc(6_000_000)])), message: 'Picture must be a file of at most 5 MB.' },
    'a truncated JPEG file': { file: fileOf(jpeg.subarray(0, jpeg.length / 2)), message: isDamaged },
    'a truncated PNG file': { file: fileOf(png.subarray(0, png.length / 2), 'me.png'), message: isDamaged },
    'a truncated WebP file': { file: fileOf(webp.subarray(0, webp.length / 2), 'me.webp'), message: format },
    'an animated file': { file: fileOf(animated, 'me.webp'), message: 'Picture must not be animated.' },
    'a small file with too many pixels': {
      file: fileOf(await sharp({ create: flat }).png().toBuffer(), 'me.png'),
      message: 'Picture must have at most 25 megapixels.',
    },
  }
}
