import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Router } from 'express'

interface Asset {
  path: string
  type: string
  body: Buffer
  zipped: Buffer
}

const folder = import.meta.dirname

function asset(type: 'css' | 'js', file: string): Asset {
  const body = readFileSync(file)
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { path: `/assets/${digest}.${type}`, type, body, zipped: gzipSync(body, { level: 9 }) }
}

/** A script of a package that we serve as it is. */
const packaged = (name: string) => createRequire(import.meta.url).resolve(name)

const stylesheet = asset('css', path.join(folder, 'style.css'))
const scripts = new Map(
  readdirSync(path.join(folder, 'scripts'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, asset('js', path.join(folder, 'scripts', name))]),
)
scripts.set('webauthn.js', asset('js', path.join(path.dirname(packaged('@simplewebauthn/browser')), '..', 'dist/bundle/index.umd.min.js')))

/** Where pages find their stylesheet. Its content is in its name, so it never changes there. */
export const stylesheetPath = stylesheet.path

/** Where pages find a script of `scripts/`. */
export function scriptPath(name: string): string {
  const script = scripts.get(name)
  if (!script) throw new Error(`there is no script ${name}`)
  return script.path
}

/** Serves stylesheet and scripts, to be mounted at the root. Those of another release are not found. */
export function createAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, body, zipped } of [stylesheet, ...scripts.values()])
    router.get(path, (request, response) => {
      response.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' })
      response.type(type)
      if (request.acceptsEncodings('gzip') !== 'gzip') return response.send(body)
      response.set('Content-Encoding', 'gzip').send(zipped)
    })
  return router
}
