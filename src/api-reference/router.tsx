import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Router } from 'express'
import type { VNode } from 'preact'
import { projectFolder } from '../../schema/core/project-folder.ts'
import type { Addresses } from '../../rest-facade/openapi/document.ts'
import { redirectPath } from '../../rest-facade/openapi/documentation-client.ts'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { sendProblem } from '../../rest-facade/http/send.ts'
import { serveBuiltFiles } from '../web/files/built-files.ts'
import { createAsset, readStyles, serveAssets } from '../web/assets.ts'
import { pageHeaders, renderPage } from '../web/send-page.tsx'
import { apiReferencePath } from '../web/page-paths.ts'
import { RedirectPage, ReferencePage } from './page.tsx'

const folder = path.join(projectFolder, 'src', 'api-reference')
const readFile = (name: string) => readFileSync(path.join(folder, name))

/** Creates a router for the API reference and the files that it loads, all of which are public. Mount it at the root. */
export function createApiReference(addresses: Addresses, brandColor: string): Router {
  const { publicUrl } = addresses
  // Scalar's file, which `npm run build` writes (build/api-reference.ts).
  const library = serveBuiltFiles('api-reference')
  const libraryPath = `${apiReferencePath}/${library.version}`
  const stylesheet = createAsset('css', Buffer.concat([readStyles(['frame/tokens', 'frame/brand'], brandColor), readFile('page.css')]))
  const start = createAsset('js', readFile('start.js'))
  const redirect = createAsset('js', readFile('redirect.js'))

  const router = Router({ caseSensitive: true, strict: true })
  router.use(serveAssets([stylesheet, start, redirect]))
  const headers = { ...pageHeaders(), 'Content-Security-Policy': contentSecurityPolicy(addresses), Vary: 'Accept-Encoding' }
  const servePage = (address: string, page: VNode) => {
    router.get(address, (_, response) => {
      response.set(headers).type('html').send(renderPage(response, page))
    })
    router.all(address, (_, response) => {
      sendProblem(response, { ...httpProblem(405, response.locals.requestId), headers: { Allow: 'GET, HEAD' } })
    })
  }
  const shared = { stylesheetPath: stylesheet.path, publicUrl }
  servePage(apiReferencePath, <ReferencePage {...shared} scriptPath={start.path} libraryPath={`${libraryPath}/standalone.js`} />)
  servePage(redirectPath, <RedirectPage {...shared} scriptPath={redirect.path} />)
  router.use(libraryPath, library.router)
  return router
}

/**
 * Returns a policy that allows scripts of this origin, and requests to the servers in the document. It allows inline styles, because Scalar
 * adds its styles to the page; GraphiQL is the only other page that does.
 */
function contentSecurityPolicy({ publicUrl, flowBaseUrl }: Addresses): string {
  const origins = [publicUrl, ...(flowBaseUrl ? [flowBaseUrl] : [])].map((address) => new URL(address).origin)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
