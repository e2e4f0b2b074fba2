import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Router } from 'express'
import { projectFolder } from '../../schema/core/project-folder.ts'

interface Asset {
  path: string
  type: 'css' | 'js'
  body: Buffer
  gzipped: Buffer
}

/** The path contains a digest of the content, so browsers can cache an asset forever. */
function createAsset(type: Asset['type'], body: Buffer): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { path: `/assets/${digest}.${type}`, type, body, gzipped: gzipSync(body, { level: 9 }) }
}

const folder = path.join(projectFolder, 'src', 'web')

/** Files of `styles/`, joined in this order into one stylesheet. Among rules of equal specificity the later one applies. */
const styleFiles = ['tokens', 'base', 'layout', 'forms', 'buttons', 'tables', 'data-table', 'components', 'pages', 'chart', 'print']
const stylesheet = createAsset('css', Buffer.concat(styleFiles.map((name) => readFileSync(path.join(folder, 'styles', `${name}.css`)))))

/** The browser part of SimpleWebAuthn, which passkey.js uses. */
const webauthnEntry = createRequire(import.meta.url).resolve('@simplewebauthn/browser')
const webauthnFile = path.join(path.dirname(webauthnEntry), '../dist/bundle/index.umd.min.js')
const scripts = new Map(
  readdirSync(path.join(folder, 'scripts'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, createAsset('js', readFileSync(path.join(folder, 'scripts', name)))]),
)
scripts.set('webauthn.js', createAsset('js', readFileSync(webauthnFile)))

export const stylesheetPath = stylesheet.path

/** Returns the path of a script by its file name in `scripts/`. */
export function scriptPath(name: string): string {
  const script = scripts.get(name)
  if (!script) throw new Error(`there is no script ${name}`)
  return script.path
}

/** Serves the stylesheet and the scripts, to be mounted at the root. Assets of another release get 404. */
export function createAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, body, gzipped } of [stylesheet, ...scripts.values()])
    router.get(path, (request, response) => {
      response.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' })
      response.type(type)
      if (request.acceptsEncodings('gzip') !== 'gzip') return response.send(body)
      response.set('Content-Encoding', 'gzip').send(gzipped)
    })
  return router
}
