import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { Router } from 'express'
import { openApiDocument } from '../openapi/document.ts'
import type { Addresses } from '../openapi/document.ts'
import { documentationClientId, documentationRedirectUri, redirectFile } from '../openapi/documentation-client.ts'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { httpProblem } from '../http/problem.ts'
import { sendProblem } from '../http/send.ts'

const pageFolder = join(projectFolder, 'rest-facade', 'documentation')
const require = createRequire(import.meta.url)
const swaggerFolder = dirname(require.resolve('swagger-ui-dist/package.json'))

/** The files that the page loads, by the path that serves them. */
const files: Record<string, string> = {
  '/docs/page.css': join(pageFolder, 'page.css'),
  '/docs/page.js': join(pageFolder, 'page.js'),
  '/docs/swagger-ui.css': join(swaggerFolder, 'swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': join(swaggerFolder, 'swagger-ui-bundle.js'),
  // Opened in a pop-up window at the end of an authorization; it passes the code to the page and closes.
  [`/docs/${redirectFile}`]: join(swaggerFolder, 'oauth2-redirect.html'),
  '/docs/oauth2-redirect.js': join(swaggerFolder, 'oauth2-redirect.js'),
}

/**
 * A router for the OpenAPI document at `openapi.json` and its pages at `docs`, to be mounted at `/api`; both are public.
 * What they serve is computed and read at the first request for it: it does not change while the service runs.
 */
export function createDocumentation(addresses: Addresses): Router {
  const router = Router({ caseSensitive: true })
  const policy = { 'Content-Security-Policy': contentSecurityPolicy(addresses), 'Referrer-Policy': 'no-referrer' }
  // Tools on other origins may read the document: it contains nothing about any account.
  serve(router, '/openapi.json', () => Buffer.from(JSON.stringify(openApiDocument(addresses))), { 'Access-Control-Allow-Origin': '*' })
  serve(router, '/docs', () => Buffer.from(pageOf(addresses)), policy)
  for (const [path, file] of Object.entries(files)) serve(router, path, () => readFileSync(file), policy)
  return router
}

/** The page, with what it needs to obtain a token. */
const pageOf = ({ publicUrl }: Addresses) =>
  readFileSync(join(pageFolder, 'page.html'), 'utf8')
    .replace('{clientId}', documentationClientId)
    .replace('{redirectUri}', documentationRedirectUri(publicUrl))

/** Serves a body, which is created once; methods other than GET and HEAD get 405. */
function serve(router: Router, path: string, create: () => Buffer, headers: Record<string, string>): void {
  const type = extname(path) || 'html'
  let created: { body: Buffer; etag: string } | undefined
  const load = () => {
    const body = create()
    // Weak, because compression changes the bytes.
    return { body, etag: `W/"${createHash('sha256').update(body).digest('base64url')}"` }
  }
  router.get(path, (_, response) => {
    const { body, etag } = (created ??= load())
    response
      // Cached but revalidated each time, which costs a 304: after an upgrade every browser shows the new version.
      .set({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding', ...headers, 'X-Content-Type-Options': 'nosniff' })
      .type(type)
      .send(body)
  })
  router.all(path, (_, response) => {
    sendProblem(response, { ...httpProblem(405, response.locals.requestId), headers: { Allow: 'GET, HEAD' } })
  })
}

/** Allows scripts and styles of this origin only, and requests to the servers that the document names. */
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
