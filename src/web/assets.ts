import type { BrandSettings } from './brand/brand.ts'
import { deriveAccents, brandStyles } from './brand/colors.ts'
import { getInitials } from './display-name.ts'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Router } from 'express'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { buildBrand } from './brand/brand.ts'
import type { Look } from './brand/look.ts'

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The favicon: the logo, or the initials of the name on the brand's colour. */
function getIcon({ brandLogo, brandName, brandColor }: BrandSettings): { type: string; body: Buffer } {
  if (brandLogo) return brandLogo
  const initial = escaped(getInitials(brandName).slice(0, 1))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${deriveAccents(brandColor).light}"/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="#fff">${initial}</text></svg>`
  return { type: 'svg', body: Buffer.from(svg) }
}

interface Asset {
  path: string
  /** Extension of the file, from which the media type follows. */
  type: string
  body: Buffer
  gzipped: Buffer
}

/** The path contains a digest of the content, so browsers can cache an asset forever. */
export function createAsset(type: string, body: Buffer): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return { path: `/assets/${digest}.${type}`, type, body, gzipped: gzipSync(body, { level: 9 }) }
}

const folder = path.join(projectFolder, 'src', 'web')

/** Files of `styles/`, joined in this order into one stylesheet. Among rules of equal specificity the later one applies. */
const styleFiles = [
  'frame/tokens',
  'frame/base',
  'frame/brand',
  'frame/layout',
  'frame/site',
  'frame/navigation',
  'frame/menus',
  'frame/welcome',
  'components/forms',
  'components/field-groups',
  'components/permissions',
  'components/buttons',
  'components/dialogs',
  'components/tables',
  'components/data-table',
  'pages/audit',
  'components/people',
  'components/phone-rows',
  'components/selection',
  'components/components',
  'components/pictures',
  'components/app-marks',
  'components/tabs',
  'pages/pages',
  'pages/overview',
  'pages/invoices',
  'pages/webhooks',
  'pages/developers',
  'frame/touch',
  'frame/print',
]

/** Joins files of `styles/` and the colours of the brand. */
export const readStyles = (names: readonly string[], brandColor: string): Buffer =>
  Buffer.concat([...names.map((name) => readFileSync(path.join(folder, 'styles', `${name}.css`))), Buffer.from(brandStyles(brandColor))])

/** The SimpleWebAuthn library for browsers, which passkey.js imports. */
const webauthnEntry = createRequire(import.meta.url).resolve('@simplewebauthn/browser')
const webauthnFile = path.join(path.dirname(webauthnEntry), '../dist/bundle/index.umd.min.js')
const scripts = new Map(
  readdirSync(path.join(folder, 'scripts'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, createAsset('js', readFileSync(path.join(folder, 'scripts', name)))]),
)
scripts.set('webauthn.js', createAsset('js', readFileSync(webauthnFile)))

/** Returns the path of a script by its file name in `scripts/`. */
export function scriptPath(name: string): string {
  const script = scripts.get(name)
  if (!script) throw new Error(`there is no script ${name}`)
  return script.path
}

/** Creates the look of the pages, and the router that serves its files and the scripts. Mount the router at the root. */
export function createAssets(settings: BrandSettings): { look: Look; assets: Router } {
  const stylesheet = createAsset('css', readStyles(styleFiles, settings.brandColor))
  const image = getIcon(settings)
  const icon = createAsset(image.type, image.body)
  const look = {
    brand: buildBrand(settings),
    stylesheetPath: stylesheet.path,
    iconPath: icon.path,
    logoPath: settings.brandLogo ? icon.path : null,
  }
  return { look, assets: serveAssets([stylesheet, icon, ...scripts.values()]) }
}

/** Returns a router that serves assets. Mount it at the root. */
export function serveAssets(assets: readonly Asset[]): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, body, gzipped } of assets)
    router.get(path, (request, response) => {
      response.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding' })
      response.type(type)
      if (request.acceptsEncodings('gzip') !== 'gzip') return response.send(body)
      response.set('Content-Encoding', 'gzip').send(gzipped)
    })
  return router
}
