import { fallbackFonts, fontFile } from './fonts.ts'
import type { Weight } from './fonts.ts'

declare global {
  namespace PDFKit {
    /** A font object of fontkit. Only this object knows the characters of the font. pdfkit accepts it as the source of a font, too. */
    type ParsedFont = Mixins.PDFFontSource & { hasGlyphForCodePoint(codePoint: number): boolean }
    interface PDFDocument {
      /** The current font. pdfkit's types omit the property. */
      readonly _font: { ascender: number; font: ParsedFont }
    }
  }
}

export interface Style {
  font?: Weight
  size?: number
  color?: string
  align?: 'left' | 'right'
}

/** A part of a text in one font. */
interface FontRun {
  font: string
  text: string
}

/** Writes text in fonts that have its characters. */
export interface Typesetter {
  /** Returns the text with a box in place of each character that no font has. */
  printable(text: string): string
  width(text: string, style?: Style): number
  /** Writes a text on one line. Returns its width. */
  write(text: string, x: number, y: number, style?: Style): number
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const ownFont = 'dejavu'
const box = '□'
// pdfkit's types allow only features to add, but pdfkit passes the object on to fontkit.
const withoutMarks: object = { features: { mark: false, mkmk: false, abvm: false, blwm: false } }

/**
 * Parsed fonts. Parsing takes two thirds of the time of a document, so documents share them. Each document has its own subset of the
 * glyphs.
 */
const parsedFonts = new Map<string, PDFKit.ParsedFont>()

/** `onMissingFont` is called with the name of a script whose fonts are not installed. */
export function createTypesetter(doc: PDFKit.PDFDocument, onMissingFont: (script: string) => void): Typesetter {
  const registered = new Set<string>()
  function select(font: string, weight: Weight) {
    const name = `${font} ${weight}`
    if (!registered.has(name)) doc.registerFont(name, parsedFonts.get(name) ?? fontFile(font, weight))
    registered.add(name)
    const selected = doc.font(name)
    parsedFonts.set(name, doc._font.font)
    return selected
  }
  select(ownFont, 'regular')
  const ownAscent = doc._font.ascender / 1000
  // The two weights of a font have the same characters.
  const hasAll = (font: string, text: string) => {
    select(font, 'regular')
    return Array.from(text).every((character) => doc._font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
  }

  /** Letters and their marks use the same font, so that the font can combine them. */
  const getFont = (grapheme: string, text: string): string | undefined =>
    [ownFont, ...fallbackFonts(grapheme, text, onMissingFont)].find((font) => hasAll(font, grapheme))

  function listRuns(text: string): FontRun[] {
    if (hasAll(ownFont, text)) return [{ font: ownFont, text }]
    const runs: FontRun[] = []
    for (const { segment } of graphemes.segment(text)) {
      const font = getFont(segment, text) ?? ownFont
      const last = runs.at(-1)
      if (last?.font === font) last.text += segment
      else runs.push({ font, text: segment })
    }
    return runs
  }

  /** Selects the font of a run and measures it. */
  function measure({ font, text }: FontRun, { font: weight = 'regular', size = 9 }: Style) {
    const selected = select(font, weight).fontSize(size)
    try {
      return { width: selected.widthOfString(text), options: {} }
    } catch (error) {
      // fontkit throws if the font cannot attach a mark to its letter, as in Gurmukhi. Such text is drawn without attachment.
      if (!(error instanceof TypeError)) throw error
      return { width: selected.widthOfString(text, withoutMarks), options: withoutMarks }
    }
  }

  return {
    printable(text) {
      if (hasAll(ownFont, text)) return text
      const printed = (grapheme: string) =>
        getFont(grapheme, text) ? grapheme : Array.from(grapheme, (each) => (getFont(each, text) ? each : box)).join('')
      return Array.from(graphemes.segment(text), ({ segment }) => printed(segment)).join('')
    },
    width: (text, style = {}) => listRuns(text).reduce((sum, run) => sum + measure(run, style).width, 0),
    write(text, x, y, style = {}) {
      let left = x
      // All fonts of a line have the baseline of the first one; pdfkit would align their tops.
      const baseline = -ownAscent * (style.size ?? 9)
      for (const run of listRuns(text)) {
        const { width, options } = measure(run, style)
        doc.fillColor(style.color ?? '#000000').text(run.text, left, y, { lineBreak: false, baseline, ...options })
        left += width
      }
      return left - x
    },
  }
}
