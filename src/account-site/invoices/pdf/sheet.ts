import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { breakLines, printable, visualRuns } from './text.ts'

const require = createRequire(import.meta.url)
const fonts = {
  regular: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: readFileSync(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
}

export interface Style {
  font?: keyof typeof fonts
  size?: number
  color?: string
  align?: 'left' | 'right'
}

const margin = 48
const footerHeight = 24

/** The sheets of a document of A4: lines of text at places, and where the next one goes. */
export interface Sheets {
  /** Width between the margins, in points. */
  width: number
  /** Where the next line goes; larger is lower. */
  y: number
  /** Lines of text that fit a width. */
  lines(text: string, width: number, style?: Style): string[]
  /** One line at a place from the left margin; right-aligned, it ends at `x + width`. */
  put(line: string, x: number, width: number, style?: Style): void
  measure(text: string, style?: Style): number
  rule(): void
  /** Begins a sheet unless this height is left; true when it did. */
  ensure(height: number): boolean
  room(): number
  /** Writes the footers and gives the bytes. */
  end(footer: string): Promise<Buffer>
}

/** Height of a line of text. */
export const lineHeight = ({ size = 9 }: Style = {}) => size * 1.4

export function createSheets(title: string, author: string, created: Date): Sheets {
  const doc = new PDFDocument({
    size: 'A4',
    // None of pdfkit's own: it would begin a page by itself.
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    // Version 1.3, as it is without a word: from 1.4 on pdfkit adds XMP, with names in it as they are, `<` and `&` too.
    // All that differs between two documents of one content comes from here.
    info: { Title: title, Author: author, CreationDate: created, ModDate: created, Creator: 'Team accounts', Producer: 'Team accounts' },
  })
  for (const [name, bytes] of Object.entries(fonts)) doc.registerFont(name, bytes)
  const bottom = doc.page.height - margin - footerHeight
  const use = ({ font = 'regular', size = 9, color = '#000000' }: Style) => doc.font(font).fontSize(size).fillColor(color)
  // The font as fontkit reads it, which pdfkit keeps to itself: it alone tells what it lacks.
  const has = (codePoint: number) =>
    (doc as unknown as { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } })._font.font.hasGlyphForCodePoint(codePoint)

  const sheets: Sheets = {
    width: doc.page.width - 2 * margin,
    y: margin,
    measure: (text, style = {}) => use(style).widthOfString(text),
    lines(text, width, style = {}) {
      use(style)
      return breakLines(printable(text, has), width, (part) => doc.widthOfString(part))
    },
    put(line, x, width, style = {}) {
      use(style)
      const runs = visualRuns(line).map((run) => ({ run, length: doc.widthOfString(run) }))
      const length = runs.reduce((sum, run) => sum + run.length, 0)
      let at = margin + x + (style.align === 'right' ? width - length : 0)
      for (const { run, length } of runs) {
        doc.text(run, at, sheets.y, { lineBreak: false })
        at += length
      }
    },
    rule() {
      doc
        .moveTo(margin, sheets.y)
        .lineTo(doc.page.width - margin, sheets.y)
        .lineWidth(0.5)
        .strokeColor('#767e8c')
        .stroke()
    },
    room: () => bottom - sheets.y,
    ensure(height) {
      if (sheets.room() >= height) return false
      doc.addPage()
      sheets.y = margin
      return true
    },
    async end(footer) {
      const chunks: Buffer[] = []
      const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))
      doc.on('data', (chunk: Buffer) => chunks.push(chunk))
      const style: Style = { size: 8, color: '#565e6c' }
      const { count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        doc.switchToPage(page)
        sheets.y = doc.page.height - margin - lineHeight(style)
        sheets.put(sheets.lines(footer, sheets.width * 0.75, style)[0] ?? '', 0, sheets.width, style)
        sheets.put(`Page ${page + 1} of ${count}`, 0, sheets.width, { ...style, align: 'right' })
      }
      doc.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
  return sheets
}
