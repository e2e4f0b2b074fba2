import type { Brand } from '../../../web/brand/brand.ts'
import { accentsOf } from '../../../web/brand/colors.ts'
import { initialsOf } from '../../../web/display-name.ts'
import type { Style, Typesetter } from './typesetter.ts'

/** Height and width in points. */
export const markSize = 32

/** Draws the logo of the brand, or, as pages do, the first letter of its name on its colour. */
export function drawMark(doc: PDFKit.PDFDocument, typesetter: Typesetter, { logo, name, color }: Brand, x: number, y: number): void {
  // The reader of SVG files in browsers has no counterpart here; emails show PNG files only, too.
  if (logo?.type === 'png') {
    doc.image(logo.body, x, y, { fit: [markSize, markSize], align: 'center', valign: 'center' })
    return
  }
  doc.roundedRect(x, y, markSize, markSize, 7).fill(accentsOf(color).light)
  const style: Style = { font: 'bold', size: 18, color: '#ffffff' }
  const letter = typesetter.printable(initialsOf(name).slice(0, 1))
  typesetter.write(letter, x + (markSize - typesetter.width(letter, style)) / 2, y + 5, style)
}
