import { Router } from 'express'
import type { Ports } from '../../schema/core/ports.ts'
import { findPictureFile } from '../../schema/pictures/stored-picture.ts'
import { allow } from '../http/allowed-methods.ts'

/**
 * Serves the pictures of users and the logos of teams. Mount it at the root. The paths are unguessable, so that pages of products can show
 * the pictures without a credential. The file of a path never changes. If there is none, the next handler responds.
 */
export function createPictures({ database }: Pick<Ports, 'database'>): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.all('/pictures/:file', allow('GET'))
  router.get('/pictures/:file', async (request, response, next) => {
    const [, id, suffix] = /^([\w-]{22})(-small)?\.webp$/.exec(request.params.file) ?? []
    const file = id === undefined ? null : await findPictureFile(database.pool, id, suffix === undefined ? 'large' : 'small')
    if (!file) return next()
    response.set({
      // The cache is private, because a removed picture must not stay in the caches of proxies.
      'Cache-Control': 'private, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'",
      'Content-Disposition': 'inline',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    response.type('webp').send(file)
  })
  return router
}
