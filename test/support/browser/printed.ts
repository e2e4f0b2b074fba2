import { inflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'

export const orientations = ['portrait', 'landscape'] as const
export type Orientation = (typeof orientations)[number]

/** Prints a page on A4 paper as people do from the browser. Returns the text of each sheet without spaces, as it was drawn. */
export async function printed(page: Page, orientation: Orientation): Promise<string[]> {
  const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' }
  return textsOf(await page.pdf({ format: 'A4', landscape: orientation === 'landscape', margin }))
}

/** Reads the text of each page of a PDF that Chromium wrote: fonts with a ToUnicode table, and texts as glyph numbers. */
function textsOf(pdf: Buffer): string[] {
  const objects = new Map<string, { head: string; stream: string }>()
  for (const [, id = '', object = ''] of pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const start = object.indexOf('stream\n')
    const [head, raw] = start === -1 ? [object, ''] : [object.slice(0, start), object.slice(start + 7, object.lastIndexOf('\nendstream'))]
    const bytes = Buffer.from(raw, 'latin1')
    objects.set(id, { head, stream: (raw && head.includes('FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1') })
  }
  const at = (id: string | undefined) => objects.get(id ?? '') ?? { head: '', stream: '' }
  const reference = (head: string, key: string) => at(new RegExp(`/${key} (\\d+) 0 R`).exec(head)?.[1])
  const kids = Array.from(objects.values(), ({ head }) => /\/Type \/Pages[\s\S]*\/Kids \[(.*?)\]/.exec(head)?.[1]).find(Boolean) ?? ''
  return Array.from(kids.matchAll(/(\d+) 0 R/g), ([, id]) => {
    const { head } = at(id)
    const fonts = new Map(
      Array.from(head.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', font]) => [
        name,
        glyphsOf(reference(at(font).head, 'ToUnicode').stream),
      ]),
    )
    return textOf(reference(head, 'Contents').stream, fonts)
  })
}

type Glyphs = ReadonlyMap<string, string>

const shown = /\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj|\[((?:<[0-9A-Fa-f]+>|[\s\d.-])+)\] TJ/g

function textOf(content: string, fonts: ReadonlyMap<string, Glyphs>): string {
  let glyphs: Glyphs = new Map()
  let text = ''
  for (const [, font, one, several] of content.matchAll(shown)) {
    if (font !== undefined) glyphs = fonts.get(font) ?? new Map()
    const hex = one ?? Array.from((several ?? '').matchAll(/<(.*?)>/g), ([, each]) => each).join('')
    for (const [glyph] of hex.matchAll(/.{4}/g)) text += glyphs.get(glyph.toUpperCase()) ?? ''
  }
  // A font can draw several letters as one glyph, a ligature.
  return text.replaceAll(/\s/g, '').replaceAll(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
}

function glyphsOf(table: string): Glyphs {
  const glyphs = new Map<string, string>()
  const add = (code: number, units: string, offset = 0) =>
    glyphs.set(
      code.toString(16).padStart(4, '0').toUpperCase(),
      String.fromCharCode(...Array.from(units.matchAll(/.{4}/g), ([unit]) => Number.parseInt(unit, 16))).replace(/.$/s, (last) =>
        String.fromCharCode(last.charCodeAt(0) + offset),
      ),
    )
  for (const [, body = ''] of table.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g))
    for (const [, code = '', units = ''] of body.matchAll(/<(.*?)> <(.*?)>/g)) add(Number.parseInt(code, 16), units)
  for (const [, body = ''] of table.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g))
    for (const [, first = '', last = '', units = ''] of body.matchAll(/<(.*?)> <(.*?)> <(.*?)>/g))
      for (let code = Number.parseInt(first, 16); code <= Number.parseInt(last, 16); code++)
        add(code, units, code - Number.parseInt(first, 16))
  return glyphs
}
