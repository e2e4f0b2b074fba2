import type { Brand } from '../../../web/brand/brand.ts'
import { deriveAccents } from '../../../web/brand/colors.ts'
import { getInitials } from '../../../web/display-name.ts'
import type { Style, Typesetter } from './typesetter.ts'
import PDFDocument from 'pdfkit'
import { breakLines, toPlainLine, visualRuns } from './text.ts'
import { createTypesetter } from './typesetter.ts'

/** Height and width in points. */
const markSize = 32

/** Draws the logo of the brand or, like pages, the first letter of its name on its colour. */
function drawMark(doc: PDFKit.PDFDocument, typesetter: Typesetter, { logo, name, color }: Brand, x: number, y: number): void {
  // PDF files support only PNG logos, like emails, because there is no reader of SVG files here.
  if (logo?.type === 'png') {
    doc.image(logo.body, x, y, { fit: [markSize, markSize], align: 'center', valign: 'center' })
    return
  }
  doc.roundedRect(x, y, markSize, markSize, 7).fill(deriveAccents(color).light)
  const style: Style = { font: 'bold', size: 18, color: '#ffffff' }
  const letter = typesetter.printable(getInitials(name).slice(0, 1))
  typesetter.write(letter, x + (markSize - typesetter.width(letter, style)) / 2, y + 5, style)
}

const margin = 48
const footerHeight = 24

/** The pages of an A4 document. Text is written at `y`, which the caller moves down. Units are points. */
export interface Sheets {
  /** Width of the area between the margins. */
  width: number
  /** Top of the next line, which increases downwards. */
  y: number
  /** Breaks text into lines that are not wider than `width`. */
  lines(text: string, width: number, style?: Style): string[]
  /** Writes one line, `x` from the left margin. A right-aligned line ends at `x + width`. */
  put(line: string, x: number, width: number, style?: Style): void
  measure(text: string, style?: Style): number
  /** Draws a horizontal line. */
  rule(): void
  /** Writes the sender of the document. */
  letterhead(brand: Brand): void
  /** Returns true if this height is left on the page. */
  fits(height: number): boolean
  startPage(): void
  /** Starts a new page unless this height is left. */
  ensure(height: number): void
  /** Writes the footers and returns the document. */
  end(footer: string): Promise<Buffer>
}

export const lineHeight = ({ size = 9 }: Style = {}) => size * 1.4

interface SheetsOptions {
  title: string
  author: string
  created: Date
  /** Called with the name of a script whose fonts are not installed. */
  onMissingFont(script: string): void
}

export function createSheets({ title, author, created, onMissingFont }: SheetsOptions): Sheets {
  const doc = new PDFDocument({
    size: 'A4',
    // Without a margin, pdfkit does not start pages by itself.
    margin: 0,
    bufferPages: true,
    // The empty name prevents pdfkit from reading the file of Helvetica, which no text uses.
    font: '',
    lang: 'en',
    displayTitle: true,
    // The default version is PDF 1.3. From 1.4 on, pdfkit adds XMP metadata without escaping `<` and `&` in names. The dates are set,
    // because by default they would differ between two documents with the same content.
    info: { Title: title, Author: author, CreationDate: created, ModDate: created, Creator: 'Team accounts', Producer: 'Team accounts' },
  })
  const typesetter = createTypesetter(doc, onMissingFont)
  const bottom = doc.page.height - margin - footerHeight

  const sheets: Sheets = {
    width: doc.page.width - 2 * margin,
    y: margin,
    measure: typesetter.width,
    lines: (text, width, style) => breakLines(typesetter.printable(toPlainLine(text)), width, (part) => typesetter.width(part, style)),
    put(line, x, width, style = {}) {
      const runs = visualRuns(line)
      const length = runs.reduce((sum, run) => sum + typesetter.width(run, style), 0)
      let left = margin + x + (style.align === 'right' ? width - length : 0)
      for (const run of runs) left += typesetter.write(run, left, sheets.y, style)
    },
    rule() {
      doc
        .moveTo(margin, sheets.y)
        .lineTo(doc.page.width - margin, sheets.y)
        .lineWidth(0.5)
        .strokeColor('#767e8c')
        .stroke()
    },
    letterhead(brand) {
      drawMark(doc, typesetter, brand, margin, sheets.y)
      const style: Style = { font: 'bold', size: 12 }
      const x = markSize + 10
      sheets.y += (markSize - lineHeight(style)) / 2
      sheets.put(sheets.lines(brand.name, sheets.width - x, style)[0] ?? '', x, sheets.width - x, style)
      sheets.y = margin + markSize + 14
    },
    fits: (height) => bottom - sheets.y >= height,
    startPage() {
      doc.addPage()
      sheets.y = margin
    },
    ensure(height) {
      if (!sheets.fits(height)) sheets.startPage()
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
