import { inflateSync } from 'node:zlib'

/** A text with its position on the page, in points from the upper left corner. */
export interface PositionedText {
  text: string
  x: number
  y: number
  size: number
}

const a4Height = 841.89

/** Reads the texts of each page and the metadata of a PDF. Supports only the PDF features that pdfkit writes. */
export function readPdf(bytes: Buffer): { pages: PositionedText[][]; info: Record<string, string> } {
  const objects = new Map<string, { head: string; stream: string }>()
  for (const [, id = '', text = ''] of bytes.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', rest = ''] = text.split(/stream\n/, 2)
    const streamStart = text.indexOf('stream\n')
    const raw = rest && Buffer.from(text.slice(streamStart + 7, text.lastIndexOf('\nendstream')), 'latin1')
    objects.set(id, { head, stream: raw ? (head.includes('FlateDecode') ? inflateSync(raw) : raw).toString('latin1') : '' })
  }
  const objectById = (id: string | undefined) => objects.get(id ?? '') ?? { head: '', stream: '' }
  const findReference = (text: string, key: string) => new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1]

  const fonts = new Map<string, (glyphs: string) => string>()
  for (const { head } of objects.values())
    for (const [, name = '', id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name, createGlyphDecoder(objectById(findReference(objectById(id).head, 'ToUnicode')).stream))

  const kids = [...objects.values()].find(({ head }) => head.includes('/Type /Pages'))?.head ?? ''
  const pageIds = Array.from(/\/Kids \[(.*?)\]/.exec(kids)?.[1]?.matchAll(/(\d+) 0 R/g) ?? [], ([, id]) => id)
  const pages = pageIds.map((id) => readTexts(objectById(findReference(objectById(id).head, 'Contents')).stream, fonts))

  const infoId = /\/Info (\d+) 0 R/.exec(bytes.toString('latin1'))?.[1]
  const info = Array.from(objectById(infoId).head.matchAll(/\/(\w+) (\d+) 0 R/g), ([, key = '', id]) => [
    key,
    decodeString(objectById(id).head),
  ])
  return { pages, info: Object.fromEntries(info) }
}

/** Returns the lines of a page from top to bottom, their texts joined with `|`. No-break spaces become spaces. */
export function linesOf(texts: readonly PositionedText[]): string[] {
  const lines = Map.groupBy(texts, ({ y }) => y)
  return [...lines.keys()]
    .sort((one, other) => one - other)
    .map((y) => (lines.get(y) ?? []).toSorted((one, other) => one.x - other.x))
    .map((line) =>
      line
        .map(({ text }) => text.replaceAll('\u00A0', ' ').trim())
        .filter(Boolean)
        .join(' | '),
    )
}

function readTexts(content: string, fonts: ReadonlyMap<string, (glyphs: string) => string>): PositionedText[] {
  return Array.from(
    content.matchAll(/1 0 0 1 ([\d.-]+) ([\d.-]+) Tm\n\/(F\d+) ([\d.]+) Tf\n\[(.*?)\] TJ/g),
    ([, x, y, font = '', size, shown = '']) => ({
      text: Array.from(shown.matchAll(/<([0-9a-f]+)>/g), ([, glyphs = '']) => fonts.get(font)?.(glyphs) ?? '').join(''),
      x: Number(x),
      y: Math.round(a4Height - Number(y)),
      size: Number(size),
    }),
  )
}

/** Creates a function that decodes glyphs of four hex digits with the ToUnicode table of a font. */
function createGlyphDecoder(table: string): (glyphs: string) => string {
  const texts = new Map<string, string>()
  for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]/g))
    Array.from(list.matchAll(/<([0-9a-f ]*)>/g), ([, units = '']) => units).forEach((units, index) =>
      texts.set(
        (parseInt(first, 16) + index).toString(16).padStart(4, '0'),
        String.fromCharCode(...units.split(' ').map((unit) => parseInt(unit, 16))),
      ),
    )
  return (glyphs) => (glyphs.match(/.{4}/g) ?? []).map((glyph) => texts.get(glyph) ?? '').join('')
}

/** Decodes a PDF string object: Latin-1, or UTF-16 if it starts with a byte order mark. */
function decodeString(object: string): string {
  const raw = Buffer.from(object.replace(/^\(|\)$/g, '').replace(/\\([\\()])/g, '$1'), 'latin1')
  return raw[0] === 0xfe && raw[1] === 0xff ? Buffer.from(raw.subarray(2)).swap16().toString('utf16le') : raw.toString('latin1')
}
