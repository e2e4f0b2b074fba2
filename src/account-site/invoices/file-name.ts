import { formatTitle } from './content.ts'
import type { PrintedInvoice } from './content.ts'

/** Returns a file name. Replaces characters of the invoice number that could name another folder or hide the file extension. */
export const fileName = (invoice: Pick<PrintedInvoice, 'number' | 'total'>): string => `${safeTitle(invoice)}.pdf`

const safeTitle = (invoice: Pick<PrintedInvoice, 'number' | 'total'>) =>
  formatTitle(invoice)
    .replace(/[\p{C}/\\:*?"<>|]+/gu, '-')
    .slice(0, 110)
    .toWellFormed()

/**
 * Creates file names for one folder. If a name occurs again, the file gets a number. Case is ignored, because the file systems of Windows
 * and macOS ignore it.
 */
export function fileNames(): typeof fileName {
  const used = new Set<string>()
  return (invoice) => {
    const title = safeTitle(invoice)
    let name = `${title}.pdf`
    for (let number = 2; used.has(getKey(name)); number++) name = `${title} (${number}).pdf`
    used.add(getKey(name))
    return name
  }
}

const getKey = (name: string) => name.normalize('NFC').toLowerCase()
