import { inflateSync } from 'node:zlib'

/** A piece of text where it stands on its page, in points from the upper left corner. */
export interface Piece {
  text: string
  x: number
  y: number
  size: number
}

const a4Height = 841.89

/** What a PDF of ours says, page by page, from its glyphs by the fonts' own tables; no more of PDF than pdfkit writes. */
export function readPdf(bytes: Buffer): { pages: Piece[][]; info: Record<string, string> } {
  const objects = new Map<string, { head: string; stream: string }>()
  for (const [, id = '', text = ''] of bytes.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', rest = ''] = text.split(/stream\n/, 2)
    const at = text.indexOf('stream\n')
    const raw = rest && Buffer.from(text.slice(at + 7, text.lastIndexOf('\nendstream')), 'latin1')
    objects.set(id, { head, stream: raw ? (head.includes('FlateDecode') ? inflateSync(raw) : raw).toString('latin1') : '' })
  }
  const at = (id: string | undefined) => objects.get(id ?? '') ?? { head: '', stream: '' }
  const referred = (text: string, key: string) => new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1]

  const fonts = new Map<string, (glyphs: string) => string>()
  for (const { head } of objects.values())
    for (const [, name = '', id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g))
      fonts.set(name, readerOf(at(referred(at(id).head, 'ToUnicode')).stream))

  const kids = [...objects.values()].find(({ head }) => head.includes('/Type /Pages'))?.head ?? ''
  const pageIds = Array.from(/\/Kids \[(.*?)\]/.exec(kids)?.[1]?.matchAll(/(\d+) 0 R/g) ?? [], ([, id]) => id)
  const pages = pageIds.map((id) => piecesOf(at(referred(at(id).head, 'Contents')).stream, fonts))

  const infoId = /\/Info (\d+) 0 R/.exec(bytes.toString('latin1'))?.[1]
  const info = Array.from(at(infoId).head.matchAll(/\/(\w+) (\d+) 0 R/g), ([, key = '', id]) => [key, textOf(at(id).head)])
  return { pages, info: Object.fromEntries(info) }
}

/** Pieces in lines from top to bottom, each from left to right, `|` between; a space is a space, whatever it binds. */
export function linesOf(pieces: readonly Piece[]): string[] {
  const lines = Map.groupBy(pieces, ({ y }) => y)
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

function piecesOf(content: string, fonts: ReadonlyMap<string, (glyphs: string) => string>): Piece[] {
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

/** Glyphs, four digits each, as the text that the font's table says they are. */
function readerOf(table: string): (glyphs: string) => string {
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

/** A string object: Latin, or UTF-16 after its mark. */
function textOf(object: string): string {
  const raw = Buffer.from(object.replace(/^\(|\)$/g, '').replace(/\\([\\()])/g, '$1'), 'latin1')
  return raw[0] === 0xfe && raw[1] === 0xff ? Buffer.from(raw.subarray(2)).swap16().toString('utf16le') : raw.toString('latin1')
}
