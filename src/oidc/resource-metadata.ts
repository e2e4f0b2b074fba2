import { Router } from 'express'
import { resourceMetadata } from '../../rest-facade/http/protected-resources.ts'
import { dpopAlgorithms } from '../auth/dpop.ts'
import { allow } from '../http/allowed-methods.ts'

// The documents are public, so pages of every origin may read them. The header fields of clients require a preflight request.
const fields = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': '*',
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
}

/** The documents by which a client finds the authorization server of REST, GraphQL or the MCP server (RFC 9728 §3). */
export function createResourceMetadata(authUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, document } of resourceMetadata(authUrl, dpopAlgorithms))
    router.all(path, allow('GET'), ({ method }, response) => {
      response.set(fields)
      if (method === 'OPTIONS') response.status(204).end()
      else response.json(document)
    })
  return router
}
