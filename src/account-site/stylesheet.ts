import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Router } from 'express'

const stylesheet = readFileSync(new URL('style.css', import.meta.url))
const digest = createHash('sha256').update(stylesheet).digest('hex').slice(0, 16)

/** Where pages find their stylesheet. Its content is in its name, so it never changes there. */
export const stylesheetPath = `/assets/${digest}.css`

/** Serves the stylesheet, to be mounted at the root. One of another release is not found. */
export function createAssets(): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get(stylesheetPath, (_, response) => {
    response.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' })
    response.type('css').send(stylesheet)
  })
  return router
}
