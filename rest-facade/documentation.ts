import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { openApiDocument } from './openapi.ts'
import type { Addresses } from './openapi.ts'
import { httpProblem } from './problem.ts'
import { sendProblem } from './router.ts'

const pageFolder = fileURLToPath(new URL('documentation', import.meta.url))
const require = createRequire(import.meta.url)
const swaggerFolder = dirname(require.resolve('swagger-ui-dist/package.json'))

/** The page's own files and swagger-ui's, by the path they are served at. */
const files: Record<string, string> = {
  '/docs': join(pageFolder, 'page.html'),
  '/docs/page.css': join(pageFolder, 'page.css'),
  '/docs/page.js': join(pageFolder, 'page.js'),
  '/docs/swagger-ui.css': join(swaggerFolder, 'swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': join(swaggerFolder, 'swagger-ui-bundle.js'),
}

/**
 * The OpenAPI document at `openapi.json` and readable documentation at `docs`, to be mounted at `/api`; both are
 * open to everybody. The document is computed once, here: a declaration that lacks words stops the service at start.
 */
export function createDocumentation(addresses: Addresses): Router {
  const router = Router({ caseSensitive: true })
  const policy = { 'Content-Security-Policy': contentSecurityPolicy(addresses), 'Referrer-Policy': 'no-referrer' }
  // Tools on other origins may read the document: it says nothing about anyone.
  serve(router, '/openapi.json', Buffer.from(JSON.stringify(openApiDocument(addresses))), { 'Access-Control-Allow-Origin': '*' })
  for (const [path, file] of Object.entries(files)) serve(router, path, readFileSync(file), policy)
  return router
}

/** Serves a body that never changes while the service runs; other methods than GET and HEAD are 405. */
function serve(router: Router, path: string, body: Buffer, headers: Record<string, string>): void {
  const type = extname(path) || 'html'
  // Kept, but asked after each time: it costs one 304, and nobody ever reads the last release's words.
  const caching = { 'Cache-Control': 'no-cache', ETag: `"${createHash('sha256').update(body).digest('base64url')}"` }
  router.get(path, (_, response) => {
    response
      .set({ ...caching, ...headers, 'X-Content-Type-Options': 'nosniff' })
      .type(type)
      .send(body)
  })
  router.all(path, (_, response) => {
    sendProblem(response, { ...httpProblem(405, response.locals.requestId as string), headers: { Allow: 'GET, HEAD' } })
  })
}

/** Scripts and styles of ours alone; requests tried out go to the addresses the document names. */
function contentSecurityPolicy({ publicUrl, flowBaseUrl }: Addresses): string {
  const origins = [publicUrl, ...(flowBaseUrl ? [flowBaseUrl] : [])].map((address) => new URL(address).origin)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
