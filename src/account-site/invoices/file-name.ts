import { titleOf } from './content.ts'
import type { PrintedInvoice } from './content.ts'

/** Replaces characters of the invoice number that could name another folder or hide the file's extension. */
export const fileName = (invoice: Pick<PrintedInvoice, 'number' | 'total'>): string => `${safeTitle(invoice)}.pdf`

const safeTitle = (invoice: Pick<PrintedInvoice, 'number' | 'total'>) =>
  titleOf(invoice)
    .replace(/[\p{C}/\\:*?"<>|]+/gu, '-')
    .slice(0, 110)
    .toWellFormed()

/**
 * Names of the files of one folder. The second file with a name, also in another case, as the file systems of Windows and macOS compare
 * them, gets a number.
 */
export function fileNames(): typeof fileName {
  const used = new Set<string>()
  return (invoice) => {
    const title = safeTitle(invoice)
    let name = `${title}.pdf`
    for (let number = 2; used.has(keyOf(name)); number++) name = `${title} (${number}).pdf`
    used.add(keyOf(name))
    return name
  }
}

const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
