import { Router } from 'express'
import type { Response } from 'express'
import { allResourceTypes, allSchemas, serviceProviderConfig } from '../../schema/scim/discovery.ts'
import { resourceNotFound } from '../../schema/scim/protocol/error.ts'
import { buildListResponse, groupEndpoints, userEndpoints } from './scim-endpoints.ts'
import { sendScimError, serveScim } from './serve-scim.ts'
import type { ScimPorts, ScimRequest } from './serve-scim.ts'

type Described = Record<string, unknown> & { id: string }

/** Creates the endpoints of SCIM 2.0 (RFC 7644). Mount them at `/scim/v2` (docs/decisions/scim.md). */
export function createScim(ports: ScimPorts): Router {
  const router = Router({ caseSensitive: true })
  for (const [path, { list, create, show, replace, patch, remove }] of Object.entries({
    '/Users': userEndpoints,
    '/Groups': groupEndpoints,
  })) {
    router.route(path).get(serveScim(ports, list)).post(serveScim(ports, create)).all(notAllowed('GET, HEAD, POST'))
    router
      .route(`${path}/:id`)
      .get(serveScim(ports, show))
      .put(serveScim(ports, replace))
      .patch(serveScim(ports, patch))
      .delete(serveScim(ports, remove))
      .all(notAllowed('GET, HEAD, PUT, PATCH, DELETE'))
  }
  const config = ({ directory }: ScimRequest) => Promise.resolve({ status: 200, body: serviceProviderConfig(directory.base) })
  router.route('/ServiceProviderConfig').get(serveScim(ports, config)).all(notAllowed('GET, HEAD'))
  for (const [path, all] of Object.entries({ '/ResourceTypes': allResourceTypes, '/Schemas': allSchemas })) {
    const list = async ({ directory }: ScimRequest) => buildListResponse(all(directory.base), all(directory.base).length, 1)
    const show = async ({ directory, id }: ScimRequest) => ({ status: 200, body: findDescribed(all(directory.base), id) })
    router.route(path).get(serveScim(ports, list)).all(notAllowed('GET, HEAD'))
    router.route(`${path}/:id`).get(serveScim(ports, show)).all(notAllowed('GET, HEAD'))
  }
  router.all(['/Me', '/Bulk', '/.search'], (_, response) => sendScimError(response, 501, null, 'This is not supported.'))
  router.use((_, response) => sendScimError(response, 404, null, 'There is no such endpoint.'))
  return router
}

function findDescribed(all: readonly Described[], id: string): Described {
  const one = all.find((each) => each.id === id)
  if (!one) throw resourceNotFound(id)
  return one
}

const notAllowed = (methods: string) => (_: unknown, response: Response) => {
  response.locals.fields['Allow'] = methods
  sendScimError(response, 405, null, 'Method Not Allowed.')
}
