import type { Response } from 'express'
import { pageHeaders } from './page-headers.ts'

/** A file that browsers save instead of showing it. */
export interface DownloadedFile {
  /** File name for the user; may contain any characters. */
  name: string
  /** Media type. */
  type: string
  body: Buffer
}

export function sendFile(response: Response, { name, type, body }: DownloadedFile): void {
  response.set(pageHeaders()).attachment(name).type(type).send(body)
}
