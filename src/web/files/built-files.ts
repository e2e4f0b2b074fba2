import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { Router } from 'express'
import { projectFolder } from '../../../schema/core/project-folder.ts'

/**
 * Returns a router that serves the scripts and stylesheets in a folder of `dist/`, which `npm run build` has compressed
 * (build/compressed-files.ts). `version` is a hash of the build inputs. The path at which the router is mounted must contain it, because
 * browsers cache the files forever.
 */
export function serveBuiltFiles(name: string): { version: string; router: Router } {
  const root = path.join(projectFolder, 'dist', name)
  const router = Router({ caseSensitive: true, strict: true })
  for (const file of readdirSync(root).filter((each) => /\.(?:css|js)$/.test(each)))
    router.get(`/${file}`, (request, response) => {
      const accepted = request.acceptsEncodings()
      const encoding = ['br', 'gzip'].find((each) => accepted.includes(each))
      response.set({ 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding', ...(encoding && { 'Content-Encoding': encoding }) })
      // Ranges would be taken from the compressed file.
      const options = { root, immutable: true, maxAge: '1y', etag: false, lastModified: false, acceptRanges: false }
      response.type(path.extname(file)).sendFile(`${file}${encoding === undefined ? '' : endings[encoding]}`, options)
    })
  return { version: readFileSync(path.join(root, '.made-from'), 'utf8').slice(0, 16), router }
}

/** Ending of a compressed file by its encoding. */
const endings: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' }
