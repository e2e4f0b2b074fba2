import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { pageHeaders } from '../send-page.tsx'

/** A file that browsers save instead of showing it. */
export interface DownloadedFile {
  /** File name for the user. It may contain any characters. */
  name: string
  /** Media type. */
  type: string
  /** The content, or its parts as they become available. */
  body: Buffer | AsyncIterable<Buffer>
}

/** Sends a file. If a part cannot be created, the connection is closed, so that the browser does not save an incomplete file. */
export async function sendFile(response: Response, { name, type, body }: DownloadedFile): Promise<void> {
  response.set(pageHeaders()).attachment(name).type(type)
  if (body instanceof Buffer) response.send(body)
  else if (response.req.method === 'HEAD') response.end()
  else await pipeline(body, response).catch(ignoreClosed)
}

/** Ignores the error of a download that the user ended by closing the window. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}
